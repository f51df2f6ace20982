import {
  compareDecimals,
  decimalFromBigInt,
  decimalFromDouble,
  unpackDecimal,
  type Decimal,
} from './decimal.ts';
import { Decimal128, Double, Int32, Long } from './types.ts';

/** A number without its BSON wrapping: small ones as number, int64 beyond 2^53 as bigint. */
type Bare = number | bigint | Decimal128;

/** Unwraps a numeric BSON value; int64 that a double holds exactly become numbers. */
export function bareNumber(value: unknown): Bare {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (value instanceof Double || value instanceof Int32) return value.value;
  if (value instanceof Long) {
    const high = value.high;
    return high >= -0x200000 && high < 0x200000 ? high * 4294967296 + (value.low >>> 0) : value.toBigInt();
  }
  return value as Decimal128;
}

function comparePlain(a: number | bigint, b: number | bigint): number {
  if (a < b) return -1;
  if (a > b) return 1;
  if (a == b) return 0;
  // One of them is NaN, which MongoDB sorts below every other number.
  const nanA = Number.isNaN(a);
  return nanA === Number.isNaN(b) ? 0 : nanA ? -1 : 1;
}

/** The exact decimal value of an unwrapped number. */
export function asDecimal(value: Bare): Decimal {
  if (value instanceof Decimal128) return unpackDecimal(value);
  return typeof value === 'bigint' ? decimalFromBigInt(value) : decimalFromDouble(value);
}

/** Numeric order across int, long, double and decimal, exact also beyond 2^53. */
export function compareNumbers(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return comparePlain(a, b);
  const x = bareNumber(a);
  const y = bareNumber(b);
  if (x instanceof Decimal128 || y instanceof Decimal128) return compareDecimals(asDecimal(x), asDecimal(y));
  return comparePlain(x, y);
}
