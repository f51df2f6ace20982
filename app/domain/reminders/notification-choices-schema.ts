import * as z from 'zod';
import { LEAD_MINUTES, MISSED_AFTER_HOURS } from './notification-choices.ts';

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
