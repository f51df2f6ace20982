import { EngineError } from '../../errors.ts';
import { dayOfYear, isoWeek, isoWeekday, weekOfYear } from './calendar.ts';
import { toLocal, type TimeZone } from './time-zone.ts';
import { check } from './types.ts';

/** Names of the months, January first. */
export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** The format of `$dateToString` when none is given. */
export const ISO_FORMAT = '%Y-%m-%dT%H:%M:%S.%LZ';

const SPECIFIERS = 'dGHjLmMSuUVwYzZ%bB';

/**
 * Checks a format for `$dateToString`.
 * @throws EngineError 18535, 18536
 */
export function checkFormat(format: string): void {
  for (let i = 0; i < format.length; i++) {
    if (format[i] !== '%') continue;
    const specifier = format[++i];
    if (specifier === undefined) throw new EngineError(18535, "Unmatched '%' at end of format string");
    if (!SPECIFIERS.includes(specifier)) {
      throw new EngineError(18536, `Invalid format character '%${specifier}' in format string`);
    }
  }
}

function pad(n: number, width: number): string {
  return String(n).padStart(width, '0');
}

function year(n: number): string {
  check(
    n >= 0 && n <= 9999,
    18537,
    () => `Could not convert date to string: date component was outside the supported range of 0-9999: ${n}`,
  );
  return pad(n, 4);
}

function offsetText(offset: number): string {
  const minutes = Math.trunc(Math.abs(offset) / 60_000);
  return `${offset < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60), 2)}${pad(minutes % 60, 2)}`;
}

function fieldText(specifier: string, local: number, offset: number): string {
  const date = new Date(local);
  switch (specifier) {
    case 'Y':
      return year(date.getUTCFullYear());
    case 'm':
      return pad(date.getUTCMonth() + 1, 2);
    case 'b':
      return (MONTHS[date.getUTCMonth()] as string).slice(0, 3);
    case 'B':
      return MONTHS[date.getUTCMonth()] as string;
    case 'd':
      return pad(date.getUTCDate(), 2);
    case 'H':
      return pad(date.getUTCHours(), 2);
    case 'M':
      return pad(date.getUTCMinutes(), 2);
    case 'S':
      return pad(date.getUTCSeconds(), 2);
    case 'L':
      return pad(date.getUTCMilliseconds(), 3);
    case 'j':
      return pad(dayOfYear(local), 3);
    case 'w':
      return String((isoWeekday(local) % 7) + 1);
    case 'u':
      return String(isoWeekday(local));
    case 'U':
      return pad(weekOfYear(local), 2);
    case 'V':
      return pad(isoWeek(local).week, 2);
    case 'G':
      return year(isoWeek(local).year);
    case 'z':
      return offsetText(offset);
    case 'Z':
      return String(Math.trunc(offset / 60_000));
    default:
      return '%';
  }
}

/** A date as text under a checked format. */
export function formatDate(date: Date, format: string, zone: TimeZone): string {
  const utc = date.getTime();
  const local = toLocal(utc, zone);
  return format.replace(/%(.)/gs, (_, specifier: string) => fieldText(specifier, local, local - utc));
}
