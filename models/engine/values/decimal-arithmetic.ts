import { NAN, digitsOf, finite, pow10, type Decimal, type Finite } from './decimal.ts';

const PRECISION = 34;
const infinity = (neg: boolean): Decimal => ({ kind: 'infinity', neg });

function signed(d: Finite, exp: number): bigint {
  const size = d.coeff * pow10(d.exp - exp);
  return d.neg ? -size : size;
}

/** Exact sum, before it is rounded by packing. */
export function addDecimals(a: Decimal, b: Decimal): Decimal {
  if (a.kind === 'nan' || b.kind === 'nan') return NAN;
  if (a.kind === 'infinity') return b.kind === 'infinity' && a.neg !== b.neg ? NAN : a;
  if (b.kind === 'infinity') return b;
  if (a.coeff === 0n && b.coeff === 0n) return finite(a.neg && b.neg, 0n, Math.min(a.exp, b.exp));
  const exp = Math.min(a.exp, b.exp);
  const sum = signed(a, exp) + signed(b, exp);
  return finite(sum < 0n, sum < 0n ? -sum : sum, exp);
}

/** The same number with the other sign. */
export function negateDecimal(d: Decimal): Decimal {
  return d.kind === 'nan' ? d : { ...d, neg: !d.neg };
}

/** Exact product, before it is rounded by packing. */
export function multiplyDecimals(a: Decimal, b: Decimal): Decimal {
  if (a.kind === 'nan' || b.kind === 'nan') return NAN;
  const neg = a.neg !== b.neg;
  if (a.kind === 'infinity' || b.kind === 'infinity') {
    const zero = (a.kind === 'finite' && a.coeff === 0n) || (b.kind === 'finite' && b.coeff === 0n);
    return zero ? NAN : infinity(neg);
  }
  return finite(neg, a.coeff * b.coeff, a.exp + b.exp);
}

/** Quotient to 34 digits, with the exponent nearest to the ideal one when it is exact. */
export function divideDecimals(a: Decimal, b: Decimal): Decimal {
  if (a.kind === 'nan' || b.kind === 'nan') return NAN;
  const neg = a.neg !== b.neg;
  if (a.kind === 'infinity') return b.kind === 'infinity' ? NAN : infinity(neg);
  if (b.kind === 'infinity') return finite(neg, 0n, -6176);
  if (b.coeff === 0n) return a.coeff === 0n ? NAN : infinity(neg);
  const ideal = a.exp - b.exp;
  const shift = Math.max(0, PRECISION + 2 + digitsOf(b.coeff) - digitsOf(a.coeff));
  const numerator = a.coeff * pow10(shift);
  let coeff = numerator / b.coeff;
  let exp = ideal - shift;
  if (coeff * b.coeff !== numerator) return finite(neg, coeff * 10n + 1n, exp - 1);
  while (exp < ideal && coeff % 10n === 0n && coeff !== 0n) {
    coeff /= 10n;
    exp++;
  }
  return finite(neg, coeff, coeff === 0n ? ideal : exp);
}

/** Remainder with the sign of the dividend, as C's `fmod`. */
export function remainderDecimals(a: Decimal, b: Decimal): Decimal {
  if (a.kind !== 'finite' || b.kind === 'nan') return NAN;
  if (b.kind === 'infinity') return a;
  if (b.coeff === 0n) return NAN;
  const exp = Math.min(a.exp, b.exp);
  return finite(a.neg, (a.coeff * pow10(a.exp - exp)) % (b.coeff * pow10(b.exp - exp)), exp);
}

/** Ways to round: to the nearest, the even one of two; down; up; towards zero. */
export type Rounding = 'half-even' | 'floor' | 'ceiling' | 'truncate';

function roundQuotient(quotient: bigint, rest: bigint, unit: bigint, neg: boolean, mode: Rounding): bigint {
  if (rest === 0n) return quotient;
  if (mode === 'truncate') return quotient;
  if (mode === 'floor') return neg ? quotient + 1n : quotient;
  if (mode === 'ceiling') return neg ? quotient : quotient + 1n;
  const twice = rest * 2n;
  return twice > unit || (twice === unit && quotient % 2n === 1n) ? quotient + 1n : quotient;
}

/** Rounds to a multiple of 10^-places (negative places: tens, hundreds, …). */
export function quantizeDecimal(d: Decimal, places: number, mode: Rounding): Decimal {
  if (d.kind !== 'finite') return d;
  const drop = -places - d.exp;
  if (drop <= 0) return d;
  if (drop > digitsOf(d.coeff) + 1) {
    const up = d.coeff !== 0n && ((mode === 'floor' && d.neg) || (mode === 'ceiling' && !d.neg));
    return finite(d.neg, up ? 1n : 0n, -places);
  }
  const unit = pow10(drop);
  return finite(d.neg, roundQuotient(d.coeff / unit, d.coeff % unit, unit, d.neg, mode), -places);
}
