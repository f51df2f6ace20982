import { daysBefore } from '#app/domain/time/zoned-time.ts';

/** Periods that the analytics page offers, in days up to and with today. */
export const PERIODS = [30, 90, 180, 365] as const;
export type PeriodDays = (typeof PERIODS)[number];

const DEFAULT_PERIOD: PeriodDays = 90;

/** Calendar days, both included. */
export interface Period {
  first: string;
  last: string;
}

/** The period of an address; an unknown one is the default. */
export function readPeriod(text: string | null): PeriodDays {
  return PERIODS.find((days) => String(days) === text) ?? DEFAULT_PERIOD;
}

/** So many days up to and with `today`. */
export function periodUpTo(today: string, days: PeriodDays): Period {
  return { first: daysBefore(today, days - 1), last: today };
}

/** Every day of a period, in order. */
export function daysOf({ first, last }: Period): string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = daysBefore(day, -1)) days.push(day);
  return days;
}

/** A few days of a period to write under a chart: both ends and what is between, evenly spread. */
export function labelDays(days: readonly string[], most = 4): string[] {
  const count = Math.min(most, days.length);
  const places = Array.from({ length: count }, (_, index) =>
    count === 1 ? 0 : Math.round((index * (days.length - 1)) / (count - 1)),
  );
  return places.map((place) => days[place] ?? '');
}

/** Periods of a level curve up to now, in days: some compounds come and go within an hour, others last for weeks. */
export const LEVEL_DAYS = [1, 3, 7, 14, 30, 90, 180, 365] as const;
type LevelDays = (typeof LEVEL_DAYS)[number];

/** The period of an address; null for none, or one that is not offered. */
export function readLevelDays(text: string | null): LevelDays | null {
  return LEVEL_DAYS.find((days) => String(days) === text) ?? null;
}

/** A curve goes on no further beyond now, in days. */
export const MOST_DAYS_AHEAD = 7;

/** How far a curve goes on beyond now, in days: long enough for a few of the upcoming doses. */
export function daysAhead(days: number): number {
  return Math.min(MOST_DAYS_AHEAD, Math.max(1, Math.round(days / 5)));
}

/** So many half-lives can be told apart in one picture. */
const HALF_LIVES_SHOWN = 40;

/**
 * The period that shows a compound's rise and fall: long enough for some of its half-lives, short enough that a dose is
 * more than a line. 90 days at most, to begin with.
 * @param slowestHours the half-life, or the half-time of absorption where that is longer
 */
export function fittingDays(slowestHours: number): LevelDays {
  const shown = (slowestHours * HALF_LIVES_SHOWN) / 24;
  return LEVEL_DAYS.find((days) => days >= Math.max(3, Math.min(shown, 90))) ?? 90;
}
