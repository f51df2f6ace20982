import { randomBytes } from 'node:crypto';
import type { ReminderType } from '#app/domain/reminders/reminder-stages.ts';
import { addStored, storedIn, userIdOf } from '../stored.ts';
import type { Web } from '../web.ts';
import type { Owned } from './owned.ts';

let count = 0;

/** A reminder as the worker makes it. */
export function reminderRow(userId: string, more: Record<string, unknown> = {}) {
  const reminderTime = new Date();
  return {
    _id: `rem_${randomBytes(8).toString('hex')}`,
    userId,
    doseId: null as string | null,
    type: 'other' as ReminderType,
    message: 'Semaglutide runs out in 3 days.',
    discreetMessage: 'Something in your notebook needs your attention.',
    reminderTime,
    isRead: false,
    isSent: false,
    isQuiet: false,
    shownAt: null as Date | null,
    expiresAt: new Date(reminderTime.getTime() + 90 * 86_400_000),
    ...more,
  };
}

/** Whether a browser still gets pushes. */
const isSubscribed = (web: Web, id: string) => async () =>
  (await storedIn(web.dataDir, 'push_subscriptions', { _id: id })).length === 1;

/** Reminders, and the browsers that pushes go to. */
export const OWNED_REMINDERS: Record<string, Owned> = {
  '/dashboard/reminders/:id': {
    premium: true,
    async make(owner, web) {
      const row = reminderRow(await userIdOf(web.dataDir, owner.email));
      await addStored(web.dataDir, 'reminders', [row]);
      return {
        at: `/dashboard/reminders/${row._id}`,
        shows: 'Semaglutide runs out in 3 days.',
        form: { intent: 'read' },
        isThere: async () =>
          (await storedIn(web.dataDir, 'reminders', { _id: row._id })).some(
            (stored) => stored['isRead'] === false,
          ),
      };
    },
  },
  '/dashboard/profile/notifications/:id/remove': {
    async make(owner, web) {
      const _id = `push_test${count++}`;
      const userId = await userIdOf(web.dataDir, owner.email);
      const keys = { endpoint: 'https://push.example/x', p256dh: 'x', auth: 'y' };
      const browser = 'Lynx on Plan 9';
      const row = { _id, userId, signInId: 's', ...keys, browser, createdAt: new Date() };
      await addStored(web.dataDir, 'push_subscriptions', [row]);
      return {
        at: `/dashboard/profile/notifications/${_id}/remove`,
        shows: browser,
        isThere: isSubscribed(web, _id),
      };
    },
  },
};
