import { MINUTE_MS } from '#app/domain/time/calendar.ts';
import { instantOfWallTime, localDateTime } from '#app/domain/time/zoned-time.ts';

/** An instant as a phone wrote it, and how far its clock was from UTC, in minutes: days are counted by that clock. */
export interface PhoneTime {
  /** Milliseconds since 1970. */
  at: number;
  offset: number;
}

/**
 * `2024-02-06 14:30:00 -0800` as Apple Health and Health Auto Export write it, the latter also with a clock of twelve
 * hours; ISO 8601 as Health Connect's tools do.
 */
const TIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:[\s\u202f]?([AP])M)?\s?(Z|[+-]\d\d:?\d\d)?)?$/i;

function offsetOf(zone: string): number {
  if (zone.toUpperCase() === 'Z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/** How far a zone's clock is from UTC at an instant, in minutes. */
export function zoneOffset(at: number, timeZone: string): number {
  // The local time has no seconds.
  const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS;
  const local = Date.parse(`${localDateTime(new Date(minute), timeZone).replace(' ', 'T')}Z`);
  return Math.round((local - minute) / MINUTE_MS);
}

function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  return (hour % 12) + (half.toUpperCase() === 'P' ? 12 : 0);
}

/**
 * Reads a time of a phone's file.
 * @param timeZone of a time that names none
 * @returns null for anything else, or for a day that the calendar does not have
 */
export function readPhoneTime(text: string, timeZone: string): PhoneTime | null {
  const match = TIME.exec(text);
  if (match === null) return null;
  const [, year, month, day, hours = '0', minutes = '00', seconds = '0', fraction = '', half, zone] = match;
  const hour = hourOf(Number(hours), half);
  const wall = Date.UTC(Number(year), Number(month) - 1, Number(day), hour, Number(minutes), Number(seconds));
  const isReal =
    new Date(wall).getUTCDate() === Number(day) && hour < 24 && Number(minutes) < 60 && Number(seconds) < 60;
  if (!isReal) return null;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  if (zone !== undefined) {
    const offset = offsetOf(zone);
    return Math.abs(offset) > 18 * 60 ? null : { at: wall - offset * MINUTE_MS + milliseconds, offset };
  }
  const clock = `${String(hour).padStart(2, '0')}:${minutes}`;
  const at =
    instantOfWallTime(`${year}-${month}-${day}`, clock, timeZone).getTime() +
    Number(seconds) * 1000 +
    milliseconds;
  return { at, offset: zoneOffset(at, timeZone) };
}
