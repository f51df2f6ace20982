import { asWholeNumbers, type Ratio } from './ratio.ts';

/**
 * Units of 10^−decimals, rounded half-up (away from zero at a tie) from the exact quotient.
 * Whole numbers throughout: there is no guard digit that could be too few.
 */
function roundHalfUp(value: Ratio<string>, decimals: number): bigint {
  const { n, d } = asWholeNumbers(value);
  const divisor = BigInt(d);
  const twice = BigInt(n + '0'.repeat(decimals)) * 2n;
  return (twice + (twice < 0n ? -divisor : divisor)) / (divisor * 2n);
}

/** Writes units of 10^−decimals as a decimal with all its decimals. */
function pointed(units: bigint, decimals: number): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
  const at = digits.length - decimals;
  return `${units < 0n ? '-' : ''}${digits.slice(0, at)}${decimals > 0 ? '.' : ''}${digits.slice(at)}`;
}

const withoutZeros = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

/** Rounded half-up from the exact quotient, always with `decimals` decimals ("0.100"). */
export function fixedText(value: Ratio<string>, decimals: number): string {
  return pointed(roundHalfUp(value, decimals), decimals);
}

/** Rounded half-up from the exact quotient to at most `decimals` decimals, needless zeros dropped ("12.5"). */
export function shortText(value: Ratio<string>, decimals: number): string {
  return withoutZeros(fixedText(value, decimals));
}

/** No quotient within the limits of this product has its first digit further behind the point than this. */
const MOST_DECIMALS = 100;

/** At most 3 decimals, but never fewer than 3 significant digits: a small amount must not be shown as zero. */
export function readableText(value: Ratio<string>): string {
  if (value.n.eq(0)) return '0';
  let decimals = 3;
  while (
    decimals < MOST_DECIMALS &&
    value.n
      .abs()
      .times(`1e${decimals - 2}`)
      .lt(value.d)
  )
    decimals += 1;
  return shortText(value, decimals);
}
