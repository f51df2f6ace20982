import { bareNumber } from '../values/numbers.ts';
import { isNumeric, Long } from '../values/types.ts';

/** The value of any BSON number as a JavaScript one; NaN for anything else. Above 2^53 the last digits are lost. */
export function toNumber(value: unknown): number {
  return isNumeric(value) ? Number(bareNumber(value)) : Number.NaN;
}

/** A whole number as the server answers it: int where it fits, long above. */
export function wholeNumber(value: number): number | Long {
  return Math.abs(value) <= 0x7fffffff ? value : Long.fromNumber(value);
}
