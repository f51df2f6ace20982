/** Milliseconds of the units whose length never changes. */
export const FIXED_UNITS: ReadonlyMap<string, number> = new Map([
  ['millisecond', 1],
  ['second', 1000],
  ['minute', 60_000],
  ['hour', 3_600_000],
]);

/** Months of the units that are made of months. */
export const MONTH_UNITS: ReadonlyMap<string, number> = new Map([
  ['month', 1],
  ['quarter', 3],
  ['year', 12],
]);

/** Milliseconds of a day. */
export const DAY = 86_400_000;

/** Local midnight-based milliseconds of a calendar date; parts out of range carry over. Months count from 1. */
export function fromParts(year: number, month: number, day: number, time = 0): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime() + time;
}

/** Days since 1970-01-01 of a local time. */
export function dayNumber(local: number): number {
  return Math.floor(local / DAY);
}

/** 1 for Monday to 7 for Sunday. */
export function isoWeekday(local: number): number {
  return ((((dayNumber(local) + 3) % 7) + 7) % 7) + 1;
}

/** 1 for the first of January. */
export function dayOfYear(local: number): number {
  return dayNumber(local) - dayNumber(fromParts(new Date(local).getUTCFullYear(), 1, 1)) + 1;
}

/** The week of the year, Sunday first; the days before the first Sunday are in week 0. */
export function weekOfYear(local: number): number {
  return Math.floor((dayOfYear(local) + 6 - (isoWeekday(local) % 7)) / 7);
}

/** Year and number of the ISO 8601 week, which belongs to the year that holds its Thursday. */
export function isoWeek(local: number): { year: number; week: number } {
  const thursday = (dayNumber(local) + 4 - isoWeekday(local)) * DAY;
  const year = new Date(thursday).getUTCFullYear();
  return { year, week: Math.floor((dayOfYear(thursday) - 1) / 7) + 1 };
}

/** The Monday of week 1 of an ISO year, as a day number. */
export function isoYearStart(year: number): number {
  const fourth = fromParts(year, 1, 4);
  return dayNumber(fourth) - isoWeekday(fourth) + 1;
}

/** Adds months to a local time; a day the month does not have becomes its last one. */
export function addMonths(local: number, months: number): number {
  const date = new Date(local);
  const target = date.getUTCFullYear() * 12 + date.getUTCMonth() + months;
  const year = Math.floor(target / 12);
  const month = target - year * 12 + 1;
  const last = new Date(fromParts(year, month + 1, 0)).getUTCDate();
  return fromParts(year, month, Math.min(date.getUTCDate(), last), ((local % DAY) + DAY) % DAY);
}
