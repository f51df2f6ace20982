import * as z from 'zod';
import { REMINDER_TYPES } from '#app/domain/reminders/reminder-constants.ts';
import { instant, named, idParams, pageQuery, pageShape, yesOrNo } from '#app/platform/api/shapes.ts';
import { listReminders, markReminderRead } from './reminders.server.ts';
import { operation } from '#app/platform/api/operation.ts';

const reminderShape = named(
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

const EXAMPLE_REMINDER = {
  id: 'rem_5f0c6f7a2b1d4e3c9a8b7c6d5e4f3a2b',
  doseId: 'dose_1',
  type: 'due',
  message: 'BPC-157, 250 mcg, is due now (08:00).',
  reminderTime: '2026-03-09T07:00:00.000Z',
  isRead: false,
  isSent: true,
} as const;

const tag = 'Schedules';

const listRemindersCall = operation({
  id: 'listReminders',
  method: 'GET',
  path: '/api/schedules/reminders',
  tag,
  summary: 'List reminders',
  description: 'Newest first. Reminders are kept for 90 days.',
  access: 'premium',
  isList: true,
  query: z.object({ ...pageQuery(20), unread: yesOrNo.optional().describe('Only unread reminders') }),
  response: z.object({ reminders: z.array(reminderShape), ...pageShape }),
  example: { data: { reminders: [EXAMPLE_REMINDER], page: 1, limit: 20, total: 1 } },
  run: (ctx, { query }) => listReminders(ctx, query),
});

const readReminderCall = operation({
  id: 'readReminder',
  method: 'PATCH',
  path: '/api/schedules/reminders/{id}/read',
  tag,
  summary: 'Mark a reminder as read',
  description: 'The bell on the pages counts it no longer. The dose it is about stays as it is.',
  access: 'premium',
  params: idParams,
  response: z.object({ reminder: reminderShape }),
  example: { data: { reminder: { ...EXAMPLE_REMINDER, isRead: true } } },
  run: async (ctx, { params }) => ({ reminder: await markReminderRead(ctx, params.id) }),
});

export const reminderOperations = [listRemindersCall, readReminderCall];
