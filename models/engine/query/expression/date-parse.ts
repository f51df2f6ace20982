import { EngineError, unsupported } from '../../errors.ts';
import { DAY, fromParts, isoYearStart } from './calendar.ts';
import { MONTHS } from './date-format.ts';
import { timeZone, toUtc, type TimeZone } from './time-zone.ts';

const ISO =
  /^\s*(\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?\s*$/i;

function failure(text: string, reason: string): EngineError {
  return new EngineError('ConversionFailure', `Error parsing date string '${text}'; ${reason}`);
}

interface Fields {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  millisecond: number;
  zone: TimeZone | undefined;
}

function isReal(f: Fields): boolean {
  const last = new Date(fromParts(f.year, f.month + 1, 0)).getUTCDate();
  return (
    f.month >= 1 &&
    f.month <= 12 &&
    f.day >= 1 &&
    f.day <= last &&
    f.hour < 24 &&
    f.minute < 60 &&
    f.second < 60
  );
}

function instant(f: Fields, text: string, zone: TimeZone): Date {
  if (!isReal(f)) throw failure(text, 'the parsed date was invalid');
  if (f.zone && zone.id !== 'UTC') {
    throw failure(
      text,
      `you cannot pass in a date/time string with time zone information together with a timezone argument`,
    );
  }
  const local =
    fromParts(f.year, f.month, f.day) + ((f.hour * 60 + f.minute) * 60 + f.second) * 1000 + f.millisecond;
  return new Date(toUtc(local, f.zone ?? zone));
}

function zoneFrom(text: string | undefined): TimeZone | undefined {
  return text === undefined ? undefined : timeZone(text.toUpperCase());
}

function millisecondsFrom(fraction: string | undefined): number {
  return fraction === undefined ? 0 : Number(fraction.padEnd(3, '0').slice(0, 3));
}

/**
 * Reads a date without a format: ISO 8601 with the usual liberties. Other notations, which MongoDB may understand, are
 * refused rather than guessed.
 * @throws EngineError ConversionFailure, CommandNotSupported
 */
export function parseDateText(text: string, zone: TimeZone): Date {
  const found = ISO.exec(text);
  if (!found) {
    if (!/\d/.test(text)) throw failure(text, 'an incomplete date/time string has been found');
    throw unsupported(`reading the date '${text}', which is not ISO 8601,`);
  }
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction, offset] = found;
  const fields = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    millisecond: millisecondsFrom(fraction),
    zone: zoneFrom(offset),
  };
  return instant(fields, text, zone);
}

const SOURCES: ReadonlyMap<string, string> = new Map([
  ['Y', '(\\d{4})'],
  ['G', '(\\d{4})'],
  ['m', '(\\d{1,2})'],
  ['d', '(\\d{1,2})'],
  ['H', '(\\d{1,2})'],
  ['M', '(\\d{1,2})'],
  ['S', '(\\d{1,2})'],
  ['L', '(\\d{1,3})'],
  ['j', '(\\d{1,3})'],
  ['V', '(\\d{1,2})'],
  ['u', '([1-7])'],
  ['z', '(Z|[+-]\\d{2}:?\\d{2})'],
  ['Z', '([+-]?\\d{1,4})'],
  ['b', '([A-Za-z]{3})'],
  ['B', '([A-Za-z]{3,9})'],
]);

function patternOf(format: string): { regex: RegExp; specifiers: string[] } {
  const specifiers: string[] = [];
  const source = format.replace(/%(.?)|[\\^$.*+?()[\]{}|/]/gs, (token, specifier?: string) => {
    if (!token.startsWith('%')) return `\\${token}`;
    if (specifier === '%') return '%';
    const part = SOURCES.get(specifier ?? '');
    if (!part) {
      if (!specifier) throw new EngineError(18535, "Unmatched '%' at end of format string");
      throw new EngineError(18536, `Invalid format character '%${specifier}' in format string`);
    }
    specifiers.push(specifier as string);
    return part;
  });
  return { regex: new RegExp(`^${source}$`, 's'), specifiers };
}

function monthFrom(name: string, text: string): number {
  const index = MONTHS.findIndex((month) => month.toLowerCase().startsWith(name.toLowerCase()));
  if (index < 0) throw failure(text, 'the parsed month was invalid');
  return index + 1;
}

function minutesZone(minutes: number): TimeZone {
  return { id: `${minutes}`, offsetAt: () => minutes * 60_000 };
}

function dateOfWeek(values: ReadonlyMap<string, string>): { year: number; month: number; day: number } {
  const days = isoYearStart(Number(values.get('G'))) + (Number(values.get('V') ?? 1) - 1) * 7;
  const date = new Date((days + Number(values.get('u') ?? 1) - 1) * DAY);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

function dateFields(
  values: ReadonlyMap<string, string>,
  text: string,
): { year: number; month: number; day: number } {
  if (values.has('G')) return dateOfWeek(values);
  if (!values.has('Y'))
    throw failure(text, 'an incomplete date/time string has been found, with elements missing');
  const year = Number(values.get('Y'));
  const ordinal = values.get('j');
  if (ordinal !== undefined) {
    const date = new Date(fromParts(year, 1, Number(ordinal)));
    return { year, month: date.getUTCMonth() + 1, day: date.getUTCDate() };
  }
  const name = values.get('b') ?? values.get('B');
  const month = name === undefined ? values.get('m') : monthFrom(name, text);
  const day = values.get('d');
  if (month === undefined || day === undefined) {
    throw failure(text, 'an incomplete date/time string has been found, with elements missing');
  }
  return { year, month: Number(month), day: Number(day) };
}

/**
 * Checks a format for `$dateFromString`.
 * @throws EngineError 18535, 18536
 */
export function checkParseFormat(format: string): void {
  patternOf(format);
}

/**
 * Reads a date under a format.
 * @throws EngineError ConversionFailure
 */
export function parseDateFormat(text: string, format: string, zone: TimeZone): Date {
  const { regex, specifiers } = patternOf(format);
  const found = regex.exec(text);
  if (!found) throw failure(text, 'the string does not match the format');
  const values = new Map(
    specifiers.map((specifier, i): [string, string] => [specifier, found[i + 1] as string]),
  );
  const offset = values.get('Z');
  const fields = {
    ...dateFields(values, text),
    hour: Number(values.get('H') ?? 0),
    minute: Number(values.get('M') ?? 0),
    second: Number(values.get('S') ?? 0),
    millisecond: millisecondsFrom(values.get('L')),
    zone: offset === undefined ? zoneFrom(values.get('z')) : minutesZone(Number(offset)),
  };
  return instant(fields, text, zone);
}
