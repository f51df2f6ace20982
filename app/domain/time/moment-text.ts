import { isCalendarDay } from './calendar-day.ts';

/** What a text says about a moment; which instant that is follows from a zone and, for a time alone, from the day. */
export type MomentText =
  { kind: 'today'; time: string } | { kind: 'local'; day: string; time: string } | { kind: 'instant' };

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const INSTANT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|[+-]\d{2}:?\d{2})$/i;
const LOCAL = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d{1,3})?)?$/;

/** ISO 8601 calls the end of a day 24:00. */
const isClockTime = (time: string, seconds: string, fraction: string): boolean =>
  (TIME.test(time) && seconds < '60') ||
  (time === '24:00' && Number(seconds) === 0 && Number(fraction) === 0);

/**
 * Reads the form of a moment as people and machines write it: "2026-03-09T08:00" or "2026-03-09 08:00" on some zone's
 * clocks, "08:00" for today there, or an instant with its offset ("2026-03-09T08:00:00Z"). Apart from `readMoment`, so
 * that a form in the browser can check what was typed without the rules of time zones.
 * @returns null when it is none of these
 */
export function parseMoment(text: string): MomentText | null {
  const trimmed = text.trim();
  if (TIME.test(trimmed)) return { kind: 'today', time: trimmed };
  const [, day = '', time = ''] = LOCAL.exec(trimmed) ?? [];
  if (day !== '') return isCalendarDay(day) && TIME.test(time) ? { kind: 'local', day, time } : null;
  const [, date = '', clock = '', seconds = '00', fraction = '0'] = INSTANT.exec(trimmed) ?? [];
  return isCalendarDay(date) && isClockTime(clock, seconds, fraction) ? { kind: 'instant' } : null;
}
