import type { Connection } from 'mongoose';
import type { NotificationChoices } from '#app/domain/reminders/notification-choices.ts';
import { retryOnDuplicate } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';
import {
  notificationChoicesSchema,
  type NotificationChoicesRow,
} from './notification-choices.model.server.ts';

/** What people chose about notifications. */
export function createNotificationChoicesRepository(connection: Connection) {
  const model = modelOf<NotificationChoicesRow>(connection, 'NotificationChoices', notificationChoicesSchema);
  return {
    /** Only what was chosen. */
    async find(userId: string): Promise<Partial<NotificationChoices>> {
      const row = await model.findOne({ userId }).lean();
      if (row === null) return {};
      const { _id, userId: owner, ...chosen } = row;
      return chosen;
    },

    /** Sets these; the others stay. */
    async change(userId: string, changes: Partial<NotificationChoices>): Promise<void> {
      await retryOnDuplicate(() =>
        model.updateOne({ _id: userId, userId }, { $set: { ...changes } }, { upsert: true }),
      );
    },
  };
}

export type NotificationChoicesRepository = ReturnType<typeof createNotificationChoicesRepository>;
