/** How and about what a person wants to be reminded. */
export interface NotificationChoices {
  /** In the page: the bell and, while it is open, browser notifications. */
  inPage: boolean;
  /** Push notifications to subscribed browsers, even when the page is closed. */
  push: boolean;
  email: boolean;
  /** Messages to a topic of the owner's on an ntfy server. */
  ntfy: boolean;
  /** Leaves names and amounts out of pushes, mails and other messages. */
  discreet: boolean;
  /** Repeats the reminder of an overdue dose until it is logged. */
  repeatOverdue: boolean;
  /** Whole hours after which a pending dose counts as missed. */
  missedAfterHours: number;
  /** Whole minutes before a dose, the default for new schedules. */
  leadDefault: number;
  /** Reminders when stock runs low. */
  lowStock: boolean;
  /** Reminders when a vial nears its beyond-use date. */
  vialExpiry: boolean;
}

/** Limits of the hours after which a dose is missed. */
export const MISSED_AFTER_HOURS = { min: 1, max: 168 } as const;

/** Limits of the reminder lead. */
export const LEAD_MINUTES = { min: 0, max: 120 } as const;

/** Defaults: missed after 24 hours, and no mails or ntfy messages unless asked for. */
export const DEFAULT_NOTIFICATION_CHOICES: NotificationChoices = {
  inPage: true,
  push: true,
  email: false,
  ntfy: false,
  discreet: false,
  repeatOverdue: false,
  missedAfterHours: 24,
  leadDefault: 15,
  lowStock: true,
  vialExpiry: true,
};
