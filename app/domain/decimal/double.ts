import { asWholeNumbers, type Ratio } from './ratio.ts';

/** Whole numbers of up to 15 digits are exact as doubles. */
const EXACT_DIGITS = 15;

/**
 * The double nearest to the exact quotient, ties to even, for ratios of zero and more.
 * Small whole numbers go through one IEEE division, which is rounded correctly by definition. Larger ones are divided
 * as big integers to at least 64 bits with a sticky last bit, which `Number` then rounds correctly once.
 */
export function nearestDouble(value: Ratio<string>): number {
  const { n, d } = asWholeNumbers(value);
  if (n.length <= EXACT_DIGITS && d.length <= EXACT_DIGITS) return Number(n) / Number(d);
  // 2^shift makes the quotient longer than 64 bits; a decimal digit is 3.33 bits, rounded up.
  const shift = Math.max(0, 70 + Math.ceil((d.length - n.length + 1) * 3.33));
  const divisor = BigInt(d);
  const scaled = BigInt(n) << BigInt(shift);
  const quotient = scaled / divisor;
  const sticky = scaled % divisor === 0n ? quotient : quotient | 1n;
  return Number(sticky) / 2 ** shift;
}
