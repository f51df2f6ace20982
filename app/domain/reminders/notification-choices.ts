import * as z from 'zod';

/** Which reminders a user wants, and on which channels. */
export interface NotificationChoices {
  /** In the bell and, while a page is open, as browser notifications. */
  inPage: boolean;
  /** Push notifications to subscribed browsers, even when the page is closed. */
  push: boolean;
  email: boolean;
  /** Messages to the owner's topic on an ntfy server. */
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

export const NOTIFICATION_MESSAGES = {
  missedAfterHours: `Enter whole hours from ${MISSED_AFTER_HOURS.min} to ${MISSED_AFTER_HOURS.max}`,
  leadDefault: `Enter whole minutes from ${LEAD_MINUTES.min} to ${LEAD_MINUTES.max}`,
  saved: 'Notification settings saved',
} as const;

function wholeBetween({ min, max }: { min: number; max: number }, error: string) {
  return z.number({ error }).int({ error }).min(min, { error }).max(max, { error });
}

const missedAfterHours = wholeBetween(MISSED_AFTER_HOURS, NOTIFICATION_MESSAGES.missedAfterHours);
const leadDefault = wholeBetween(LEAD_MINUTES, NOTIFICATION_MESSAGES.leadDefault);

/** Changing some settings; the others stay. */
export const notificationChangesSchema = z.object({
  inPage: z.boolean().optional(),
  push: z.boolean().optional(),
  email: z.boolean().optional(),
  ntfy: z.boolean().optional(),
  discreet: z.boolean().optional(),
  repeatOverdue: z.boolean().optional(),
  missedAfterHours: missedAfterHours.optional(),
  leadDefault: leadDefault.optional(),
  lowStock: z.boolean().optional(),
  vialExpiry: z.boolean().optional(),
});

export type NotificationChangesInput = z.input<typeof notificationChangesSchema>;

const checkbox = z.boolean().default(false);

/** The page's form sends all settings, where an absent checkbox means off. */
export const notificationFormSchema = z.object({
  inPage: checkbox,
  push: checkbox,
  email: checkbox,
  ntfy: checkbox,
  discreet: checkbox,
  repeatOverdue: checkbox,
  missedAfterHours,
  leadDefault,
  lowStock: checkbox,
  vialExpiry: checkbox,
});
