import { Decimal } from './decimal.ts';

declare const unit: unique symbol;

/** An exact quotient of two decimals in the unit `U` ("mg", "ml" …). The denominator is above zero. Nothing is rounded in it. */
export interface Ratio<U extends string> {
  readonly n: Decimal;
  readonly d: Decimal;
  readonly [unit]?: U;
}

const ONE = new Decimal(1);
const HALF_UP = 1;
const ROUND_UP = 3;

/** The exact quotient `n ÷ d`. */
export function ratio<U extends string>(n: Decimal, d: Decimal = ONE): Ratio<U> {
  return { n, d };
}

/** −1, 0 or 1: the ratio against a decimal, by cross-multiplying, so that no rounding can decide. */
export function compareTo(value: Ratio<string>, limit: Decimal): -1 | 0 | 1 {
  return value.n.cmp(limit.times(value.d));
}

/** Rounded half-up from the exact quotient, always with `decimals` decimals ("0.100"). */
export function fixedText(value: Ratio<string>, decimals: number): string {
  return value.n.div(value.d).toFixed(decimals, HALF_UP);
}

/** Rounded half-up from the exact quotient to at most `decimals` decimals, needless zeros dropped ("12.5"). */
export function shortText(value: Ratio<string>, decimals: number): string {
  const text = value.n.div(value.d).round(decimals, HALF_UP).toFixed();
  return text === '-0' ? '0' : text;
}

/** At most 3 decimals, but never fewer than 3 significant digits: small amounts must not be shown as zero. */
export function readableText(value: Ratio<string>): string {
  const quotient = value.n.div(value.d);
  return quotient.abs().lt('0.1') && !quotient.eq(0)
    ? quotient.prec(3, HALF_UP).toFixed()
    : quotient.round(3, HALF_UP).toFixed();
}

/** The largest whole number that is not above the ratio (for ratios of zero and more). */
export function floor(value: Ratio<string>): Decimal {
  return value.n.div(value.d).round(0, 0);
}

/** The smallest whole number that is not below the ratio (for ratios of zero and more). */
export function ceil(value: Ratio<string>): Decimal {
  const whole = floor(value);
  return whole.times(value.d).lt(value.n) ? whole.plus(1).round(0, ROUND_UP) : whole;
}
