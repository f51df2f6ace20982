import * as z from 'zod';
import { TIME_OF_DAY } from '#app/domain/time/calendar.ts';

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
  /** Whole minutes after which a push that no browser has shown goes out on the next channel; 0 for never. */
  escalateAfterMinutes: number;
  /** Quiet hours, `HH:mm` in the owner's time zone, over midnight if they end before they begin. Null for none. */
  quietFrom: string | null;
  quietTo: string | null;
  /** Reminders of overdue doses are sent in quiet hours and while muted, too. */
  urgentOverdue: boolean;
}

/** The settings, with what is set by a press of its own. */
export interface NotificationState extends NotificationChoices {
  /** Nothing is sent before this instant. */
  mutedUntil?: Date | null;
}

/** Limits of the hours after which a dose is missed. */
export const MISSED_AFTER_HOURS = { min: 1, max: 168 } as const;

/** Limits of the reminder lead. */
export const LEAD_MINUTES = { min: 0, max: 120 } as const;

/** Limits of the minutes until a lost push goes out on the next channel; at 0 it never does. */
export const ESCALATE_AFTER_MINUTES = { min: 0, max: 120 } as const;

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
  escalateAfterMinutes: 10,
  quietFrom: null,
  quietTo: null,
  urgentOverdue: false,
};

export const NOTIFICATION_MESSAGES = {
  missedAfterHours: `Enter whole hours from ${MISSED_AFTER_HOURS.min} to ${MISSED_AFTER_HOURS.max}`,
  leadDefault: `Enter whole minutes from ${LEAD_MINUTES.min} to ${LEAD_MINUTES.max}`,
  escalateAfterMinutes: `Enter whole minutes from ${ESCALATE_AFTER_MINUTES.min} to ${ESCALATE_AFTER_MINUTES.max}`,
  quietTime: 'Enter a time of day, such as 22:00',
  quietPair: 'Enter both times, or neither',
  quietSame: 'Quiet hours must end at another time than they begin',
  saved: 'Notification settings saved',
  muted: 'Nothing more is sent today',
  unmuted: 'Reminders are sent again',
} as const;

function wholeBetween({ min, max }: { min: number; max: number }, error: string) {
  return z.number({ error }).int({ error }).min(min, { error }).max(max, { error });
}

const missedAfterHours = wholeBetween(MISSED_AFTER_HOURS, NOTIFICATION_MESSAGES.missedAfterHours);
const leadDefault = wholeBetween(LEAD_MINUTES, NOTIFICATION_MESSAGES.leadDefault);

const escalateAfterMinutes = wholeBetween(ESCALATE_AFTER_MINUTES, NOTIFICATION_MESSAGES.escalateAfterMinutes);

const quietTime = z
  .string({ error: NOTIFICATION_MESSAGES.quietTime })
  .regex(TIME_OF_DAY, { error: NOTIFICATION_MESSAGES.quietTime })
  .nullable();

/** Why quiet hours are refused; null if they are not. */
function quietProblem(from: string | null | undefined, to: string | null | undefined): string | null {
  if (from == null && to == null) return null;
  if (from == null || to == null) return NOTIFICATION_MESSAGES.quietPair;
  return from === to ? NOTIFICATION_MESSAGES.quietSame : null;
}

/** Quiet hours are set and removed as a pair. */
function checkQuietHours({
  value,
  issues,
}: z.core.ParsePayload<{ quietFrom?: string | null; quietTo?: string | null }>): void {
  const { quietFrom, quietTo } = value;
  const message = quietProblem(quietFrom, quietTo);
  const path = [quietFrom == null ? 'quietFrom' : 'quietTo'];
  if (message !== null) issues.push({ code: 'custom', message, path, input: value });
}

/** Changing some settings; the others stay. */
export const notificationChangesSchema = z
  .object({
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
    escalateAfterMinutes: escalateAfterMinutes.optional().describe('0 for never'),
    quietFrom: quietTime.optional().describe('`HH:mm` in your time zone; nothing is sent in quiet hours'),
    quietTo: quietTime.optional(),
    urgentOverdue: z.boolean().optional().describe('Overdue doses are sent even then'),
    muted: z.boolean().optional().describe('Whether nothing is sent until the end of your day'),
  })
  .check(checkQuietHours);

export type NotificationChangesInput = z.input<typeof notificationChangesSchema>;

const checkbox = z.boolean().default(false);

/** The page's form sends all settings, where an absent checkbox means off. */
export const notificationFormSchema = z
  .object({
    intent: z.literal('save').optional(),
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
    escalateAfterMinutes: escalateAfterMinutes.optional(),
    quietFrom: quietTime.default(null),
    quietTo: quietTime.default(null),
    urgentOverdue: checkbox,
  })
  .check(checkQuietHours);

const muteSchema = z.object({ intent: z.enum(['mute', 'unmute']) });

/** The forms of the page of the settings: the settings, muting today, and testing a browser. */
export const notificationPageSchema = z.discriminatedUnion('intent', [
  notificationFormSchema,
  muteSchema,
  z.object({ intent: z.literal('test'), id: z.string().max(100) }),
]);

/** The forms of the list of reminders: marking all as read, and muting today. */
export const reminderListFormSchema = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('read').optional() }),
  muteSchema,
]);
