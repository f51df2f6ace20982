import type { DoseStatus } from './dose-status.ts';

/** A dose counts as overdue this long after it was due (decisions, section 9, as its reminder does). */
export const OVERDUE_AFTER_MINUTES = 30;

/** How a pending dose stands to now. */
export type Urgency = 'overdue' | 'due' | 'later';

/** Overdue half an hour after the due time, due from the due time on, else later. */
export function urgencyOf(dueDate: Date, now: Date): Urgency {
  const late = now.getTime() - dueDate.getTime();
  if (late < 0) return 'later';
  return late < OVERDUE_AFTER_MINUTES * 60_000 ? 'due' : 'overdue';
}

/** When a dose becomes missed by itself. */
export function missedAt(dueDate: Date, afterHours: number): Date {
  return new Date(dueDate.getTime() + afterHours * 3_600_000);
}

/** What its reminders read of a dose. */
export interface ReminderState {
  remindAt: Date | null;
  remindStage: 'upcoming' | 'due' | 'overdue';
}

const minutesAfter = (date: Date, minutes: number) => new Date(date.getTime() + minutes * 60_000);

/**
 * The next reminder of a dose that undo has made pending again: the first stage whose time has not come. One that was
 * due long ago gets none; its owner has just looked at it.
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
