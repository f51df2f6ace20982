/** How somebody wants to be reminded, and of what. */
export interface NotificationChoices {
  /** In the page, by the bell and the browser's own notifications while it is open. */
  inPage: boolean;
  /** To browsers that were subscribed, also when the page is closed. */
  push: boolean;
  email: boolean;
  /** Names and amounts stay out of pushes and mails. */
  discreet: boolean;
  /** An overdue dose is named again until something is done about it. */
  repeatOverdue: boolean;
  /** Whole hours after its time at which a pending dose counts as missed. */
  missedAfterHours: number;
  /** Whole minutes before a dose at which a new schedule reminds. */
  leadDefault: number;
  /** Told when a stock runs low. */
  lowStock: boolean;
  /** Told when a vial nears its beyond-use date. */
  vialExpiry: boolean;
}

/** Limits of the hours after which a dose is missed. */
export const MISSED_AFTER_HOURS = { min: 1, max: 168 } as const;

/** Limits of the minutes of notice (decisions, section 9). */
export const LEAD_MINUTES = { min: 0, max: 120 } as const;

/** What holds until somebody chooses: missed after 24 hours (decisions, section 9), and no mails unasked. */
export const DEFAULT_NOTIFICATION_CHOICES: NotificationChoices = {
  inPage: true,
  push: true,
  email: false,
  discreet: false,
  repeatOverdue: false,
  missedAfterHours: 24,
  leadDefault: 15,
  lowStock: true,
  vialExpiry: true,
};
