import {
  OVERDUE_AFTER_MINUTES,
  REPEAT_EVERY_MINUTES,
  REPEAT_FOR_HOURS,
  STALE_AFTER_MINUTES,
  type ReminderStage,
} from './reminder-constants.ts';

const MINUTE_MS = 60_000;

/** A reminder of a dose that is to go out. */
export interface ReminderStep {
  at: Date;
  stage: ReminderStage;
}

/** What to do about a dose whose reminder is due. */
export interface PlannedReminder {
  /** The one to send now. */
  step: ReminderStep;
  /** Too late to disturb anybody: it only stands in the bell. */
  isQuiet: boolean;
  /** The one after it, null when there is none. */
  next: ReminderStep | null;
}

const after = (instant: Date, minutes: number) => new Date(instant.getTime() + minutes * MINUTE_MS);

/** The stage a pending dose is in at an instant. */
export function stageAt(dueDate: Date, instant: Date): ReminderStage {
  if (instant < dueDate) return 'upcoming';
  return instant < after(dueDate, OVERDUE_AFTER_MINUTES) ? 'due' : 'overdue';
}

/**
 * The reminder that follows one, if nothing is done about the dose: due at its time, overdue half an hour later, and
 * then again and again for some hours if wanted. One that was put off past the next one's time takes its place.
 */
export function stepAfter(dueDate: Date, { at, stage }: ReminderStep, repeats: boolean): ReminderStep | null {
  const overdueAt = after(dueDate, OVERDUE_AFTER_MINUTES);
  if (at < dueDate) return { at: dueDate, stage: 'due' };
  if (stage !== 'overdue' && at < overdueAt) return { at: overdueAt, stage: 'overdue' };
  if (!repeats) return null;
  const again = after(at, REPEAT_EVERY_MINUTES);
  return again > after(dueDate, REPEAT_FOR_HOURS * 60) ? null : { at: again, stage: 'overdue' };
}

/**
 * Which reminder of a dose goes out now. After a time without a worker it is the latest whose time has come, never the
 * whole row; and when that one is old, too, it is quiet.
 * @param step the one that was planned, whose time has come
 * @param repeats whether the owner wants to hear again of an overdue dose
 */
export function planReminder(
  dueDate: Date,
  step: ReminderStep,
  repeats: boolean,
  now: Date,
): PlannedReminder {
  let current = step;
  let next = stepAfter(dueDate, current, repeats);
  while (next !== null && next.at <= now) {
    current = next;
    next = stepAfter(dueDate, current, repeats);
  }
  return { step: current, isQuiet: now > after(current.at, STALE_AFTER_MINUTES), next };
}

/** The reminder of a pending dose that was put off from now. */
export function snoozedStep(dueDate: Date, now: Date, minutes: number): ReminderStep {
  const at = after(now, minutes);
  return { at, stage: stageAt(dueDate, at) };
}
