import { Decimal } from '#app/domain/decimal/decimal.ts';

/** How often a schedule has doses. */
export const FREQUENCY_KINDS = [
  'daily',
  'weekdays',
  'interval',
  'cycle',
  'monthly',
  'after-last',
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
 */
export type Frequency =
  | { readonly kind: 'daily' }
  | { readonly kind: 'weekdays'; readonly weekdays: readonly Weekday[] }
  | { readonly kind: 'interval'; readonly every: number }
  | { readonly kind: 'cycle'; readonly on: number; readonly off: number }
  | { readonly kind: 'monthly'; readonly day: MonthDay }
  | { readonly kind: 'after-last'; readonly everyHours: number }
  | { readonly kind: 'once' };

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
}

/** One dose of a schedule. Calendar day and time of day name it; no two have the same. */
export interface Occurrence {
  /** Calendar day of the schedule's zone that it belongs to, YYYY-MM-DD. */
  readonly localDay: string;
  /** Time of day as the schedule says it, also where the clock skips it. */
  readonly wallTime: string;
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

/** How many weeks with doses lie before a week since the start date: all of them without a course. */
function weeksOnBefore(course: Course | null, week: number): number {
  if (course === null) return week;
  const round = course.weeksOn + course.weeksOff;
  return Math.floor(week / round) * course.weeksOn + Math.min(week % round, course.weeksOn);
}

/** The week since the start date that has so many weeks with doses before it, itself one of them. */
export function weekAfterWeeksOn(course: Course | null, weeksOn: number): number {
  if (course === null) return weeksOn;
  const round = course.weeksOn + course.weeksOff;
  return Math.floor(weeksOn / course.weeksOn) * round + (weeksOn % course.weeksOn);
}

/**
 * The dose of a week since the start date (0 for the first), as decimal text in the schedule's unit. A ramp rises with
 * the weeks that have doses: nobody gets used to a dose in weeks off.
 */
export function doseOfWeek(rule: Pick<ScheduleRule, 'ramp' | 'doseAmount' | 'course'>, week: number): string {
  if (rule.ramp === null) return rule.doseAmount;
  return rampDose(rule.ramp, Math.floor(weeksOnBefore(rule.course, week) / rule.ramp.everyWeeks));
}
