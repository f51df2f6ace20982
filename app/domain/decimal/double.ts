import { type Decimal } from './decimal.ts';
import { type Ratio } from './ratio.ts';

const decimalsOf = (value: Decimal): number => Math.max(0, value.c.length - 1 - value.e);

/** The digits of a non-negative decimal as a whole number, counted in units of 10^−decimals. */
function wholeDigits(value: Decimal, decimals: number): string {
  return value.c.join('') + '0'.repeat(decimals + value.e + 1 - value.c.length);
}

/**
 * The double nearest to the exact quotient, ties to even, for ratios of zero and more.
 * Small whole numbers go through one IEEE division, which is rounded correctly by definition. Larger ones are divided
 * as big integers to at least 64 bits with a sticky last bit, which `Number` then rounds correctly once.
 */
export function nearestDouble(value: Ratio<string>): number {
  const decimals = Math.max(decimalsOf(value.n), decimalsOf(value.d));
  const n = wholeDigits(value.n, decimals);
  const d = wholeDigits(value.d, decimals);
  if (n.length <= 15 && d.length <= 15) return Number(n) / Number(d);
  // 2^shift makes the quotient longer than 64 bits; 3.33 bits to a decimal digit, rounded up.
  const shift = Math.max(0, 70 + Math.ceil((d.length - n.length + 1) * 3.33));
  const divisor = BigInt(d);
  const scaled = BigInt(n) << BigInt(shift);
  const quotient = scaled / divisor;
  const sticky = scaled % divisor === 0n ? quotient : quotient | 1n;
  return Number(sticky) / 2 ** shift;
}
