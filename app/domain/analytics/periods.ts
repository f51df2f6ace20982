import { daysBefore } from '#app/domain/time/zoned-time.ts';

/** Periods that the analytics page offers, in days up to and with today. */
export const PERIODS = [30, 90, 180, 365] as const;
export type PeriodDays = (typeof PERIODS)[number];

export const DEFAULT_PERIOD: PeriodDays = 90;

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
