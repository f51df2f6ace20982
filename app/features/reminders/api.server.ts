import * as z from 'zod';
import { listReminders, markReminderRead } from './reminders.server.ts';
import { operation } from '#app/platform/api/operation.ts';
import { idParams, pageQuery, pageShape, yesOrNo } from '#app/platform/api/shapes.ts';
import { EXAMPLE_REMINDER, reminderShape } from './reminder-shape.ts';

const tag = 'Schedules';

export const listRemindersCall = operation({
  id: 'listReminders',
  method: 'GET',
  path: '/api/schedules/reminders',
  tag,
  summary: 'Reminders',
  description: 'The newest first; they are kept for 90 days.',
  access: 'premium',
  isList: true,
  query: z.object({ ...pageQuery(20), unread: yesOrNo.optional().describe('Only those that are not read') }),
  response: z.object({ reminders: z.array(reminderShape), ...pageShape }),
  example: { data: { reminders: [EXAMPLE_REMINDER], page: 1, limit: 20, total: 1 } },
  run: (ctx, { query }) => listReminders(ctx, query),
});

export const readReminderCall = operation({
  id: 'readReminder',
  method: 'PATCH',
  path: '/api/schedules/reminders/{id}/read',
  tag,
  summary: 'Mark a reminder as read',
  access: 'premium',
  params: idParams,
  response: z.object({ reminder: reminderShape }),
  example: { data: { reminder: { ...EXAMPLE_REMINDER, isRead: true } } },
  run: async (ctx, { params }) => ({ reminder: await markReminderRead(ctx, params.id) }),
});

export const reminderOperations = [listRemindersCall, readReminderCall];
