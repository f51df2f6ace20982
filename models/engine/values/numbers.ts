import { Double, Int32, Long, T, typeOf, isNumeric } from './types.ts';

/** Unwraps a numeric BSON value. An int64 that fits a double exactly becomes a number, any other a bigint. */
export function bareNumber(value: unknown): number | bigint {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (value instanceof Double || value instanceof Int32) return value.value;
  const { high, low } = value as Long;
  const double = high * 4294967296 + (low >>> 0);
  if (Number.isSafeInteger(double)) return double;
  const exact = (value as Long).toBigInt();
  return BigInt(double) === exact ? double : exact;
}

/** Compares int, long and double, exactly even beyond 2^53. NaN is below every other number. */
export function compareNumbers(a: unknown, b: unknown): number {
  const x = bareNumber(a);
  const y = bareNumber(b);
  if (x < y) return -1;
  if (x > y) return 1;
  if (x == y) return 0;
  const isNaN = Number.isNaN(x);
  return isNaN === Number.isNaN(y) ? 0 : isNaN ? -1 : 1;
}

/** True for NaN. */
export function isNaNValue(value: unknown): boolean {
  return Number.isNaN(value instanceof Double ? value.value : value);
}

const INT_MIN = -2147483648;
const INT_MAX = 2147483647;
const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 63n - 1n;

/** The wider of two numeric types: int, long, double. */
export function widerType(a: number, b: number): number {
  if (a === T.double || b === T.double) return T.double;
  return a === T.long || b === T.long ? T.long : T.int;
}

/** A double that keeps its type even if it is integral. */
export function makeDouble(x: number): unknown {
  return (x | 0) === x && !Object.is(x, -0) ? new Double(x) : x;
}

/** True if it fits an int32. */
function fitsInt(n: bigint): boolean {
  return n >= BigInt(INT_MIN) && n <= BigInt(INT_MAX);
}

/** True if it fits an int64. */
export function fitsLong(n: bigint): boolean {
  return n >= LONG_MIN && n <= LONG_MAX;
}

/** The value of an int or long. */
export function toBigInt(value: unknown): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return BigInt(value);
  return value instanceof Int32 ? BigInt(value.value) : (value as Long).toBigInt();
}

/** Any number as a double; int64 are rounded. */
export function toDouble(value: unknown): number {
  if (typeof value === 'number') return value;
  if (value instanceof Double || value instanceof Int32) return value.value;
  return Number(toBigInt(value));
}

/** An integer as int when both operands were ints and it fits, otherwise as long. */
export function makeInteger(n: bigint, type: number): unknown {
  return type === T.int && fitsInt(n) ? Number(n) : Long.fromBigInt(n);
}

/**
 * A sum under MongoDB's type rules: the wider type wins, an int that overflows becomes a long.
 * @returns undefined when it exceeds int64
 */
export function add(a: unknown, b: unknown): unknown {
  const type = widerType(typeOf(a), typeOf(b));
  if (type === T.double) return makeDouble(toDouble(a) + toDouble(b));
  const exact = toBigInt(a) + toBigInt(b);
  return fitsLong(exact) ? makeInteger(exact, type) : undefined;
}

/** The integer part of a number as int64; `undefined` for NaN, infinities and numbers beyond int64. */
export function truncateToLong(value: unknown): bigint | undefined {
  const type = typeOf(value);
  if (type === T.int || type === T.long) return toBigInt(value);
  const whole = type === T.double ? Math.trunc(toDouble(value)) : NaN;
  return Number.isFinite(whole) && fitsLong(BigInt(whole)) ? BigInt(whole) : undefined;
}

/** A number as an exact int64; `undefined` if it is not a number, has a fraction or does not fit. */
export function exactLong(value: unknown): bigint | undefined {
  const isFraction = typeOf(value) === T.double && !Number.isInteger(toDouble(value));
  return isFraction ? undefined : truncateToLong(value);
}

/** Any BSON number as a JavaScript number; NaN for anything else. Above 2^53 the last digits are lost. */
export function toNumber(value: unknown): number {
  return isNumeric(value) ? Number(bareNumber(value)) : Number.NaN;
}

/** An integer as the server returns it: an int if it fits, otherwise a long. */
export function wholeNumber(value: number): number | Long {
  return Math.abs(value) <= 0x7fffffff ? value : Long.fromNumber(value);
}
