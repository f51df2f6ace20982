import { Schema } from 'mongoose';
import type { NotificationChoices } from '#app/domain/reminders/notification-choices.ts';

/** A document of `notification_choices`: what somebody chose, one for each account; what was not chosen is absent. */
export interface NotificationChoicesRow extends Partial<NotificationChoices> {
  /** The account's id. */
  _id: string;
  userId: string;
}

export const notificationChoicesSchema = new Schema<NotificationChoicesRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    inPage: Boolean,
    push: Boolean,
    email: Boolean,
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
