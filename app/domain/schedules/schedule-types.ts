/** How often a schedule has doses. */
export const FREQUENCY_KINDS = ['daily', 'weekdays', 'interval', 'cycle', 'once'] as const;
export type FrequencyKind = (typeof FREQUENCY_KINDS)[number];

/** Days of the week as the API names them, Monday first. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/**
 * `interval`: every so many days, counted from the start date. `cycle`: days on, days off, the first day on being the
 * start date. `once`: on the start date alone.
 */
export type Frequency =
  | { readonly kind: 'daily' }
  | { readonly kind: 'weekdays'; readonly weekdays: readonly Weekday[] }
  | { readonly kind: 'interval'; readonly every: number }
  | { readonly kind: 'cycle'; readonly on: number; readonly off: number }
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
