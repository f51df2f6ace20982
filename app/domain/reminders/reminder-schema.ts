import * as z from 'zod';
import { DOSE_WARNINGS } from '#app/domain/doses/dose-warnings.ts';
import { takeDosesSchema } from '#app/domain/doses/dose-schema.ts';
import { momentField } from '#app/domain/forms/fields.ts';
import { MOVE_MESSAGES } from '#app/domain/schedules/plan-changes.ts';
import { LINK_IS_OVER } from './reminder-link.ts';
import { SNOOZE_MINUTES } from './reminder-stages.ts';

export const REMINDER_MESSAGES = {
  minutes: `Choose ${SNOOZE_MINUTES.slice(0, -1).join(', ')} or ${SNOOZE_MINUTES.at(-1)} minutes`,
  action: 'Choose an action',
  read: 'Marked as read',
  snoozed: 'You will be reminded again',
  allRead: 'All reminders marked as read',
  none: 'Reminder not found.',
  notPending: 'This dose has already been logged.',
  linkOver: LINK_IS_OVER,
} as const;

const minutes = z.coerce
  .number({ error: REMINDER_MESSAGES.minutes })
  .refine((value) => (SNOOZE_MINUTES as readonly number[]).includes(value), {
    error: REMINDER_MESSAGES.minutes,
  });

/** Snoozing a reminder. */
export const snoozeSchema = z.object({ minutes });
export type SnoozeInput = z.input<typeof snoozeSchema>;

/** The form of one reminder: mark as read or snooze; `minutes` is for snooze. */
export const reminderFormSchema = z.object({
  intent: z.enum(['read', 'snooze'], { error: REMINDER_MESSAGES.action }),
  minutes: minutes.optional(),
});
export type ReminderFormInput = z.input<typeof reminderFormSchema>;

/** What the link in a mail or push can do. */
export const ACT_ACTIONS = ['taken', 'skip', 'snooze', 'move'] as const;
export type ActAction = (typeof ACT_ACTIONS)[number];

/** The form behind the link; `minutes` is for snooze, `dueDate` for move. */
export const actSchema = z.object({
  action: z.enum(ACT_ACTIONS, { error: REMINDER_MESSAGES.action }),
  minutes: minutes.optional(),
  dueDate: momentField(MOVE_MESSAGES.dueDate).optional(),
  /** Of a link about several doses: those to take, when, and the answers to what was asked about them. */
  ids: takeDosesSchema.shape.ids.optional(),
  takenAt: takeDosesSchema.shape.takenAt,
  answers: takeDosesSchema.shape.answers,
  /** Codes of the warnings that the page behind the link has shown. */
  confirmed: z.array(z.enum(DOSE_WARNINGS)).max(DOSE_WARNINGS.length).default([]),
});
export type ActInput = z.input<typeof actSchema>;

/** A page of reminders; invalid values count as absent. */
export const reminderListSchema = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1).catch(1),
  limit: z.coerce.number().int().min(1).max(100).default(20).catch(20),
  unread: z
    .union([z.boolean(), z.string().transform((text) => ['1', 'true'].includes(text))])
    .default(false)
    .catch(false),
  cursor: z.string().optional(),
});
export interface ReminderListInput {
  cursor?: string | undefined;
  page?: string | number | undefined;
  limit?: string | number | undefined;
  unread?: string | boolean | undefined;
}

/** Ids of reminders that an open page has shown. */
export const shownSchema = z.object({ ids: z.array(z.string().max(64)).max(20) });
export type ShownInput = z.input<typeof shownSchema>;
