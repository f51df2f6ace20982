import { Schema, type Connection } from 'mongoose';
import type { NotificationChoices } from '#app/domain/reminders/notification-choices.ts';
import { retryOnDuplicate } from './writes.server.ts';
import { modelOf } from './model-of.server.ts';

/** A document of `notification_choices`: what somebody chose, one for each account; what was not chosen is absent. */
interface NotificationChoicesRow extends Partial<NotificationChoices> {
  /** The account's id. */
  _id: string;
  userId: string;
}

const notificationChoicesSchema = new Schema<NotificationChoicesRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    inPage: Boolean,
    push: Boolean,
    email: Boolean,
    ntfy: Boolean,
    discreet: Boolean,
    repeatOverdue: Boolean,
    missedAfterHours: Number,
    leadDefault: Number,
    lowStock: Boolean,
    vialExpiry: Boolean,
  },
  { collection: 'notification_choices' },
);

notificationChoicesSchema.index({ userId: 1 });

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
    async update(userId: string, changes: Partial<NotificationChoices>): Promise<void> {
      await retryOnDuplicate(() =>
        model.updateOne({ _id: userId, userId }, { $set: { ...changes } }, { upsert: true }),
      );
    },
  };
}
