import type { ReminderType } from './reminder-constants.ts';
import { relativeTime } from './relative-time.ts';
import { reminderTitle } from './reminder-texts.ts';

/** A reminder as it is listed. */
export interface ReminderView {
  id: string;
  type: ReminderType;
  title: string;
  message: string;
  /** 'Just now', '5m ago', '3h ago', or the date. */
  ago: string;
  /** The instant, ISO 8601. */
  at: string;
  isRead: boolean;
  doseId: string | null;
}

/** The part of a reminder that a list shows. */
export interface ListedReminder {
  id: string;
  type: ReminderType;
  message: string;
  reminderTime: Date;
  isRead: boolean;
  doseId: string | null;
}

/** @param timeZone for the dates of older reminders */
export function reminderView(reminder: ListedReminder, now: Date, timeZone: string): ReminderView {
  const { id, type, message, reminderTime, isRead, doseId } = reminder;
  const ago = relativeTime(reminderTime, now, timeZone);
  return {
    id,
    type,
    title: reminderTitle(type),
    message,
    ago,
    at: reminderTime.toISOString(),
    isRead,
    doseId,
  };
}
