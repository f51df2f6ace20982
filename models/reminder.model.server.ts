import { Schema } from 'mongoose';
import { REMINDER_TYPES, type ReminderType } from '#app/domain/reminders/reminder-constants.ts';

/** A document of `reminders`: one that stands in the bell. */
export interface ReminderRow {
  /** Follows from what it is about, so that two makers make one. */
  _id: string;
  userId: string;
  /** Null for what is not about a dose. */
  doseId: string | null;
  type: ReminderType;
  message: string;
  /** The same without names and amounts. */
  discreetMessage: string;
  reminderTime: Date;
  isRead: boolean;
  /** It has gone out on a channel other than the bell. */
  isSent: boolean;
  /** Came too late to disturb anybody. */
  isQuiet: boolean;
  /** When an open page showed it as a notification of the browser. */
  shownAt: Date | null;
  /** When it is dropped. */
  expiresAt: Date;
}

const flag = { type: Boolean, default: false } as const;

export const reminderSchema = new Schema<ReminderRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    doseId: { type: String, default: null },
    type: { type: String, enum: REMINDER_TYPES, required: true },
    message: { type: String, required: true },
    discreetMessage: { type: String, required: true },
    reminderTime: { type: Date, required: true },
    isRead: flag,
    isSent: flag,
    isQuiet: flag,
    shownAt: { type: Date, default: null },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'reminders' },
);

reminderSchema.index({ userId: 1, reminderTime: -1, _id: -1 });
reminderSchema.index({ userId: 1, isRead: 1, reminderTime: -1, _id: -1 });
reminderSchema.index({ userId: 1, doseId: 1 });
reminderSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
