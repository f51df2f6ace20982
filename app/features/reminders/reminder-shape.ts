import * as z from 'zod';
import { REMINDER_TYPES } from '#app/domain/reminders/reminder-constants.ts';
import { instant, named } from '#app/platform/api/shapes.ts';

/** A reminder in an answer. */
export const reminderShape = named(
  'Reminder',
  z.object({
    id: z.string(),
    doseId: z.string().nullable().describe('Null for one that is not about a dose'),
    type: z.enum(REMINDER_TYPES),
    message: z.string(),
    reminderTime: instant,
    isRead: z.boolean(),
    isSent: z.boolean().describe('It has gone out by push, by mail, or as a notification of a page'),
  }),
);

export const EXAMPLE_REMINDER = {
  id: 'rem_5f0c6f7a2b1d4e3c9a8b7c6d5e4f3a2b',
  doseId: 'dose_1',
  type: 'due',
  message: 'BPC-157, 250 mcg, is due now (08:00).',
  reminderTime: '2026-03-09T07:00:00.000Z',
  isRead: false,
  isSent: true,
} as const;
