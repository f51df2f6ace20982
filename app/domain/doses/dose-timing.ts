import { HOUR_MS, MINUTE_MS } from '#app/domain/time/durations.ts';
import type { DoseStatus } from './dose-status.ts';

/** A dose counts as overdue this long after it was due; its overdue reminder goes out at the same moment. */
export const OVERDUE_AFTER_MINUTES = 30;

/** Whether a pending dose is due. */
export type Urgency = 'overdue' | 'due' | 'later';

/** Overdue half an hour after the due time, due from the due time on, else later. */
export function urgencyOf(dueDate: Date, now: Date): Urgency {
  const late = now.getTime() - dueDate.getTime();
  if (late < 0) return 'later';
  return late < OVERDUE_AFTER_MINUTES * MINUTE_MS ? 'due' : 'overdue';
}

/** When a dose that nobody logs becomes missed. */
export function missedAt(dueDate: Date, afterHours: number): Date {
  return new Date(dueDate.getTime() + afterHours * HOUR_MS);
}

/** The next reminder of a dose. */
export interface ReminderState {
  remindAt: Date | null;
  remindStage: 'upcoming' | 'due' | 'overdue';
}

const minutesAfter = (date: Date, minutes: number) => new Date(date.getTime() + minutes * MINUTE_MS);

/**
 * The next reminder of a dose that undo has made pending again: the first stage that is still ahead. A dose that is
 * already overdue gets none, since its owner has just seen it.
 * @param leadMinutes how long before the due time the first reminder goes out; 0 for at the due time
 */
export function reminderAfterUndo(
  dose: { status: DoseStatus; dueDate: Date },
  leadMinutes: number,
  now: Date,
): ReminderState {
  const none = { remindAt: null, remindStage: 'overdue' as const };
  if (dose.status !== 'pending') return none;
  const stages = [
    ...(leadMinutes > 0
      ? [{ remindStage: 'upcoming' as const, remindAt: minutesAfter(dose.dueDate, -leadMinutes) }]
      : []),
    { remindStage: 'due' as const, remindAt: dose.dueDate },
    { remindStage: 'overdue' as const, remindAt: minutesAfter(dose.dueDate, OVERDUE_AFTER_MINUTES) },
  ];
  return stages.find(({ remindAt }) => remindAt > now) ?? none;
}
