import { EngineError } from '../../errors.ts';
import { DAY, FIXED_UNITS, MONTH_UNITS, addMonths, dayNumber, fromParts, isoWeekday } from './calendar.ts';
import { toLocal, toUtc, type TimeZone } from './time-zone.ts';
import { check, nameOf } from './types.ts';

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

function isUnit(unit: string): boolean {
  return FIXED_UNITS.has(unit) || MONTH_UNITS.has(unit) || unit === 'day' || unit === 'week';
}

function unitFrom(unit: unknown, op: string): string {
  check(
    typeof unit === 'string',
    5439013,
    () => `${op} requires 'unit' to be a string, but got ${nameOf(unit)}`,
  );
  check(
    isUnit(unit),
    5439014,
    () => `${op} parameter 'unit' value cannot be recognized as a time unit: ${unit}`,
  );
  return unit;
}

/** 1 for Monday to 7 for Sunday, from a name or its first three letters. */
function weekdayFrom(name: unknown, op: string): number {
  check(
    typeof name === 'string',
    5439015,
    () => `${op} requires 'startOfWeek' to be a string, but got ${nameOf(name)}`,
  );
  const lower = name.toLowerCase();
  const index = WEEKDAYS.findIndex((day) => day === lower || day.slice(0, 3) === lower);
  check(
    index >= 0,
    5439016,
    () => `${op} parameter 'startOfWeek' value cannot be recognized as a day of a week: ${name}`,
  );
  return index + 1;
}

/**
 * Adds units to an instant. Days and longer units follow the local calendar, shorter ones the clock of UTC.
 * @throws EngineError FailedToParse for an unknown unit
 */
export function addUnits(utc: number, unit: string, amount: number, zone: TimeZone): number {
  const fixed = FIXED_UNITS.get(unit);
  if (fixed !== undefined) return utc + amount * fixed;
  if (!isUnit(unit)) throw new EngineError('FailedToParse', `unknown time unit value: ${unit}`);
  const local = toLocal(utc, zone);
  const months = MONTH_UNITS.get(unit);
  const moved =
    months === undefined
      ? local + amount * (unit === 'week' ? 7 : 1) * DAY
      : addMonths(local, amount * months);
  return toUtc(moved, zone);
}

function monthNumber(local: number): number {
  const date = new Date(local);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** The number of the week a day is in, when weeks begin on a given day. */
function weekNumber(local: number, firstDay: number): number {
  return Math.floor((dayNumber(local) + 3 - (firstDay - 1)) / 7);
}

/** How many boundaries of a unit lie between two instants. */
export function differenceIn(
  from: number,
  to: number,
  unitValue: unknown,
  zone: TimeZone,
  startOfWeek: unknown,
  op: string,
): number {
  const unit = unitFrom(unitValue, op);
  const [a, b] = [toLocal(from, zone), toLocal(to, zone)];
  const fixed = FIXED_UNITS.get(unit);
  if (fixed !== undefined) {
    const shift = b - to - (a - from);
    return Math.floor(b / fixed) - Math.floor(a / fixed) - Math.trunc(shift / fixed);
  }
  const months = MONTH_UNITS.get(unit);
  if (months !== undefined) return Math.floor(monthNumber(b) / months) - Math.floor(monthNumber(a) / months);
  if (unit === 'day') return dayNumber(b) - dayNumber(a);
  const first = weekdayFrom(startOfWeek, op);
  return weekNumber(b, first) - weekNumber(a, first);
}

const REFERENCE = fromParts(2000, 1, 1);

function truncateDays(local: number, size: number, reference: number): number {
  const days = dayNumber(local) - dayNumber(reference);
  return (dayNumber(reference) + Math.floor(days / size) * size) * DAY;
}

/** The start of the bin an instant is in; bins count from the beginning of the year 2000 in the zone. */
export function truncateTo(
  utc: number,
  unitValue: unknown,
  binSize: number,
  zone: TimeZone,
  startOfWeek: unknown,
  op: string,
): number {
  const unit = unitFrom(unitValue, op);
  const fixed = FIXED_UNITS.get(unit);
  if (fixed !== undefined) {
    const reference = toUtc(REFERENCE, zone);
    return reference + Math.floor((utc - reference) / (fixed * binSize)) * fixed * binSize;
  }
  const local = toLocal(utc, zone);
  const months = MONTH_UNITS.get(unit);
  if (months !== undefined) {
    const size = months * binSize;
    const since = monthNumber(local) - 2000 * 12;
    return toUtc(addMonths(REFERENCE, Math.floor(since / size) * size), zone);
  }
  if (unit === 'day') return toUtc(truncateDays(local, binSize, REFERENCE), zone);
  const first = weekdayFrom(startOfWeek, op);
  const ahead = (first - isoWeekday(REFERENCE) + 7) % 7;
  return toUtc(truncateDays(local, 7 * binSize, REFERENCE + ahead * DAY), zone);
}
