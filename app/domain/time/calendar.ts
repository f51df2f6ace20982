/** Lengths of time in milliseconds. */
export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** A calendar day (YYYY-MM-DD) counted in days from 1 January 1970. */
export function dayNumber(day: string): number {
  return Math.round(Date.parse(`${day}T00:00:00Z`) / DAY_MS);
}

/** The calendar day (YYYY-MM-DD) of a day number. */
export function dayText(number: number): string {
  return new Date(number * DAY_MS).toISOString().slice(0, 10);
}

/** 0 for Monday to 6 for Sunday. 1 January 1970 was a Thursday. */
export function weekdayIndex(number: number): number {
  return (((number + 3) % 7) + 7) % 7;
}

/** Minutes after midnight of a time of day `HH:mm`. */
export function minuteOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

// British English names. `Intl` gives the same, but takes a phone 10 ms for each format.
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];
const SHORT_MONTHS = MONTHS.map((name) => (name === 'September' ? 'Sept' : name.slice(0, 3)));

/** The names of a day. @throws RangeError for an invalid day */
function namesOf(day: string) {
  const number = dayNumber(day);
  if (Number.isNaN(number)) throw new RangeError(`"${day}" is no day`);
  const at = new Date(number * DAY_MS);
  const weekday = WEEKDAYS[weekdayIndex(number)] ?? '';
  const [month = '', shortMonth = ''] = [MONTHS[at.getUTCMonth()], SHORT_MONTHS[at.getUTCMonth()]];
  return { weekday, date: at.getUTCDate(), month, shortMonth, year: at.getUTCFullYear() };
}

/** A calendar day as people read it: "9 Mar 2026". @param day YYYY-MM-DD @throws RangeError */
export function shownDay(day: string): string {
  const { date, shortMonth, year } = namesOf(day);
  return `${date} ${shortMonth} ${year}`;
}

/** A calendar day in words: "Mon 9 Mar", with `long` "Monday 9 March 2026". @param day YYYY-MM-DD @throws RangeError */
export function dayLabel(day: string, long = false): string {
  const { weekday, date, month, shortMonth, year } = namesOf(day);
  return long ? `${weekday} ${date} ${month} ${year}` : `${weekday.slice(0, 3)} ${date} ${shortMonth}`;
}

/** The month of a day: "March 2026". @param day YYYY-MM-DD @throws RangeError */
export function monthLabel(day: string): string {
  const { month, year } = namesOf(day);
  return `${month} ${year}`;
}

/** "1 day", "12 days". */
export function countDays(days: number): string {
  return `${days} ${days === 1 ? 'day' : 'days'}`;
}

/** True for an existing day of the calendar written YYYY-MM-DD. */
export function isCalendarDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const midnight = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
}

/** The parts of a moment; turning it into an instant needs a time zone and, for a time alone, the current day. */
export type MomentText =
  | { kind: 'today'; time: string }
  | { kind: 'local'; day: string; time: string }
  | { kind: 'instant' };

/** A time of day, `HH:mm`. */
export const TIME_OF_DAY = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const INSTANT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|[+-]\d{2}:?\d{2})$/i;
const LOCAL = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d{1,3})?)?$/;

/** ISO 8601 calls the end of a day 24:00. Of a fraction only milliseconds count, as when it is read. */
const isClockTime = (time: string, seconds: string, fraction: string): boolean =>
  (TIME_OF_DAY.test(time) && seconds < '60') ||
  (time === '24:00' && Number(seconds) === 0 && Number(fraction.slice(0, 3)) === 0);

/**
 * Parses a moment: "2026-03-09T08:00" or "2026-03-09 08:00" in some time zone, "08:00" for today there, or an instant with
 * its offset ("2026-03-09T08:00:00Z"). Separate from `readMoment`, so that a form in the browser can check input without
 * time zone rules.
 * @returns null for anything else
 */
export function parseMoment(text: string): MomentText | null {
  const trimmed = text.trim();
  if (TIME_OF_DAY.test(trimmed)) return { kind: 'today', time: trimmed };
  const [, day = '', time = ''] = LOCAL.exec(trimmed) ?? [];
  if (day !== '') return isCalendarDay(day) && TIME_OF_DAY.test(time) ? { kind: 'local', day, time } : null;
  const [, date = '', clock = '', seconds = '00', fraction = '0'] = INSTANT.exec(trimmed) ?? [];
  return isCalendarDay(date) && isClockTime(clock, seconds, fraction) ? { kind: 'instant' } : null;
}
