import { unsupported } from '../errors.ts';
import { Decimal128, Double, Int32, Long, T, typeOf } from './types.ts';
import { decimalToBigInt, unpackDecimal } from './decimal.ts';

const INT_MIN = -2147483648;
const INT_MAX = 2147483647;
const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 63n - 1n;

/** The wider of two numeric types: int, long, double, decimal. */
export function widerType(a: number, b: number): number {
  if (a === T.decimal || b === T.decimal) return T.decimal;
  if (a === T.double || b === T.double) return T.double;
  return a === T.long || b === T.long ? T.long : T.int;
}

/** A double as a value of its own type, also when it is integral. */
export function makeDouble(x: number): unknown {
  return (x | 0) === x && !Object.is(x, -0) ? new Double(x) : x;
}

/** True for what an int32 can hold. */
function fitsInt(n: bigint): boolean {
  return n >= BigInt(INT_MIN) && n <= BigInt(INT_MAX);
}

/** True for what an int64 can hold. */
export function fitsLong(n: bigint): boolean {
  return n >= LONG_MIN && n <= LONG_MAX;
}

/** The value of an int or long. */
export function toBigInt(value: unknown): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return BigInt(value);
  return value instanceof Int32 ? BigInt(value.value) : (value as Long).toBigInt();
}

/** Any number as a double; int64 and decimals are rounded. */
export function toDouble(value: unknown): number {
  if (typeof value === 'number') return value;
  if (value instanceof Double || value instanceof Int32) return value.value;
  if (value instanceof Decimal128) return Number(value.toString());
  return Number(toBigInt(value));
}

/** An integer as int when both operands were ints and it fits, otherwise as long. */
export function makeInteger(n: bigint, type: number): unknown {
  return type === T.int && fitsInt(n) ? Number(n) : Long.fromBigInt(n);
}

const OPERATIONS = {
  add: { int: (a: bigint, b: bigint) => a + b, double: (a: number, b: number) => a + b },
  multiply: { int: (a: bigint, b: bigint) => a * b, double: (a: number, b: number) => a * b },
};

/**
 * Sum or product under MongoDB's type rules: the wider type wins, an int that overflows becomes a long.
 * @returns undefined when the result exceeds int64
 * @throws EngineError CommandNotSupported for decimals, which are stored and compared but not calculated with
 */
export function calculate(operation: keyof typeof OPERATIONS, a: unknown, b: unknown): unknown {
  const type = widerType(typeOf(a), typeOf(b));
  const op = OPERATIONS[operation];
  if (type === T.decimal) throw unsupported('arithmetic with Decimal128');
  if (type === T.double) return makeDouble(op.double(toDouble(a), toDouble(b)));
  const exact = op.int(toBigInt(a), toBigInt(b));
  return fitsLong(exact) ? makeInteger(exact, type) : undefined;
}

function truncatedDecimal(value: Decimal128): bigint | undefined {
  const d = unpackDecimal(value);
  if (d.kind !== 'finite' || d.exp > 20) return undefined;
  return decimalToBigInt(d);
}

/** The integer part of a number as int64, `undefined` for NaN, infinities and what exceeds int64. */
export function truncateToLong(value: unknown): bigint | undefined {
  const type = typeOf(value);
  if (type === T.int || type === T.long) return toBigInt(value);
  let whole: bigint | undefined;
  if (type === T.decimal) whole = truncatedDecimal(value as Decimal128);
  else if (type === T.double && Number.isFinite(toDouble(value))) whole = BigInt(Math.trunc(toDouble(value)));
  return whole !== undefined && fitsLong(whole) ? whole : undefined;
}

function isWholeDecimal(value: Decimal128): boolean {
  const d = unpackDecimal(value);
  if (d.kind !== 'finite') return false;
  return d.exp >= 0 || d.coeff % 10n ** BigInt(-d.exp) === 0n;
}

/** The int64 a number stands for exactly, `undefined` when it is no number, has a fraction or does not fit. */
export function exactLong(value: unknown): bigint | undefined {
  const type = typeOf(value);
  if (type === T.double && !Number.isInteger(toDouble(value))) return undefined;
  if (type === T.decimal && !isWholeDecimal(value as Decimal128)) return undefined;
  if (type !== T.int && type !== T.long && type !== T.double && type !== T.decimal) return undefined;
  return truncateToLong(value);
}
