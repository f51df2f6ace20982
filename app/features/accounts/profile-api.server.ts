import * as z from 'zod';
import { notificationChangesSchema } from '#app/domain/reminders/notification-choices-schema.ts';
import { profileChangesSchema } from '#app/domain/accounts/profile-schema.ts';
import {
  getNotificationChoices,
  updateNotificationChoices,
} from '#app/platform/mail/notification-choices.server.ts';
import { authoriseUser } from '#app/platform/access/authorise.server.ts';
import { changeProfile } from './profile.server.ts';
import { operation, Reply } from '#app/platform/api/operation.ts';
import { accountShape, EXAMPLE_USER } from '#app/platform/api/account-shape.ts';
import { EXAMPLE_CHOICES, notificationChoicesShape } from './profile-shape.ts';

const tag = 'Profile';

export const changeDetails = operation({
  id: 'changeProfile',
  method: 'PUT',
  path: '/api/profile',
  tag,
  summary: 'Change name, time zone or units',
  description: 'What is not named stays. An empty name takes the name out.',
  access: 'user',
  body: profileChangesSchema,
  response: z.object({ user: accountShape }),
  example: { body: { timeZone: 'Europe/Berlin' }, data: { user: EXAMPLE_USER } },
  async run(ctx, { body }) {
    return new Reply({ user: await changeProfile(ctx, body) }, { message: 'Profile saved' });
  },
});

export const getChoices = operation({
  id: 'getNotificationChoices',
  method: 'GET',
  path: '/api/profile/notifications',
  tag,
  summary: 'Where and of what you are reminded',
  access: 'user',
  response: z.object({ notifications: notificationChoicesShape }),
  example: { data: { notifications: EXAMPLE_CHOICES } },
  async run(ctx) {
    const { id } = authoriseUser(ctx.actor, 'notification-choices.read');
    return { notifications: await getNotificationChoices(ctx, id) };
  },
});

export const changeChoices = operation({
  id: 'changeNotificationChoices',
  method: 'PUT',
  path: '/api/profile/notifications',
  tag,
  summary: 'Choose where and of what you are reminded',
  description: 'What is not named stays.',
  access: 'user',
  body: notificationChangesSchema,
  response: z.object({ notifications: notificationChoicesShape }),
  example: { body: { discreet: true }, data: { notifications: { ...EXAMPLE_CHOICES, discreet: true } } },
  run: async (ctx, { body }) => ({ notifications: await updateNotificationChoices(ctx, body) }),
});

export const profileOperations = [changeDetails, getChoices, changeChoices];
