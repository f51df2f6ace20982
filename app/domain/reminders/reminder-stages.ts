import { OVERDUE_AFTER_MINUTES } from '#app/domain/doses/dose.ts';
import { MINUTE_MS } from '#app/domain/time/calendar.ts';

/** What a reminder is about; `other` is low stock and vials that expire. */
export const REMINDER_TYPES = ['upcoming', 'due', 'overdue', 'other'] as const;
export type ReminderType = (typeof REMINDER_TYPES)[number];

/** The stages of a dose's reminders, in order. */
export type ReminderStage = Exclude<ReminderType, 'other'>;

/** Minutes between repeated reminders of an overdue dose, for those who turned them on. Our choice. */
const REPEAT_EVERY_MINUTES = 30;

/** Hours after which an overdue dose is no longer repeated: its owner has seen it by then. Our choice. */
export const REPEAT_FOR_HOURS = 6;

/** Minutes after which a late reminder is only listed in the bell. Our choice. */
export const STALE_AFTER_MINUTES = 120;

/** Minutes by which a reminder can be snoozed. */
export const SNOOZE_MINUTES = [5, 10, 15, 30, 60] as const;

/** Reminders that the bell lists. */
export const BELL_LENGTH = 10;

/** A planned reminder of a dose. */
export interface ReminderStep {
  at: Date;
  stage: ReminderStage;
}

/** What to do when a dose's reminder is due. */
export interface PlannedReminder {
  /** The reminder to send now. */
  step: ReminderStep;
  /** Too late to notify anyone: it is only listed in the bell. */
  isQuiet: boolean;
  /** The reminder after it, or null. */
  next: ReminderStep | null;
}

const after = (instant: Date, minutes: number) => new Date(instant.getTime() + minutes * MINUTE_MS);

/** The stage of a pending dose at an instant. */
export function stageAt(dueDate: Date, instant: Date): ReminderStage {
  if (instant < dueDate) return 'upcoming';
  return instant < after(dueDate, OVERDUE_AFTER_MINUTES) ? 'due' : 'overdue';
}

/**
 * The reminder that follows another if the dose is not logged: due at its time, overdue half an hour later, then
 * repeated for some hours if turned on. A reminder snoozed past the next one's time replaces it.
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
 * The reminder of a dose to send now. If no worker has run for a while, only the latest due reminder is sent; if that is
 * too old as well, it is quiet.
 * @param step the planned reminder that is now due
 * @param repeats whether the owner wants repeated reminders of an overdue dose
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

/** The reminder of a pending dose snoozed from now. */
export function snoozedStep(dueDate: Date, now: Date, minutes: number): ReminderStep {
  const at = after(now, minutes);
  return { at, stage: stageAt(dueDate, at) };
}
