import { exactLong } from '../../values/integers.ts';
import { showValue } from '../../values/show.ts';
import { Long, Timestamp, isDocument, type Document } from '../../values/types.ts';
import { makeDate } from './arithmetic.ts';
import { DAY, dayOfYear, fromParts, isoWeek, isoWeekday, isoYearStart, weekOfYear } from './calendar.ts';
import { dateFrom, zoneOf, type Arguments } from './date-values.ts';
import { compileArguments, namedArguments, valueOf, type ArgumentRules } from './named-arguments.ts';
import { toLocal, toUtc } from './time-zone.ts';
import { check, isNullish, nameOf, operators, type Build, type Scope } from './types.ts';

function partArguments(spec: unknown, op: string): Document {
  if (isDocument(spec) && Object.keys(spec)[0]?.startsWith('$') !== true) {
    for (const key of Object.keys(spec)) {
      check(key === 'date' || key === 'timezone', 40535, () => `unrecognized option to ${op}: "${key}"`);
    }
    check(
      Object.hasOwn(spec, 'date'),
      40539,
      () => `missing 'date' argument to ${op}, provided: ${op}: ${showValue(spec)}`,
    );
    return spec;
  }
  const operands = Array.isArray(spec) ? spec : [spec];
  check(
    operands.length === 1,
    40536,
    () => `${op} accepts exactly one argument if given an array, but was given ${operands.length}`,
  );
  return { date: operands[0] };
}

const part =
  (read: (local: number) => unknown): Build =>
  (spec, c, op) => {
    const args = compileArguments(partArguments(spec, op), c);
    return (scope) => {
      const value = valueOf(args, 'date', scope);
      if (isNullish(value)) return null;
      const date = dateFrom(value);
      const zone = zoneOf(args, scope);
      return zone ? read(toLocal(date.getTime(), zone)) : null;
    };
  };

const TO_PARTS: ArgumentRules = {
  required: ['date'],
  optional: ['timezone', 'iso8601'],
  notObject: [40524, () => '$dateToParts only supports an object as its argument'],
  unknown: [40520, (name) => `Unrecognized argument to $dateToParts: ${name}`],
  missing: { date: [40522, "Missing 'date' parameter to $dateToParts"] },
};

const dateToParts: Build = (spec, c) => {
  const args = compileArguments(namedArguments(spec, TO_PARTS), c);
  return (scope) => {
    const value = valueOf(args, 'date', scope);
    const zone = zoneOf(args, scope);
    const iso = args.has('iso8601') ? valueOf(args, 'iso8601', scope) : false;
    if (!zone || isNullish(iso)) return null;
    check(typeof iso === 'boolean', 40521, () => `iso8601 must evaluate to a bool, found ${nameOf(iso)}`);
    if (isNullish(value)) return null;
    const local = toLocal(dateFrom(value).getTime(), zone);
    const date = new Date(local);
    const day = iso
      ? { isoWeekYear: isoWeek(local).year, isoWeek: isoWeek(local).week, isoDayOfWeek: isoWeekday(local) }
      : { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
    return {
      ...day,
      hour: date.getUTCHours(),
      minute: date.getUTCMinutes(),
      second: date.getUTCSeconds(),
      millisecond: date.getUTCMilliseconds(),
    };
  };
};

const FROM_PARTS: ArgumentRules = {
  required: [],
  optional: [
    ...['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond'],
    ...['isoWeekYear', 'isoWeek', 'isoDayOfWeek', 'timezone'],
  ],
  notObject: [40519, () => '$dateFromParts only supports an object as its argument'],
  unknown: [40518, (name) => `Unrecognized argument to $dateFromParts: ${name}`],
  missing: {},
};

/** A part as a number, its default when not given, `undefined` for null. */
function partValue(
  args: Arguments,
  scope: Scope,
  name: string,
  initial: number,
  bounded: boolean,
): number | undefined {
  if (!args.has(name)) return initial;
  const value = valueOf(args, name, scope);
  if (isNullish(value)) return undefined;
  const n = exactLong(value);
  check(
    n !== undefined,
    40515,
    () => `'${name}' must evaluate to an integer, found ${nameOf(value)} with value ${showValue(value)}`,
  );
  check(
    !bounded || (n >= -32768n && n <= 32767n),
    31034,
    () => `'${name}' must evaluate to a value in the range [-32768, 32767]; value ${n} is not in range`,
  );
  return Number(n);
}

function partYear(args: Arguments, scope: Scope, name: string, code: number): number | undefined {
  const year = partValue(args, scope, name, 1970, false);
  check(
    year === undefined || (year >= 1 && year <= 9999),
    code,
    () => `'${name}' must evaluate to an integer in the range 1 to 9999, found ${year}`,
  );
  return year;
}

function dayFromParts(args: Arguments, scope: Scope): number | undefined {
  const iso = args.has('isoWeekYear');
  const middle = partValue(args, scope, iso ? 'isoWeek' : 'month', 1, true);
  const day = partValue(args, scope, iso ? 'isoDayOfWeek' : 'day', 1, true);
  const year = partYear(args, scope, iso ? 'isoWeekYear' : 'year', iso ? 31095 : 40523);
  if (year === undefined || middle === undefined || day === undefined) return undefined;
  return iso ? (isoYearStart(year) + (middle - 1) * 7 + day - 1) * DAY : fromParts(year, middle, day);
}

const dateFromParts: Build = (spec, c) => {
  const given = namedArguments(spec, FROM_PARTS);
  const has = (name: string): boolean => Object.hasOwn(given, name);
  check(
    has('year') || has('isoWeekYear'),
    40516,
    () => "$dateFromParts requires either 'year' or 'isoWeekYear' to be present",
  );
  const mixed = has('isoWeekYear') || has('isoWeek') || has('isoDayOfWeek');
  check(
    !(has('year') && mixed),
    40489,
    () => '$dateFromParts does not allow mixing natural dates with ISO dates',
  );
  check(
    !(has('isoWeekYear') && (has('month') || has('day'))),
    40525,
    () => '$dateFromParts does not allow mixing ISO dates with natural dates',
  );
  const args = compileArguments(given, c);
  return (scope) => {
    const hour = partValue(args, scope, 'hour', 0, true);
    const minute = partValue(args, scope, 'minute', 0, true);
    const second = partValue(args, scope, 'second', 0, false);
    const milli = partValue(args, scope, 'millisecond', 0, false);
    const zone = zoneOf(args, scope);
    if (hour === undefined || minute === undefined || second === undefined || milli === undefined || !zone)
      return null;
    const day = dayFromParts(args, scope);
    if (day === undefined) return null;
    return makeDate(toUtc(day + ((hour * 60 + minute) * 60 + second) * 1000 + milli, zone), '$dateFromParts');
  };
};

function timestampPart(name: string, code: number, read: (value: Timestamp) => number): Build {
  return (spec, c) => {
    const operand = c.compile(Array.isArray(spec) && spec.length === 1 ? spec[0] : spec, c);
    return (scope) => {
      const value = operand(scope);
      if (isNullish(value)) return null;
      check(
        value instanceof Timestamp,
        code,
        () => ` Argument to ${name} must be a timestamp, but is ${nameOf(value)}`,
      );
      return Long.fromNumber(read(value));
    };
  };
}

/** The parts of dates, apart and put together. */
export const datePartOperators = operators({
  $year: part((local) => new Date(local).getUTCFullYear()),
  $month: part((local) => new Date(local).getUTCMonth() + 1),
  $dayOfMonth: part((local) => new Date(local).getUTCDate()),
  $hour: part((local) => new Date(local).getUTCHours()),
  $minute: part((local) => new Date(local).getUTCMinutes()),
  $second: part((local) => new Date(local).getUTCSeconds()),
  $millisecond: part((local) => new Date(local).getUTCMilliseconds()),
  $dayOfYear: part(dayOfYear),
  $dayOfWeek: part((local) => (isoWeekday(local) % 7) + 1),
  $isoDayOfWeek: part(isoWeekday),
  $week: part(weekOfYear),
  $isoWeek: part((local) => isoWeek(local).week),
  $isoWeekYear: part((local) => Long.fromNumber(isoWeek(local).year)),
  $dateToParts: dateToParts,
  $dateFromParts: dateFromParts,
  $tsSecond: timestampPart('$tsSecond', 5687301, (value) => value.t),
  $tsIncrement: timestampPart('$tsIncrement', 5687302, (value) => value.i),
});
