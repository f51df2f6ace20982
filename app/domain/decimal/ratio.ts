import { Decimal } from './decimal.ts';

declare const unit: unique symbol;

/** An exact quotient of two decimals in the unit `U` ("mg", "ml" …). The denominator is above zero. Nothing is rounded in it. */
export interface Ratio<U extends string> {
  readonly n: Decimal;
  readonly d: Decimal;
  readonly [unit]?: U;
}

const ONE = new Decimal(1);

/** The exact quotient `n ÷ d`. */
export function ratio<U extends string>(n: Decimal, d: Decimal = ONE): Ratio<U> {
  return { n, d };
}

/** −1, 0 or 1: the ratio against a decimal, by cross-multiplying, so that no rounding can decide. */
export function compareTo(value: Ratio<string>, limit: Decimal): -1 | 0 | 1 {
  return value.n.cmp(limit.times(value.d));
}

const decimalsOf = (value: Decimal): number => Math.max(0, value.c.length - 1 - value.e);

/** A decimal counted in units of 10^−decimals. */
function wholeDigits(value: Decimal, decimals: number): string {
  return (value.s < 0 ? '-' : '') + value.c.join('') + '0'.repeat(decimals + value.e + 1 - value.c.length);
}

/** The same quotient as two whole numbers, in digits. */
export function asWholeNumbers(value: Ratio<string>): { n: string; d: string } {
  const decimals = Math.max(decimalsOf(value.n), decimalsOf(value.d));
  return { n: wholeDigits(value.n, decimals), d: wholeDigits(value.d, decimals) };
}

/** The largest whole number that is not above the ratio (for ratios of zero and more). */
export function floor(value: Ratio<string>): bigint {
  const { n, d } = asWholeNumbers(value);
  return BigInt(n) / BigInt(d);
}

/** The smallest whole number that is not below the ratio (for ratios of zero and more). */
export function ceil(value: Ratio<string>): bigint {
  const { n, d } = asWholeNumbers(value);
  const divisor = BigInt(d);
  return (BigInt(n) + divisor - 1n) / divisor;
}
