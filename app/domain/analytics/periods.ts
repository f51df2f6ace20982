import { daysBefore } from '#app/domain/time/zoned-time.ts';

/** Periods that the analytics page offers, in days up to and including today. */
export const PERIODS = [30, 90, 180, 365] as const;
export type PeriodDays = (typeof PERIODS)[number];

const DEFAULT_PERIOD: PeriodDays = 90;

/** Calendar days, both inclusive. */
export interface Period {
  first: string;
  last: string;
}

/** The period in a query parameter; the default for an unknown one. */
export function readPeriod(text: string | null): PeriodDays {
  return PERIODS.find((days) => String(days) === text) ?? DEFAULT_PERIOD;
}

/** The period of this many days up to and including `today`. */
export function periodUpTo(today: string, days: PeriodDays): Period {
  return { first: daysBefore(today, days - 1), last: today };
}

/** Every day of a period, in order. */
export function daysOf({ first, last }: Period): string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = daysBefore(day, -1)) days.push(day);
  return days;
}

/** A few evenly spread days for the labels under a chart, including both ends. */
export function labelDays(days: readonly string[], most = 4): string[] {
  const count = Math.min(most, days.length);
  const places = Array.from({ length: count }, (_, index) =>
    count === 1 ? 0 : Math.round((index * (days.length - 1)) / (count - 1)),
  );
  return places.map((place) => days[place] ?? '');
}

/** Periods of a level curve up to now, in days: some compounds last less than an hour, others for weeks. */
export const LEVEL_DAYS = [1, 3, 7, 14, 30, 90, 180, 365] as const;
type LevelDays = (typeof LEVEL_DAYS)[number];

/** The period in a query parameter; null if it is missing or not offered. */
export function readLevelDays(text: string | null): LevelDays | null {
  return LEVEL_DAYS.find((days) => String(days) === text) ?? null;
}

/** The most days that a curve extends beyond now. */
export const MOST_DAYS_AHEAD = 7;

/** How many days a curve extends beyond now, to show a few of the planned doses. */
export function daysAhead(days: number): number {
  return Math.min(MOST_DAYS_AHEAD, Math.max(1, Math.round(days / 5)));
}

/** How many half-lives can be told apart in one chart. */
const HALF_LIVES_SHOWN = 40;

/**
 * The period that shows a compound's rise and fall: long enough for several half-lives, short enough to see each dose. At
 * most 90 days.
 * @param slowestHours the half-life, or the half-time of absorption if that is longer
 */
export function fittingDays(slowestHours: number): LevelDays {
  const shown = (slowestHours * HALF_LIVES_SHOWN) / 24;
  return LEVEL_DAYS.find((days) => days >= Math.max(3, Math.min(shown, 90))) ?? 90;
}
