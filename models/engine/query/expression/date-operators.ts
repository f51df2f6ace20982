import { EngineError } from '../../errors.ts';
import { exactLong, truncateToLong } from '../../values/integers.ts';
import { showValue } from '../../values/show.ts';
import { Long } from '../../values/types.ts';
import { makeDate } from './arithmetic.ts';
import { addUnits, differenceIn, truncateTo } from './date-arithmetic.ts';
import { ISO_FORMAT, checkFormat, formatDate } from './date-format.ts';
import { checkParseFormat, parseDateFormat, parseDateText } from './date-parse.ts';
import { asDate, dateFrom, zoneOf, type Arguments } from './date-values.ts';
import { compileArguments, namedArguments, valueOf, type ArgumentRules } from './named-arguments.ts';
import type { TimeZone } from './time-zone.ts';
import { check, isNullish, nameOf, operators, type Build, type Scope } from './types.ts';

const TO_STRING: ArgumentRules = {
  required: ['date'],
  optional: ['format', 'timezone', 'onNull'],
  notObject: [18629, () => '$dateToString only supports an object as its argument'],
  unknown: [18534, (name) => `Unrecognized argument to $dateToString: ${name}`],
  missing: { date: [18628, "Missing 'date' parameter to $dateToString"] },
};

function formatOf(
  args: Arguments,
  scope: Scope,
  op: string,
  code: number,
  checkIt: (format: string) => void,
): string | null {
  if (!args.has('format')) return op === '$dateToString' ? ISO_FORMAT : '';
  const format = valueOf(args, 'format', scope);
  if (isNullish(format)) return null;
  check(
    typeof format === 'string',
    code,
    () =>
      `${op} requires that 'format' be a string, found: ${nameOf(format)} with value ${showValue(format)}`,
  );
  checkIt(format);
  return format;
}

const dateToString: Build = (spec, c, op) => {
  const args = compileArguments(namedArguments(spec, TO_STRING), c);
  return (scope) => {
    const value = valueOf(args, 'date', scope);
    const format = formatOf(args, scope, op, 18533, checkFormat);
    const zone = zoneOf(args, scope);
    if (isNullish(value)) return args.has('onNull') ? valueOf(args, 'onNull', scope) : null;
    return zone && format !== null ? formatDate(dateFrom(value), format, zone) : null;
  };
};

const FROM_STRING: ArgumentRules = {
  required: ['dateString'],
  optional: ['format', 'timezone', 'onNull', 'onError'],
  notObject: [40540, (found) => `$dateFromString only supports an object as an argument, found: ${found}`],
  unknown: [40541, (name) => `Unrecognized argument to $dateFromString: ${name}`],
  missing: { dateString: [40542, "Missing 'dateString' parameter to $dateFromString"] },
};

function readDate(text: unknown, format: string, zone: TimeZone): Date {
  check(
    typeof text === 'string',
    'ConversionFailure',
    () =>
      `$dateFromString requires that 'dateString' be a string, found: ${nameOf(text)} with value ${showValue(text)}`,
  );
  return format === '' ? parseDateText(text, zone) : parseDateFormat(text, format, zone);
}

const dateFromString: Build = (spec, c, op) => {
  const args = compileArguments(namedArguments(spec, FROM_STRING), c);
  return (scope) => {
    const text = valueOf(args, 'dateString', scope);
    const format = formatOf(args, scope, op, 40684, checkParseFormat);
    const zone = zoneOf(args, scope);
    if (isNullish(text)) return args.has('onNull') ? valueOf(args, 'onNull', scope) : null;
    try {
      return zone && format !== null ? readDate(text, format, zone) : null;
    } catch (error) {
      const failed = error instanceof EngineError && error.codeName === 'ConversionFailure';
      if (failed && args.has('onError')) return valueOf(args, 'onError', scope);
      throw error;
    }
  };
};

const arithmeticRules = (op: string): ArgumentRules => ({
  required: ['startDate', 'unit', 'amount'],
  optional: ['timezone'],
  notObject: [5166400, () => `${op} expects an object as its argument`],
  unknown: [
    5166401,
    (name) =>
      `Unrecognized argument to ${op}: ${name}. Expected arguments are startDate, unit, amount, and optionally timezone.`,
  ],
  missing: Object.fromEntries(
    ['startDate', 'unit', 'amount'].map((name) => [
      name,
      [5166402, `${op} requires startDate, unit, and amount to be present`],
    ]),
  ),
});

const dateAdd =
  (sign: 1 | -1): Build =>
  (spec, c, op) => {
    const args = compileArguments(namedArguments(spec, arithmeticRules(op)), c);
    return (scope) => {
      const start = valueOf(args, 'startDate', scope);
      const unit = valueOf(args, 'unit', scope);
      const amount = valueOf(args, 'amount', scope);
      if (isNullish(start) || isNullish(unit) || isNullish(amount)) return null;
      const zone = zoneOf(args, scope);
      if (!zone) return null;
      const date = asDate(start);
      check(date !== undefined, 5166403, () => `${op} requires startDate to be convertible to a date`);
      check(typeof unit === 'string', 5166404, () => `${op} expects string defining the time unit`);
      const count = exactLong(amount);
      check(count !== undefined, 5166405, () => `${op} expects integer amount of time units`);
      return makeDate(addUnits(date.getTime(), unit, sign * Number(truncateToLong(amount)), zone), op);
    };
  };

const DIFF: ArgumentRules = {
  required: ['startDate', 'endDate', 'unit'],
  optional: ['timezone', 'startOfWeek'],
  notObject: [5166301, () => '$dateDiff only supports an object as its argument'],
  unknown: [5166302, (name) => `Unrecognized argument to $dateDiff: ${name}`],
  missing: {
    startDate: [5166303, "Missing 'startDate' parameter to $dateDiff"],
    endDate: [5166304, "Missing 'endDate' parameter to $dateDiff"],
    unit: [5166305, "Missing 'unit' parameter to $dateDiff"],
  },
};

const dateDiff: Build = (spec, c, op) => {
  const args = compileArguments(namedArguments(spec, DIFF), c);
  return (scope) => {
    const values = ['startDate', 'endDate', 'unit'].map((name) => valueOf(args, name, scope));
    const [start, end, unit] = values;
    const week = unit === 'week' && args.has('startOfWeek') ? valueOf(args, 'startOfWeek', scope) : 'sunday';
    if (values.some(isNullish) || isNullish(week)) return null;
    const zone = zoneOf(args, scope);
    if (!zone) return null;
    const [from, to] = [start, end].map((value, i) => {
      const date = asDate(value);
      const name = i === 0 ? 'startDate' : 'endDate';
      check(
        date !== undefined,
        5166307,
        () => `$dateDiff requires '${name}' to be a date, but got ${nameOf(value)}`,
      );
      return date.getTime();
    }) as [number, number];
    return Long.fromNumber(differenceIn(from, to, unit, zone, week, op));
  };
};

const TRUNC: ArgumentRules = {
  required: ['date', 'unit'],
  optional: ['binSize', 'timezone', 'startOfWeek'],
  notObject: [5439007, () => '$dateTrunc only supports an object as its argument'],
  unknown: [
    5439008,
    (name) =>
      `Unrecognized argument to $dateTrunc: ${name}. Expected arguments are date, unit, and optionally, binSize, timezone, startOfWeek`,
  ],
  missing: {
    date: [5439009, "Missing 'date' parameter to $dateTrunc"],
    unit: [5439010, "Missing 'unit' parameter to $dateTrunc"],
  },
};

function binSizeFrom(value: unknown): number {
  const n = exactLong(value);
  check(
    n !== undefined,
    5439017,
    () =>
      `$dateTrunc requires 'binSize' to be a 64-bit integer, but got value '${showValue(value)}' of type ${nameOf(value)}`,
  );
  check(n > 0n, 5439018, () => `$dateTrunc requires 'binSize' to be greater than 0, but got value ${n}`);
  return Number(n);
}

const dateTrunc: Build = (spec, c, op) => {
  const args = compileArguments(namedArguments(spec, TRUNC), c);
  return (scope) => {
    const value = valueOf(args, 'date', scope);
    const unit = valueOf(args, 'unit', scope);
    const bin = args.has('binSize') ? valueOf(args, 'binSize', scope) : 1;
    const week = unit === 'week' && args.has('startOfWeek') ? valueOf(args, 'startOfWeek', scope) : 'sunday';
    if (isNullish(value) || isNullish(unit) || isNullish(bin) || isNullish(week)) return null;
    const zone = zoneOf(args, scope);
    if (!zone) return null;
    const date = asDate(value);
    check(
      date !== undefined,
      5439012,
      () => `$dateTrunc requires 'date' to be a date, but got ${nameOf(value)}`,
    );
    return makeDate(truncateTo(date.getTime(), unit, binSizeFrom(bin), zone, week, op), op);
  };
};

/** Operators on dates. */
export const dateOperators = operators({
  $dateToString: dateToString,
  $dateFromString: dateFromString,
  $dateAdd: dateAdd(1),
  $dateSubtract: dateAdd(-1),
  $dateDiff: dateDiff,
  $dateTrunc: dateTrunc,
});
