import { Decimal } from './decimal.ts';

declare const unit: unique symbol;

/**
 * An exact quotient in the unit `U` ("mg", "ml" …), as two whole numbers. The denominator is above zero.
 * Nothing is rounded in it; whole numbers make comparing and rounding exact for any length, and quick.
 */
export interface Ratio<U extends string> {
  readonly n: bigint;
  readonly d: bigint;
  readonly [unit]?: U;
}

const ONE = new Decimal(1);

/** Whole numbers of up to 15 digits are exact as doubles. */
const EXACT_DIGITS = 15;

const decimalsOf = (value: Decimal): number => Math.max(0, value.c.length - 1 - value.e);

/** A decimal counted in units of 10^−decimals. */
function wholeUnits(value: Decimal, decimals: number): bigint {
  const { c, e, s } = value;
  const zeros = decimals + e + 1 - c.length;
  if (c.length + zeros > EXACT_DIGITS) return BigInt((s < 0 ? '-' : '') + c.join('') + '0'.repeat(zeros));
  let whole = 0;
  for (const digit of c) whole = whole * 10 + digit;
  return BigInt(s * whole * 10 ** zeros);
}

/** The exact quotient `n ÷ d` of two decimals; `d` is 1 by default. */
export function ratio<U extends string>(n: Decimal, d: Decimal = ONE): Ratio<U> {
  const decimals = Math.max(decimalsOf(n), decimalsOf(d));
  return { n: wholeUnits(n, decimals), d: wholeUnits(d, decimals) };
}

/** The product of two ratios, in the unit named by the caller. */
export function product<U extends string>(a: Ratio<string>, b: Ratio<string>): Ratio<U> {
  return { n: a.n * b.n, d: a.d * b.d };
}

/** The quotient of two ratios, in the unit named by the caller. `b` is above zero. */
export function quotient<U extends string>(a: Ratio<string>, b: Ratio<string>): Ratio<U> {
  return { n: a.n * b.d, d: a.d * b.n };
}

/** The difference `a − b`. */
export function difference<U extends string>(a: Ratio<U>, b: Ratio<U>): Ratio<U> {
  return { n: a.n * b.d - b.n * a.d, d: a.d * b.d };
}

/** Below zero, zero or above zero as `a` is less than, equal to or more than `b`; by cross-multiplying, never rounded. */
export function compare<U extends string>(a: Ratio<U>, b: Ratio<U>): number {
  const left = a.n * b.d;
  const right = b.n * a.d;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The largest whole number that is not above a ratio of zero or more. */
export function floor({ n, d }: Ratio<string>): bigint {
  return n / d;
}

/** The smallest whole number that is not below a ratio of zero or more. */
export function ceil({ n, d }: Ratio<string>): bigint {
  return (n + d - 1n) / d;
}
