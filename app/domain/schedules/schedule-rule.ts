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
 * `interval`: every so many days, counted from the start date. `cycle`: days on, days off, the first day on being the
 * start date. `monthly`: on a day of the month, or the last; a day that a month does not have is its last one. `once`: on
 * the start date alone. `after-last`: so many hours after the last one was taken, so that it has no times of day.
 * `as-needed`: no dose is planned; each is made when it is taken. Taken sooner after the last one than so many hours, or
 * more often on one day, it asks first.
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

/** Taken as needed, with whole hours between two doses and a number of doses a day that ask when they are passed. */
export interface AsNeeded {
  readonly kind: 'as-needed';
  readonly minGapHours?: number | undefined;
  readonly maxPerDay?: number | undefined;
}

/** Whether its doses are planned at times of day; those of the other kinds follow from when doses are taken. */
export const hasTimes = ({ kind }: Pick<Frequency, 'kind'>): boolean =>
  kind !== 'after-last' && kind !== 'as-needed';

/** The dose changes by `step` (decimal text, with a sign) every so many weeks until it is `target`, and stays there. */
export interface Ramp {
  readonly start: string;
  readonly step: string;
  readonly everyWeeks: number;
  readonly target: string;
}

/** Weeks with doses and weeks without, in turn, the first week on beginning at the start date. */
export interface Course {
  readonly weeksOn: number;
  readonly weeksOff: number;
}

export const SCHEDULE_DOSE_UNITS = ['mg', 'mcg'] as const;
export type ScheduleDoseUnit = (typeof SCHEDULE_DOSE_UNITS)[number];

/** What decides when a schedule has a dose, and how much. */
export interface ScheduleRule {
  readonly frequency: Frequency;
  /** Times of day `HH:mm`, on the clock of the schedule's own zone, each once, in order. */
  readonly times: readonly string[];
  /** When the first dose of an `after-last` schedule is due; null or absent for other kinds. */
  readonly firstDueAt?: Date | null;
  /** IANA name. */
  readonly timeZone: string;
  /** First calendar day, YYYY-MM-DD. */
  readonly startDate: string;
  /** Last calendar day, itself included. */
  readonly endDate: string | null;
  /** Decimal text in `doseUnit`; a ramp takes its place. */
  readonly doseAmount: string;
  readonly doseUnit: ScheduleDoseUnit;
  readonly ramp: Ramp | null;
  readonly course: Course | null;
  /** Doses that are due at other times than the plan says, in the order of the changes; absent when there are none. */
  readonly moves?: readonly ScheduleMove[] | null;
  /** Days without doses, in their order, none twice; absent when there are none. */
  readonly pauses?: readonly PlannedPause[] | null;
  /** Other compounds, vials and doses from a day on, in the order of their days; absent when there are none. */
  readonly swaps?: readonly ScheduleSwap[] | null;
  /** It ends when the vial that it draws from is empty or discarded; after swaps, the vial of the last one. */
  readonly endsWithVial?: boolean;
  /** No dose is due from this instant on: the vial with which the schedule ends was used up then. */
  readonly stopsAt?: Date | null;
}

/** One dose of a schedule. Where its plan puts it names it: no two have the same calendar day and time of day there. */
export interface Occurrence {
  /** Calendar day of the schedule's zone that it belongs to, YYYY-MM-DD. */
  readonly localDay: string;
  /** Time of day as the schedule says it, also where the clock skips it. */
  readonly wallTime: string;
  /** Where its plan puts it, of a dose that was moved. */
  readonly movedFrom?: DoseKey | null;
  readonly dueDate: Date;
  /** Decimal text in the schedule's unit. */
  readonly doseAmount: string;
}

/**
 * How many steps lead from the start of a ramp to its target; the last may be shorter. Infinity if it never gets there.
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

/** How many of so many days since the start date are in weeks with doses: all of them without a course. */
function daysOn(course: Course | null, days: number): number {
  if (course === null) return days;
  const on = course.weeksOn * WEEK_DAYS;
  const round = on + course.weeksOff * WEEK_DAYS;
  return Math.floor(days / round) * on + Math.min(days % round, on);
}

/** The week since the start date that has so many weeks with doses before it, itself one of them. */
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
 * The dose of a week since the start date (0 for the first), as decimal text in the schedule's unit. A ramp rises with
 * the weeks that have doses: nobody gets used to a dose in weeks off.
 */
export function doseOfWeek(rule: DoseRule, week: number): string {
  return rampedDose(rule, daysOn(rule.course, week * WEEK_DAYS));
}

/** How many days with doses lie before a day since the start date, those of planned pauses left out. */
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
 * The dose that a schedule's plan has on a day (see `dayNumber`), as decimal text in its unit. Days of a planned pause do
 * not count towards the next step of a ramp, like weeks off.
 * @param dueDay the calendar day (YYYY-MM-DD) on which the dose is due, which decides what was swapped
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
