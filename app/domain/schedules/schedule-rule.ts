import type { DoseUnit } from '#app/domain/calculator/calculation.ts';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { dayNumber } from '#app/domain/time/calendar.ts';
import {
  type DoseKey,
  type ScheduleMove,
  type PlannedPause,
  swapOn,
  type ScheduleSwap,
} from './plan-changes.ts';

/** How often a schedule has doses. */
export const FREQUENCY_KINDS = [
  'daily',
  'weekdays',
  'interval',
  'cycle',
  'monthly',
  'after-last',
  'as-needed',
  'once',
] as const;
export type FrequencyKind = (typeof FREQUENCY_KINDS)[number];

/** Days of the week as the API names them, Monday first. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** 1 to 31, or the last day of each month. */
export type MonthDay = number | 'last';

/**
 * `interval`: every `every` days, counted from the start date. `cycle`: days on, then days off, starting on the start date.
 * `monthly`: on a day of the month, or its last day if the month is shorter. `once`: only on the start date. `after-last`:
 * `everyHours` hours after the last dose was taken, so without times of day. `as-needed`: no planned doses; each is created
 * when it is taken, and has to be confirmed if it is too soon or exceeds the daily maximum.
 */
export type Frequency =
  | { readonly kind: 'daily' }
  | { readonly kind: 'weekdays'; readonly weekdays: readonly Weekday[] }
  | { readonly kind: 'interval'; readonly every: number }
  | { readonly kind: 'cycle'; readonly on: number; readonly off: number }
  | { readonly kind: 'monthly'; readonly day: MonthDay }
  | { readonly kind: 'after-last'; readonly everyHours: number }
  | AsNeeded
  | { readonly kind: 'once' };

/** Taken as needed. Doses closer than the minimum gap, or beyond the daily maximum, have to be confirmed. */
export interface AsNeeded {
  readonly kind: 'as-needed';
  readonly minGapHours?: number | undefined;
  readonly maxPerDay?: number | undefined;
}

/** Whether its doses are planned at times of day; for the other kinds they depend on when doses are taken. */
export const hasTimes = ({ kind }: Pick<Frequency, 'kind'>): boolean =>
  kind !== 'after-last' && kind !== 'as-needed';

/** The dose changes by `step` (signed decimal text) every `everyWeeks` weeks until it reaches `target`, and stays there. */
export interface Ramp {
  readonly start: string;
  readonly step: string;
  readonly everyWeeks: number;
  readonly target: string;
}

/** Alternating weeks with and without doses, starting with doses on the start date. */
export interface Course {
  readonly weeksOn: number;
  readonly weeksOff: number;
}

/** What decides when a schedule has a dose, and how much. */
export interface ScheduleRule {
  readonly frequency: Frequency;
  /** Times of day `HH:mm` in the schedule's own zone, sorted, without duplicates. */
  readonly times: readonly string[];
  /** When the first dose of an `after-last` schedule is due; null or absent for other kinds. */
  readonly firstDueAt?: Date | null;
  /** IANA name. */
  readonly timeZone: string;
  /** First calendar day, YYYY-MM-DD. */
  readonly startDate: string;
  /** Last calendar day, inclusive. */
  readonly endDate: string | null;
  /** Decimal text in `doseUnit`; a ramp replaces it. */
  readonly doseAmount: string;
  readonly doseUnit: DoseUnit;
  readonly ramp: Ramp | null;
  readonly course: Course | null;
  /** Moved doses, in the order of the moves; absent if there are none. */
  readonly moves?: readonly ScheduleMove[] | null;
  /** Planned pauses in chronological order, not overlapping; absent if there are none. */
  readonly pauses?: readonly PlannedPause[] | null;
  /** Changes of compound, vial or dose from a day on, in chronological order; absent if there are none. */
  readonly swaps?: readonly ScheduleSwap[] | null;
  /** It ends when the vial it draws from (the last swap's vial, if there are swaps) is empty or discarded. */
  readonly endsWithVial?: boolean;
  /** When the vial it ends with was used up; no dose is due from then on. */
  readonly stopsAt?: Date | null;
}

/** One dose of a schedule, identified by its original calendar day and time of day. */
export interface Occurrence {
  /** Calendar day in the schedule's zone, YYYY-MM-DD. */
  readonly localDay: string;
  /** Time of day as set in the schedule, even if the clock skips it that day. */
  readonly wallTime: string;
  /** The original day and time, if it was moved. */
  readonly movedFrom?: DoseKey | null;
  readonly dueDate: Date;
  /** Decimal text in the schedule's unit. */
  readonly doseAmount: string;
}

/**
 * Number of steps from the start of a ramp to its target; the last may be shorter. Infinity if it never gets there.
 */
export function rampSteps({ start, step, target }: Pick<Ramp, 'start' | 'step' | 'target'>): number {
  const way = new Decimal(target).minus(start);
  const each = new Decimal(step);
  if (way.eq(0)) return 0;
  if (each.eq(0) || each.gt(0) !== way.gt(0)) return Infinity;
  return Number(way.div(each).round(0, Decimal.roundUp).toFixed());
}

/** The dose after a number of steps, never past the target. Decimal text. */
export function rampDose(ramp: Ramp, steps: number): string {
  if (steps >= rampSteps(ramp)) return new Decimal(ramp.target).toFixed();
  return new Decimal(ramp.step).times(steps).plus(ramp.start).toFixed();
}

const WEEK_DAYS = 7;

/** How many of the first `days` days are in weeks with doses; all of them without a course. */
function daysOn(course: Course | null, days: number): number {
  if (course === null) return days;
  const on = course.weeksOn * WEEK_DAYS;
  const round = on + course.weeksOff * WEEK_DAYS;
  return Math.floor(days / round) * on + Math.min(days % round, on);
}

/** The number (from the start date) of the week with doses that comes after `weeksOn` other weeks with doses. */
export function weekAfterWeeksOn(course: Course | null, weeksOn: number): number {
  if (course === null) return weeksOn;
  const round = course.weeksOn + course.weeksOff;
  return Math.floor(weeksOn / course.weeksOn) * round + (weeksOn % course.weeksOn);
}

type DoseRule = Pick<ScheduleRule, 'ramp' | 'doseAmount' | 'course'>;

function rampedDose({ ramp, doseAmount }: DoseRule, daysWithDoses: number): string {
  if (ramp === null) return doseAmount;
  return rampDose(ramp, Math.floor(daysWithDoses / WEEK_DAYS / ramp.everyWeeks));
}

/**
 * The dose of a week since the start date (0 for the first), as decimal text in the schedule's unit. Only weeks with doses
 * count towards a ramp: nobody gets used to a dose in weeks off.
 */
export function doseOfWeek(rule: DoseRule, week: number): string {
  return rampedDose(rule, daysOn(rule.course, week * WEEK_DAYS));
}

/** Number of days with doses from the start date until a day, without planned pauses. */
function daysWithDoses(
  { course, startDate, pauses }: Omit<DoseRule, 'ramp'> & DayRange,
  day: number,
): number {
  const start = dayNumber(startDate);
  const onBefore = (other: number) => daysOn(course, Math.min(Math.max(other, start), day) - start);
  const paused = (pauses ?? []).reduce(
    (sum, { firstDay, lastDay }) => sum + onBefore(dayNumber(lastDay) + 1) - onBefore(dayNumber(firstDay)),
    0,
  );
  return onBefore(day) - paused;
}

type DayRange = Pick<ScheduleRule, 'startDate' | 'pauses'>;

/**
 * The planned dose of a schedule on a day (see `dayNumber`), as decimal text in its unit. Like weeks off, days of a planned
 * pause do not count towards the next step of a ramp.
 * @param dueDay the calendar day (YYYY-MM-DD) the dose is due, which decides the swap in force
 */
export function doseOfDay(
  rule: DoseRule & DayRange & Pick<ScheduleRule, 'swaps'>,
  day: number,
  dueDay: string,
): string {
  const swapped = swapOn(rule.swaps, dueDay)?.doseAmount ?? null;
  if (swapped !== null) return swapped;
  if (rule.ramp === null) return rule.doseAmount;
  return rampedDose(rule, daysWithDoses(rule, Math.max(day, dayNumber(rule.startDate))));
}
