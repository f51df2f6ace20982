import type { Ratio } from './ratio.ts';

/**
 * Units of 10^−decimals, rounded half-up (away from zero at a tie) from the exact quotient.
 * Whole numbers throughout: there is no guard digit that could be too few.
 */
function roundHalfUp({ n, d }: Ratio<string>, decimals: number): bigint {
  const twice = n * 10n ** BigInt(decimals) * 2n;
  return (twice + (twice < 0n ? -d : d)) / (d * 2n);
}

/** Writes units of 10^−decimals as a decimal with all its decimals. */
function pointed(units: bigint, decimals: number): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
  const at = digits.length - decimals;
  return `${units < 0n ? '-' : ''}${digits.slice(0, at)}${decimals > 0 ? '.' : ''}${digits.slice(at)}`;
}

/** Rounded half-up from the exact quotient, always with `decimals` decimals ("0.100"). */
export function fixedText(value: Ratio<string>, decimals: number): string {
  return pointed(roundHalfUp(value, decimals), decimals);
}

/** Rounded half-up from the exact quotient to at most `decimals` decimals, needless zeros dropped ("12.5"). */
export function shortText(value: Ratio<string>, decimals: number): string {
  let units = roundHalfUp(value, decimals);
  let kept = decimals;
  while (kept > 0 && units % 10n === 0n) {
    units /= 10n;
    kept -= 1;
  }
  return pointed(units, kept);
}

/** All decimals of a ratio that has an end, which is one whose denominator is a power of ten ("0.25"). */
export function exactText(value: Ratio<string>): string {
  return shortText(value, String(value.d).length - 1);
}

/** At most 3 decimals, but never fewer than 3 significant digits: a small amount must not be shown as zero. */
export function readableText(value: Ratio<string>): string {
  let decimals = 3;
  let shown = (value.n < 0n ? -value.n : value.n) * 1000n;
  while (shown > 0n && shown < value.d * 100n) {
    shown *= 10n;
    decimals += 1;
  }
  return shortText(value, decimals);
}
