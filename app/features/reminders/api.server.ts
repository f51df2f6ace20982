import * as z from 'zod';
import { REMINDER_TYPES } from '#app/domain/reminders/reminder-stages.ts';
import {
  instant,
  named,
  idParams,
  pageQuery,
  cursorPageShape,
  yesOrNo,
  cursorQuery,
} from '#app/platform/api/shapes.ts';
import { NTFY_MESSAGES, ntfyChangesSchema } from '#app/domain/reminders/ntfy.ts';
import { deleteNtfyTopic, findNtfyTopic, sendNtfyTest, setNtfyTopic } from './ntfy.server.ts';
import { getReminder, listReminders, markReminderRead } from './reminders.server.ts';
import { operation, Reply } from '#app/platform/api/operation.ts';

const reminderShape = named(
  'Reminder',
  z.object({
    id: z.string(),
    doseId: z.string().nullable().describe('The first of its doses; null when it is not about a dose'),
    doseIds: z.array(z.string()).describe('All its doses: those due within the same quarter of an hour'),
    type: z.enum(REMINDER_TYPES),
    message: z.string(),
    reminderTime: instant.describe('When it was made, or last changed to another stage'),
    isRead: z.boolean(),
    isSent: z.boolean().describe('Sent by push or email, or shown as a browser notification'),
  }),
);

const reminderAnswer = z.object({ reminder: reminderShape });

const EXAMPLE_REMINDER = {
  id: 'rem_5f0c6f7a2b1d4e3c9a8b7c6d5e4f3a2b',
  doseId: 'dose_1',
  doseIds: ['dose_1'],
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
  query: z.object({
    ...pageQuery(20),
    ...cursorQuery,
    unread: yesOrNo.optional().describe('Only unread reminders'),
  }),
  response: z.object({ reminders: z.array(reminderShape), ...cursorPageShape }),
  example: { data: { reminders: [EXAMPLE_REMINDER], page: 1, limit: 20, total: 1, next: null } },
  run: (ctx, { query }) => listReminders(ctx, query),
});

const readReminderCall = operation({
  id: 'readReminder',
  method: 'PATCH',
  path: '/api/schedules/reminders/{id}/read',
  tag,
  summary: 'Mark a reminder as read',
  description: 'The bell no longer counts it. The dose itself does not change.',
  access: 'premium',
  params: idParams,
  response: reminderAnswer,
  current: {
    shape: reminderAnswer,
    read: async (ctx, { params }) => ({ reminder: await getReminder(ctx, params.id) }),
  },
  example: { data: { reminder: { ...EXAMPLE_REMINDER, isRead: true } } },
  run: async (ctx, { params }) => ({ reminder: await markReminderRead(ctx, params.id) }),
});

const PROFILE = 'Profile';

const ntfyShape = named(
  'NtfyTopic',
  z.object({
    url: z.string(),
    hasToken: z.boolean().describe('An access token is stored; it is never shown'),
  }),
);
const ntfyAnswer = z.object({ ntfy: ntfyShape });
const EXAMPLE_NTFY = { url: 'https://ntfy.sh/ada-3f9c2e7d', hasToken: false };

const getNtfyCall = operation({
  id: 'getNtfyTopic',
  method: 'GET',
  path: '/api/profile/ntfy',
  tag: PROFILE,
  summary: 'The ntfy topic for reminders',
  description: 'Null until you set a topic.',
  access: 'user',
  response: z.object({ ntfy: ntfyShape.nullable() }),
  example: { data: { ntfy: EXAMPLE_NTFY } },
  run: async (ctx) => ({ ntfy: await findNtfyTopic(ctx) }),
});

const setNtfyCall = operation({
  id: 'setNtfyTopic',
  method: 'PUT',
  path: '/api/profile/ntfy',
  tag: PROFILE,
  summary: 'Send reminders to a topic on an ntfy server',
  description:
    'The address must begin with https:// and be on the public internet. Without `token`, the stored one is kept unless the ' +
    'server changes; an empty one removes it. Anyone who knows the address of a topic can read what is sent there. ' +
    'Needs a session and a sign-in within the last 15 minutes, so personal tokens cannot do this. The owner gets a mail.',
  looksOutside: true,
  access: 'premium',
  sessionOnly: true,
  errors: ['RECENT_SIGN_IN_REQUIRED'],
  body: ntfyChangesSchema,
  response: ntfyAnswer,
  example: { body: { url: EXAMPLE_NTFY.url }, data: { ntfy: EXAMPLE_NTFY } },
  run: async (ctx, { body }) => ({ ntfy: await setNtfyTopic(ctx, body) }),
});

const deleteNtfyCall = operation({
  id: 'deleteNtfyTopic',
  method: 'DELETE',
  path: '/api/profile/ntfy',
  tag: PROFILE,
  summary: 'Stop sending reminders through ntfy',
  description: 'Deletes the topic and its token.',
  access: 'user',
  errors: ['NOT_FOUND'],
  example: {},
  async run(ctx) {
    await deleteNtfyTopic(ctx);
    return new Reply({}, { message: NTFY_MESSAGES.removed });
  },
});

const testNtfyCall = operation({
  id: 'testNtfyTopic',
  method: 'POST',
  path: '/api/profile/ntfy/test',
  tag: PROFILE,
  summary: 'Send a test message through ntfy',
  description: 'Says whether the server accepted it.',
  access: 'premium',
  response: z.object({
    isSent: z.boolean(),
    reason: z.string().nullable().describe('Why it was not accepted'),
  }),
  errors: ['NOT_FOUND'],
  example: { body: {}, data: { isSent: true, reason: null } },
  async run(ctx) {
    const reason = await sendNtfyTest(ctx);
    return { isSent: reason === null, reason };
  },
});

export const reminderOperations = [
  listRemindersCall,
  readReminderCall,
  getNtfyCall,
  setNtfyCall,
  deleteNtfyCall,
  testNtfyCall,
];
