import type { Ratio } from './ratio.ts';

const EXACT = 2n ** 53n;

const bitLength = (value: bigint): number => value.toString(16).length * 4;

/**
 * The double nearest to the exact quotient, ties to even, for ratios of zero and more.
 * Whole numbers that are exact as doubles go through one IEEE division, which is rounded correctly by definition.
 * Larger ones are divided to at least 64 bits with a sticky last bit, which `Number` then rounds correctly, once.
 */
export function nearestDouble({ n, d }: Ratio<string>): number {
  if (n < EXACT && d < EXACT) return Number(n) / Number(d);
  const shift = Math.max(0, 68 + bitLength(d) - bitLength(n));
  const scaled = n << BigInt(shift);
  const whole = scaled / d;
  return Number(scaled % d === 0n ? whole : whole | 1n) / 2 ** shift;
}
