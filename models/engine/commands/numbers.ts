import { Decimal128, Double, Int32, Long } from '../values/types.ts';

/** The value of any BSON number as a JavaScript one; NaN for anything else. Above 2^53 the last digits are lost. */
export function toNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Double || value instanceof Int32) return value.value;
  if (value instanceof Long) return value.toNumber();
  if (value instanceof Decimal128) return Number(value.toString());
  return Number.NaN;
}

/** A whole number as the server answers it: int where it fits, long above. */
export function wholeNumber(value: number): number | Long {
  return Math.abs(value) <= 0x7fffffff ? value : Long.fromNumber(value);
}
