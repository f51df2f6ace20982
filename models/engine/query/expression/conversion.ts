import { EngineError } from '../../errors.ts';
import { makeDouble, toBigInt, toDecimal, toDouble } from '../../values/arithmetic.ts';
import { decimalFromBigInt, decimalFromString, packDecimal, unpackDecimal } from '../../values/decimal.ts';
import { exactLong, truncateToLong } from '../../values/integers.ts';
import {
  Long,
  ObjectId,
  T,
  TYPE_NAMES,
  isNumeric,
  typeNameOf,
  typeOf,
  type Decimal128,
  type Timestamp,
} from '../../values/types.ts';
import { isTruthy } from '../truth.ts';
import { makeDate } from './arithmetic.ts';
import { parseDateText } from './date-parse.ts';
import { compileArguments, namedArguments, valueOf, type ArgumentRules } from './named-arguments.ts';
import { numberText } from './text.ts';
import { UTC } from './time-zone.ts';
import { check, isNullish, nameOf, operandsOf, operators, unary, type Build } from './types.ts';

const SUFFIX = 'in $convert with no onError value';

function failure(message: string): EngineError {
  return new EngineError('ConversionFailure', message);
}

function unsupported(value: unknown, to: number): EngineError {
  return failure(
    `Unsupported conversion from ${nameOf(value)} to ${TYPE_NAMES.get(to) ?? 'missing'} ${SUFFIX}`,
  );
}

function parseFailure(text: string, reason: string): EngineError {
  return failure(`Failed to parse number '${text}' ${SUFFIX}: ${reason}`);
}

function checkHexadecimal(text: string): void {
  if (text.startsWith('0x')) throw failure(`Illegal hexadecimal input ${SUFFIX}: ${text}`);
}

function parseInteger(text: string, bits: 32 | 64): bigint {
  checkHexadecimal(text);
  if (text === '') throw parseFailure(text, 'Empty string');
  if (!/^[+-]?\d+$/.test(text)) throw parseFailure(text, 'Did not consume whole string.');
  const n = BigInt(text.replace(/^\+/, ''));
  if (BigInt.asIntN(bits, n) !== n) throw parseFailure(text, 'Overflow');
  return n;
}

function parseDouble(text: string): number {
  checkHexadecimal(text);
  if (text === '') throw parseFailure(text, 'Empty string');
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (special) return special[2]?.toLowerCase() === 'nan' ? NaN : special[1] === '-' ? -Infinity : Infinity;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) {
    throw parseFailure(text, 'Did not consume whole string.');
  }
  const x = Number(text);
  if (!Number.isFinite(x)) throw parseFailure(text, 'Out of range');
  return x;
}

function overflow(value: unknown): EngineError {
  return failure(`Conversion would overflow target type ${SUFFIX}: ${numberText(value)}`);
}

function checkFinite(value: unknown): void {
  const x = toDouble(value);
  if (Number.isNaN(x)) throw failure(`Attempt to convert NaN value to integer type ${SUFFIX}`);
  if (
    typeOf(value) === T.decimal ? unpackDecimal(value as Decimal128).kind === 'infinity' : !Number.isFinite(x)
  ) {
    throw failure(`Attempt to convert infinity value to integer type ${SUFFIX}`);
  }
}

function truncated(value: unknown, bits: 32 | 64): bigint {
  checkFinite(value);
  const n = truncateToLong(value);
  if (n === undefined || BigInt.asIntN(bits, n) !== n) throw overflow(value);
  return n;
}

function toInteger(value: unknown, bits: 32 | 64): bigint {
  if (isNumeric(value)) return truncated(value, bits);
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'string') return parseInteger(value, bits);
  if (bits === 64 && value instanceof Date) return BigInt(value.getTime());
  throw unsupported(value, bits === 32 ? T.int : T.long);
}

function decimalAsDouble(value: unknown): number {
  const x = toDouble(value);
  if (!Number.isFinite(x) && unpackDecimal(value as Decimal128).kind === 'finite') throw overflow(value);
  return x;
}

function convertToDouble(value: unknown): unknown {
  if (typeOf(value) === T.decimal) return makeDouble(decimalAsDouble(value));
  if (isNumeric(value)) return makeDouble(toDouble(value));
  if (typeof value === 'boolean') return makeDouble(value ? 1 : 0);
  if (typeof value === 'string') return makeDouble(parseDouble(value));
  if (value instanceof Date) return makeDouble(value.getTime());
  throw unsupported(value, T.double);
}

function convertToDecimal(value: unknown): Decimal128 {
  if (isNumeric(value)) return packDecimal(toDecimal(value));
  if (typeof value === 'boolean') return packDecimal(decimalFromBigInt(value ? 1n : 0n));
  if (value instanceof Date) return packDecimal(decimalFromBigInt(BigInt(value.getTime())));
  if (typeof value !== 'string') throw unsupported(value, T.decimal);
  checkHexadecimal(value);
  const parsed = decimalFromString(value);
  if (!parsed) throw parseFailure(value, 'Failed to parse string to decimal');
  return packDecimal(parsed);
}

function convertToString(value: unknown): string {
  if (typeof value === 'string') return value;
  if (isNumeric(value)) return numberText(value);
  if (typeof value === 'boolean') return String(value);
  if (value instanceof ObjectId) return value.toHexString();
  if (value instanceof Date) return value.toISOString();
  throw unsupported(value, T.string);
}

function convertToObjectId(value: unknown): ObjectId {
  if (value instanceof ObjectId) return value;
  if (typeof value !== 'string') throw unsupported(value, T.objectId);
  if (/^[0-9a-fA-F]{24}$/.test(value)) return ObjectId.createFromHexString(value);
  const reason =
    value.length === 24
      ? `Invalid character found in hex string: "${value}"`
      : `Invalid string length for parsing to OID, expected 24 but found ${value.length}`;
  throw failure(`Failed to parse objectId '${value}' ${SUFFIX}: ${reason}`);
}

function convertToDate(value: unknown): Date {
  const type = typeOf(value);
  switch (type) {
    case T.date:
      return value as Date;
    case T.string:
      return parseDateText(value as string, UTC);
    case T.long:
    case T.double:
    case T.decimal:
      return makeDate(Number(truncated(value, 64)), '$convert');
    case T.objectId:
      return (value as ObjectId).getTimestamp();
    case T.timestamp:
      return new Date((value as Timestamp).t * 1000);
    default:
      throw unsupported(value, T.date);
  }
}

/** Converts a value that is neither null nor missing. */
export function convert(value: unknown, to: number): unknown {
  switch (to) {
    case T.double:
      return convertToDouble(value);
    case T.string:
      return convertToString(value);
    case T.objectId:
      return convertToObjectId(value);
    case T.bool:
      return isTruthy(value);
    case T.date:
      return convertToDate(value);
    case T.int:
      return Number(toInteger(value, 32));
    case T.long:
      return typeOf(value) === T.long
        ? Long.fromBigInt(toBigInt(value))
        : Long.fromBigInt(toInteger(value, 64));
    case T.decimal:
      return convertToDecimal(value);
    default:
      throw unsupported(value, to);
  }
}

function targetType(to: unknown): number {
  if (typeof to === 'string') {
    const found = [...TYPE_NAMES].find(([, name]) => name === to);
    check(found !== undefined, 'BadValue', () => `Unknown type name: ${to}`);
    return found[0];
  }
  check(
    isNumeric(to),
    'FailedToParse',
    () => `$convert's 'to' argument must be a string or number, but is ${nameOf(to)}`,
  );
  const code = exactLong(to);
  check(code !== undefined, 'FailedToParse', () => "In $convert, numeric 'to' argument is not an integer");
  check(
    TYPE_NAMES.has(Number(code)),
    'FailedToParse',
    () => `In $convert, numeric value for 'to' does not correspond to a BSON type: ${code}`,
  );
  return Number(code);
}

const CONVERT: ArgumentRules = {
  required: ['input', 'to'],
  optional: ['onError', 'onNull'],
  notObject: [9, (found) => `$convert expects an object of named arguments but found: ${found}`],
  unknown: [9, (name) => `$convert found an unknown argument: ${name}`],
  missing: {
    input: [9, "Missing 'input' parameter to $convert"],
    to: [9, "Missing 'to' parameter to $convert"],
  },
};

const convertOperator: Build = (spec, c) => {
  const args = compileArguments(namedArguments(spec, CONVERT), c);
  return (scope) => {
    const to = valueOf(args, 'to', scope);
    const value = valueOf(args, 'input', scope);
    const type = isNullish(to) ? undefined : targetType(to);
    if (isNullish(value)) return args.has('onNull') ? valueOf(args, 'onNull', scope) : null;
    if (type === undefined) return null;
    try {
      return convert(value, type);
    } catch (error) {
      const failed = error instanceof EngineError && error.codeName === 'ConversionFailure';
      if (failed && args.has('onError')) return valueOf(args, 'onError', scope);
      throw error;
    }
  };
};

const shortcut =
  (to: number): Build =>
  (spec, c, op) => {
    const operands = operandsOf(spec);
    check(operands.length === 1, 50723, () => `${op} requires a single argument, got ${operands.length}`);
    const operand = c.compile(operands[0], c);
    return (scope) => {
      const value = operand(scope);
      return isNullish(value) ? null : convert(value, to);
    };
  };

/** Type conversions and questions about types. */
export const conversionOperators = operators({
  $convert: convertOperator,
  $toBool: shortcut(T.bool),
  $toDate: shortcut(T.date),
  $toDecimal: shortcut(T.decimal),
  $toDouble: shortcut(T.double),
  $toInt: shortcut(T.int),
  $toLong: shortcut(T.long),
  $toObjectId: shortcut(T.objectId),
  $toString: shortcut(T.string),
  $type: unary((value) => typeNameOf(value)),
  $isNumber: unary((value) => isNumeric(value)),
});
