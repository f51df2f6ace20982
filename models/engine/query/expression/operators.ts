import { EngineError, unsupported } from '../../errors.ts';
import { makeDouble, toDouble, exactLong, truncateToLong } from '../../values/arithmetic.ts';
import { bareNumber } from '../../values/numbers.ts';
import {
  Long,
  ObjectId,
  T,
  Timestamp,
  isDocument,
  isNumeric,
  setField,
  typeNameOf,
  typeOf,
  type Document,
} from '../../values/types.ts';
import { compareValues, isTruthy } from '../compare.ts';
import { ACCUMULATORS } from './accumulators.ts';
import { makeDate, numberOperators } from './numbers.ts';
import { checkNewVariable } from './paths.ts';
import {
  bind,
  binary,
  check,
  compileOperands,
  isNullish,
  namedArguments,
  several,
  unary,
  withNames,
  type Build,
  type Expr,
} from './types.ts';

const comparison = (holds: (order: number) => unknown): Build => binary((a, b) => holds(compareValues(a, b)));

const cond: Build = (spec, c, op) => {
  const named = isDocument(spec) ? namedArguments(op, spec, ['if', 'then', 'else']) : undefined;
  const operands = named ? [named['if'], named['then'], named['else']] : spec;
  const [test, then, otherwise] = compileOperands(op, operands, c, 3, 3) as [Expr, Expr, Expr];
  return (scope) => (isTruthy(test(scope)) ? then(scope) : otherwise(scope));
};

const switchOperator: Build = (spec, c, op) => {
  const args = namedArguments(op, spec, ['branches'], ['default']);
  const list = args['branches'];
  check(Array.isArray(list), 40061, () => `$switch expected an array for 'branches'`);
  check(list.length > 0, 40068, () => '$switch requires at least one branch.');
  const branches = list.map((branch): [Expr, Expr] => {
    const { case: test, then } = namedArguments('a branch of $switch', branch, ['case', 'then']);
    return [c.compile(test, c), c.compile(then, c)];
  });
  const otherwise = Object.hasOwn(args, 'default') ? c.compile(args['default'], c) : undefined;
  return (scope) => {
    const found = branches.find(([test]) => isTruthy(test(scope)))?.[1] ?? otherwise;
    check(found !== undefined, 40066, () => {
      return '$switch could not find a matching branch for an input, and no default was specified.';
    });
    return found(scope);
  };
};

const letOperator: Build = (spec, c, op) => {
  const args = namedArguments(op, spec, ['vars', 'in']);
  const vars = args['vars'];
  check(isDocument(vars), 10065, () => 'invalid parameter: expected an object (vars)');
  const names = Object.keys(vars).map(checkNewVariable);
  const values = names.map((name): [string, Expr] => [name, c.compile(vars[name], c)]);
  const inner = c.compile(args['in'], withNames(c, names));
  return (scope) => inner(values.reduce((within, [name, value]) => bind(within, name, value(scope)), scope));
};

/** `$map` and `$filter`: an expression for each element of an array, under the name that `as` gives. */
const eachElement =
  (
    argument: 'in' | 'cond',
    code: number,
    apply: (array: unknown[], of: (e: unknown) => unknown) => unknown,
  ): Build =>
  (spec, c, op) => {
    const args = namedArguments(op, spec, ['input', argument], ['as']);
    const name = checkNewVariable(Object.hasOwn(args, 'as') ? args['as'] : 'this');
    const input = c.compile(args['input'], c);
    const each = c.compile(args[argument], withNames(c, [name]));
    return (scope) => {
      const array = input(scope);
      if (isNullish(array)) return null;
      check(Array.isArray(array), code, () => `input to ${op} must be an array not ${typeNameOf(array)}`);
      return apply(array, (element) => each(bind(scope, name, element)));
    };
  };

const logicOperators: Record<string, Build> = {
  $cmp: comparison((order) => order),
  $eq: comparison((order) => order === 0),
  $ne: comparison((order) => order !== 0),
  $gt: comparison((order) => order > 0),
  $gte: comparison((order) => order >= 0),
  $lt: comparison((order) => order < 0),
  $lte: comparison((order) => order <= 0),
  $and: (spec, c, op) => {
    const operands = compileOperands(op, spec, c, 0, Infinity);
    return (scope) => operands.every((operand) => isTruthy(operand(scope)));
  },
  $or: (spec, c, op) => {
    const operands = compileOperands(op, spec, c, 0, Infinity);
    return (scope) => operands.some((operand) => isTruthy(operand(scope)));
  },
  $not: unary((value) => !isTruthy(value)),
  $cond: cond,
  $ifNull: several(2, Infinity, (args) => args.find((value) => !isNullish(value)) ?? args.at(-1)),
  $switch: switchOperator,
  $let: letOperator,
  $map: eachElement('in', 16883, (array, of) => array.map((element) => of(element) ?? null)),
  $filter: eachElement('cond', 28651, (array, of) => array.filter((element) => isTruthy(of(element)))),
};

/** A number as a 32-bit integer, `undefined` when it is none. */
function int32Of(value: unknown): number | undefined {
  const n = exactLong(value);
  return n !== undefined && Number(n) === (Number(n) | 0) ? Number(n) : undefined;
}

function elementAt(array: unknown, position: unknown, op: string): unknown {
  if (isNullish(array) || isNullish(position)) return null;
  check(Array.isArray(array), 28689, () => `${op}'s argument must be an array, but is ${typeNameOf(array)}`);
  const index = int32Of(position);
  check(index !== undefined, isNumeric(position) ? 28691 : 28690, () => {
    return `${op}'s second argument must be a 32-bit integer, but is ${typeNameOf(position)}`;
  });
  return array.at(index);
}

function slice([array, second, third]: unknown[], op: string, count: number): unknown {
  if (isNullish(array) || isNullish(second) || (count > 2 && isNullish(third))) return null;
  check(Array.isArray(array), 28724, () => {
    return `First argument to ${op} must be an array, but is of type: ${typeNameOf(array)}`;
  });
  const n = int32Of(second);
  check(n !== undefined, 28726, () => `Second argument to ${op} must be a 32-bit integer`);
  const start = n < 0 ? Math.max(0, array.length + n) : n;
  if (count === 2) return n < 0 ? array.slice(start) : array.slice(0, n);
  const length = int32Of(third);
  check(length !== undefined, 28728, () => `Third argument to ${op} must be a 32-bit integer`);
  check(length > 0, 28729, () => `Third argument to ${op} must be positive: ${length}`);
  return array.slice(start, start + length);
}

/** The operands one after the other, null when one of them is null or missing. */
function joined<T>(
  args: unknown[],
  is: (value: unknown) => value is T,
  code: number,
  op: string,
): T[] | null {
  const parts: T[] = [];
  for (const arg of args) {
    if (isNullish(arg)) return null;
    check(is(arg), code, () => `${op} does not support ${typeNameOf(arg)}`);
    parts.push(arg);
  }
  return parts;
}

const isArray = (value: unknown): value is unknown[] => Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';

const arrayOperators: Record<string, Build> = {
  $arrayElemAt: binary(elementAt),
  $first: unary((array, op) => elementAt(array, 0, op)),
  $last: unary((array, op) => elementAt(array, -1, op)),
  $slice: several(2, 3, (args, _c, op) => slice(args, op, args.length)),
  $concatArrays: several(0, Infinity, (args, _c, op) => joined(args, isArray, 28664, op)?.flat(1) ?? null),
  $isArray: unary(isArray),
  $size: unary((value) => {
    check(isArray(value), 17124, () => {
      return `The argument to $size must be an array, but was of type: ${typeNameOf(value)}`;
    });
    return value.length;
  }),
  $in: binary((value, array) => {
    check(isArray(array), 40081, () => {
      return `$in requires an array as a second argument, found: ${typeNameOf(array)}`;
    });
    return array.some((element) => compareValues(element, value) === 0);
  }),
  $mergeObjects: (spec, c, op) => {
    const operands = compileOperands(op, spec, c, 0, Infinity);
    return (scope) => {
      const values = operands.map((operand) => operand(scope));
      const documents = values.length === 1 && isArray(values[0]) && !isArray(spec) ? values[0] : values;
      const result: Document = {};
      for (const doc of documents) {
        if (isNullish(doc)) continue;
        check(isDocument(doc), 40400, () => `$mergeObjects requires object inputs, not ${typeNameOf(doc)}`);
        for (const key of Object.keys(doc)) setField(result, key, doc[key]);
      }
      return result;
    };
  },
};

/** A double with 16 significant digits, as C's `%.16g` writes it. */
function doubleText(x: number): string {
  if (Number.isNaN(x)) return 'NaN';
  if (!Number.isFinite(x)) return x < 0 ? '-Infinity' : 'Infinity';
  if (x === 0) return Object.is(x, -0) ? '-0' : '0';
  const [digits = '', exponent = '0'] = x.toExponential(15).split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 16) {
    const fixed = x.toFixed(Math.min(100, 15 - power));
    return fixed.includes('.') ? fixed.replace(/\.?0+$/, '') : fixed;
  }
  const mantissa = digits.replace(/\.?0+$/, '');
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

function numberText(value: unknown): string {
  const bare = bareNumber(value);
  return typeOf(value) === T.double ? doubleText(bare as number) : bare.toString();
}

/** What the string operators take a value for: numbers and dates as text, null and missing as empty. */
function coerceToText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (isNullish(value)) return '';
  if (isNumeric(value)) return numberText(value);
  check(value instanceof Date, 16007, () => `can't convert from BSON type ${typeNameOf(value)} to String`);
  return value.toISOString();
}

function substrCP([text, start, count]: unknown[]): string {
  const [from, length] = [int32Of(start), int32Of(count)];
  check(
    from !== undefined && from >= 0,
    34455,
    () => '$substrCP: the starting index must be a natural number',
  );
  check(length !== undefined && length >= 0, 34454, () => '$substrCP: the length must be a natural number');
  return [...coerceToText(text)].slice(from, from + length).join('');
}

/** Upper and lower case know ASCII only, as the server's do. */
const stringOperators: Record<string, Build> = {
  $concat: several(0, Infinity, (args, _c, op) => joined(args, isText, 16702, op)?.join('') ?? null),
  $toLower: unary((value) => coerceToText(value).replace(/[A-Z]+/g, (s) => s.toLowerCase())),
  $toUpper: unary((value) => coerceToText(value).replace(/[a-z]+/g, (s) => s.toUpperCase())),
  $substrCP: several(3, 3, substrCP),
  $strLenCP: unary((value) => {
    check(isText(value), 34471, () => `$strLenCP requires a string argument, found: ${typeNameOf(value)}`);
    return [...value].length;
  }),
};

function failure(message: string): EngineError {
  return new EngineError('ConversionFailure', `${message} in $convert with no onError value`);
}

function parsedInteger(text: string, bits: 32 | 64): bigint {
  if (!/^[+-]?\d+$/.test(text)) throw failure(`Failed to parse number '${text}'`);
  const n = BigInt(text.replace(/^\+/, ''));
  if (BigInt.asIntN(bits, n) !== n) throw failure(`Failed to parse number '${text}': Overflow`);
  return n;
}

function parsedDouble(text: string): number {
  const special = /^([+-]?)(?:inf|infinity|(nan))$/i.exec(text);
  if (special) return special[2] ? NaN : special[1] === '-' ? -Infinity : Infinity;
  const isNumber = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text);
  if (!isNumber || !Number.isFinite(Number(text))) throw failure(`Failed to parse number '${text}'`);
  return Number(text);
}

function toInteger(value: unknown, bits: 32 | 64): bigint {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'string') return parsedInteger(value, bits);
  if (bits === 64 && value instanceof Date) return BigInt(value.getTime());
  if (!isNumeric(value)) throw failure(`Unsupported conversion from ${typeNameOf(value)} to a whole number`);
  const n = truncateToLong(value);
  if (n === undefined || BigInt.asIntN(bits, n) !== n)
    throw failure(`Conversion of ${numberText(value)} would overflow the target type`);
  return n;
}

function toFloat(value: unknown): number {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'string') return parsedDouble(value);
  if (value instanceof Date) return value.getTime();
  if (!isNumeric(value)) throw failure(`Unsupported conversion from ${typeNameOf(value)} to double`);
  const x = toDouble(value);
  if (typeOf(value) === T.decimal && !Number.isFinite(x) && /\d/.test(numberText(value)))
    throw failure(`Conversion of ${numberText(value)} would overflow the target type`);
  return x;
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (isNumeric(value)) return numberText(value);
  if (typeof value === 'boolean') return String(value);
  if (value instanceof ObjectId) return value.toHexString();
  if (value instanceof Date) return value.toISOString();
  throw failure(`Unsupported conversion from ${typeNameOf(value)} to string`);
}

function toObjectId(value: unknown): ObjectId {
  if (value instanceof ObjectId) return value;
  if (typeof value === 'string' && /^[0-9a-fA-F]{24}$/.test(value))
    return ObjectId.createFromHexString(value);
  throw failure(`Failed to parse objectId '${isText(value) ? value : typeNameOf(value)}'`);
}

/** A value taken as a date; undefined for a type that has none. */
function asDate(value: unknown): Date | undefined {
  if (value instanceof Date) return value;
  if (value instanceof Timestamp) return new Date(value.t * 1000);
  return value instanceof ObjectId ? value.getTimestamp() : undefined;
}

const ISO = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

function toDate(value: unknown): Date {
  const date = asDate(value);
  if (date) return date;
  if (isNumeric(value) && typeOf(value) !== T.int) return makeDate(Number(toInteger(value, 64)), '$convert');
  if (typeof value !== 'string') throw failure(`Unsupported conversion from ${typeNameOf(value)} to date`);
  // Other notations, which a server may understand, are refused rather than guessed.
  if (!ISO.test(value)) throw unsupported(`reading the date '${value}', which is not ISO 8601 with a zone,`);
  const parsed = new Date(value);
  const isReal = new Date(`${value.slice(0, 10)}T00:00Z`).toISOString().startsWith(value.slice(0, 10));
  if (Number.isNaN(parsed.getTime()) || !isReal) throw failure(`Error parsing date string '${value}'`);
  return parsed;
}

const conversion = (convert: (value: unknown) => unknown): Build =>
  unary((value) => (isNullish(value) ? null : convert(value)));

const conversionOperators: Record<string, Build> = {
  $toBool: conversion(isTruthy),
  $toDate: conversion(toDate),
  $toDouble: conversion((value) => makeDouble(toFloat(value))),
  $toInt: conversion((value) => Number(toInteger(value, 32))),
  $toLong: conversion((value) => Long.fromBigInt(toInteger(value, 64))),
  $toObjectId: conversion(toObjectId),
  $toString: conversion(toText),
  $type: unary((value) => typeNameOf(value)),
  $isNumber: unary((value) => isNumeric(value)),
};

const pad = (n: number, width: number): string => String(n).padStart(width, '0');

/** What the parts of a format stand for, in UTC. */
const FORMATS: Record<string, (date: Date) => string> = {
  Y: (date) => pad(date.getUTCFullYear(), 4),
  m: (date) => pad(date.getUTCMonth() + 1, 2),
  d: (date) => pad(date.getUTCDate(), 2),
  H: (date) => pad(date.getUTCHours(), 2),
  M: (date) => pad(date.getUTCMinutes(), 2),
  S: (date) => pad(date.getUTCSeconds(), 2),
  L: (date) => pad(date.getUTCMilliseconds(), 3),
  z: () => '+0000',
  Z: () => '0',
  '%': () => '%',
};

function formatted(date: Date, format: string): string {
  check(date.getUTCFullYear() >= 0 && date.getUTCFullYear() <= 9999, 18537, () => {
    return 'Could not convert date to string: date component was outside the supported range of 0-9999';
  });
  return format.replace(/%(.?)/gs, (_, part: string) => {
    const write = Object.hasOwn(FORMATS, part) ? FORMATS[part] : undefined;
    if (!write) throw new EngineError(18536, `Invalid format character '%${part}' in format string`);
    return write(date);
  });
}

/** A value that has to be a date, or to stand for one. */
function dateFrom(value: unknown): Date {
  const date = asDate(value);
  check(date !== undefined, 16006, () => `can't convert from BSON type ${typeNameOf(value)} to Date`);
  return date;
}

const dateToString: Build = (spec, c, op) => {
  const args = namedArguments(op, spec, ['date'], ['format', 'timezone', 'onNull']);
  const { date, format = '%Y-%m-%dT%H:%M:%S.%LZ', timezone = 'UTC', onNull = null } = args;
  if (timezone !== 'UTC') throw unsupported(`${op} in another zone than UTC`);
  check(isText(format) && !format.startsWith('$'), 18533, () => `${op} requires that 'format' be a string`);
  const [value, otherwise] = [c.compile(date, c), c.compile(onNull, c)];
  return (scope) => {
    const given = value(scope);
    return isNullish(given) ? otherwise(scope) : formatted(dateFrom(given), format);
  };
};

const datePart = (read: (date: Date) => number): Build => conversion((value) => read(dateFrom(value)));

/** Dates are taken apart in UTC; other zones are refused. */
const dateOperators: Record<string, Build> = {
  $dateToString: dateToString,
  $year: datePart((date) => date.getUTCFullYear()),
  $month: datePart((date) => date.getUTCMonth() + 1),
  $dayOfMonth: datePart((date) => date.getUTCDate()),
  $dayOfWeek: datePart((date) => date.getUTCDay() + 1),
  $hour: datePart((date) => date.getUTCHours()),
};

/** An accumulator used as an expression: over the elements of its one array, or over its operands. */
const overOperands: Build = (spec, c, op) => {
  const make = ACCUMULATORS.get(op);
  const operands = compileOperands(op, spec, c, 0, Infinity);
  return (scope) => {
    const accumulator = make?.();
    const values = operands.map((operand) => operand(scope));
    const [only] = values;
    for (const value of values.length === 1 && isArray(only) ? only : values) accumulator?.add(value);
    return accumulator?.result();
  };
};

/** All expression operators but `$literal`, by name. */
export const OPERATORS: ReadonlyMap<string, Build> = new Map(
  Object.entries({
    ...numberOperators,
    ...logicOperators,
    ...arrayOperators,
    ...stringOperators,
    ...conversionOperators,
    ...dateOperators,
    $sum: overOperands,
    $avg: overOperands,
    $min: overOperands,
    $max: overOperands,
  }),
);
