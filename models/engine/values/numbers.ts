import { Double, Int32, type Long } from './types.ts';

/** Unwraps a numeric BSON value. An int64 that a double holds exactly becomes a number, any other a bigint. */
export function bareNumber(value: unknown): number | bigint {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (value instanceof Double || value instanceof Int32) return value.value;
  const { high, low } = value as Long;
  const double = high * 4294967296 + (low >>> 0);
  if (Number.isSafeInteger(double)) return double;
  const exact = (value as Long).toBigInt();
  return BigInt(double) === exact ? double : exact;
}

/** Numeric order across int, long and double, exact also beyond 2^53. NaN is below every other number. */
export function compareNumbers(a: unknown, b: unknown): number {
  const x = bareNumber(a);
  const y = bareNumber(b);
  if (x < y) return -1;
  if (x > y) return 1;
  if (x == y) return 0;
  const isNaN = Number.isNaN(x);
  return isNaN === Number.isNaN(y) ? 0 : isNaN ? -1 : 1;
}

/** True for a number that is none. */
export function isNaNValue(value: unknown): boolean {
  return Number.isNaN(value instanceof Double ? value.value : value);
}
