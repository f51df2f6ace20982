import { DateTime } from 'luxon';

/** From the first instant (included) to the end (excluded); an absent side is open. */
export interface InstantRange {
  from: Date | null;
  before: Date | null;
}

/** The calendar day (YYYY-MM-DD) that an instant falls on in a zone. */
export function calendarDay(instant: Date, timeZone: string): string {
  return DateTime.fromJSDate(instant, { zone: timeZone }).toFormat('yyyy-MM-dd');
}

/** The calendar day that many days before another. */
export function daysBefore(day: string, days: number): string {
  return DateTime.fromISO(day, { zone: 'utc' }).minus({ days }).toFormat('yyyy-MM-dd');
}

/**
 * The instants that fall on the days `first` to `last` in a zone, both days included. Days are those of the calendar:
 * one of 23 or 25 hours at a clock change counts whole.
 */
export function instantsOfDays(first: string | null, last: string | null, timeZone: string): InstantRange {
  const startOf = (day: string) => DateTime.fromISO(day, { zone: timeZone }).startOf('day');
  return {
    from: first === null ? null : startOf(first).toJSDate(),
    before: last === null ? null : startOf(last).plus({ days: 1 }).startOf('day').toJSDate(),
  };
}

/** An instant as date and time of a zone: "2026-03-09 08:30". */
export function localDateTime(instant: Date, timeZone: string): string {
  return DateTime.fromJSDate(instant, { zone: timeZone }).toFormat('yyyy-MM-dd HH:mm');
}

/** An instant as the wall-clock time that a form's date-and-time control holds: "2026-03-09T08:30". */
export function momentField(instant: Date, timeZone: string): string {
  return DateTime.fromJSDate(instant, { zone: timeZone }).toFormat("yyyy-MM-dd'T'HH:mm");
}

/** The calendar day that many days after another. */
export function dayAfter(day: string, days: number): string {
  return daysBefore(day, -days);
}

/** Whole calendar days from one day (YYYY-MM-DD) to another; below zero when the second is earlier. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000;
}
