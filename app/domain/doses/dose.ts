import { HOUR_MS, MINUTE_MS } from '#app/domain/time/calendar.ts';

export const DOSE_STATUSES = ['pending', 'taken', 'missed', 'skipped'] as const;

export type DoseStatus = (typeof DOSE_STATUSES)[number];

/** Labels of the statuses. A dose that is not logged yet is "Due", even if it is in the future. */
export const STATUS_LABELS: Readonly<Record<DoseStatus, string>> = {
  pending: 'Due',
  taken: 'Taken',
  missed: 'Missed',
  skipped: 'Skipped',
};

/** The changes a person can make to a dose. */
export const DOSE_CHANGES = ['taken', 'skipped', 'missed'] as const;

type DoseChange = (typeof DOSE_CHANGES)[number];

/** The state of a dose before a person changed it, which undo restores. */
export interface DoseBefore {
  status: DoseStatus;
  notes: string | null;
}

/** The fields of a dose that decide how its status may change. */
export interface ChangingDose {
  status: DoseStatus;
  notes: string | null;
  /** Null until a person changes it, and for a dose the worker marked as missed. */
  before: DoseBefore | null;
}

/** `ok`, or the reason why not. */
type Verdict = 'ok' | 'already-taken' | 'nothing-to-undo';

/**
 * Whether a dose may become taken, skipped or missed. Every dose that is not taken may: a missed or skipped dose can be
 * logged late, and a skipped one can become missed. A taken dose was drawn from a vial, so it has to be undone first.
 */
export function mayBecome(dose: Pick<ChangingDose, 'status'>): Verdict {
  return dose.status === 'taken' ? 'already-taken' : 'ok';
}

/**
 * The state that undo restores after a change. Repeating the same change keeps the earlier state, so that one undo is
 * enough.
 */
export function beforeChange(dose: ChangingDose, change: DoseChange): DoseBefore {
  if (dose.status === change && dose.before !== null) return dose.before;
  return { status: dose.status, notes: dose.notes };
}

/** Whether a person changed the dose, so that undo has something to restore. */
export function mayUndo(dose: Pick<ChangingDose, 'before'>): Verdict {
  return dose.before === null ? 'nothing-to-undo' : 'ok';
}

/** A pending dose counts as overdue this long after it was due; its overdue reminder goes out at the same moment. */
export const OVERDUE_AFTER_MINUTES = 30;

/** Whether a pending dose is due. */
export type Urgency = 'overdue' | 'due' | 'later';

/** `due` from the due time, `overdue` half an hour after it, `later` before it. */
export function urgencyOf(dueDate: Date, now: Date): Urgency {
  const late = now.getTime() - dueDate.getTime();
  if (late < 0) return 'later';
  return late < OVERDUE_AFTER_MINUTES * MINUTE_MS ? 'due' : 'overdue';
}

/** When a dose that is not logged becomes missed. */
export function missedAt(dueDate: Date, afterHours: number): Date {
  return new Date(dueDate.getTime() + afterHours * HOUR_MS);
}

/** The next reminder of a dose. */
interface ReminderState {
  remindAt: Date | null;
  remindStage: 'upcoming' | 'due' | 'overdue';
}

const minutesAfter = (date: Date, minutes: number) => new Date(date.getTime() + minutes * MINUTE_MS);

/**
 * The next reminder of a dose that was moved, or that undo made pending again: the first stage still ahead. An overdue
 * dose gets none, because its owner has just seen it.
 * @param leadMinutes how long before the due time the first reminder goes out; 0 for the due time itself
 */
export function reminderAhead(
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
