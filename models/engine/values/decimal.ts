import { Decimal128 } from './types.ts';

/**
 * A decimal number as (-1)^neg · coeff · 10^exp, or one of the special values. Exact; rounding to the 34 digits of
 * Decimal128 (half to even, IEEE 754-2008) happens when it is packed.
 */
export type Decimal =
  | { kind: 'finite'; neg: boolean; coeff: bigint; exp: number }
  | { kind: 'infinity'; neg: boolean }
  | { kind: 'nan' };

/** A decimal that is a number. */
export type Finite = Decimal & { kind: 'finite' };

const DIGITS = 34;
const BIAS = 6176;
const MIN_EXP = -6176;
const MAX_EXP = 6111;
const LIMIT = 10n ** 34n;
/** Not a number. */
export const NAN: Decimal = { kind: 'nan' };

/** A decimal from its parts. */
export function finite(neg: boolean, coeff: bigint, exp: number): Decimal {
  return { kind: 'finite', neg, coeff, exp };
}

/** A power of ten; the exponent is not negative. */
export function pow10(n: number): bigint {
  return 10n ** BigInt(n);
}

/** How many digits a whole number has that is not negative; zero has one. */
export function digitsOf(n: bigint): number {
  return n === 0n ? 1 : n.toString().length;
}

/** Reads the fields of the binary format. A coefficient beyond 34 digits counts as zero, as IEEE 754 says. */
export function unpackDecimal(value: Decimal128): Decimal {
  const view = new DataView(value.bytes.buffer, value.bytes.byteOffset, 16);
  const high = view.getBigUint64(8, true);
  const neg = high >> 63n === 1n;
  const combination = Number((high >> 58n) & 31n);
  if (combination === 31) return NAN;
  if (combination === 30) return { kind: 'infinity', neg };
  if (combination >= 24) return finite(neg, 0n, Number((high >> 47n) & 0x3fffn) - BIAS);
  const coeff = ((high & 0x1ffffffffffffn) << 64n) | view.getBigUint64(0, true);
  return finite(neg, coeff >= LIMIT ? 0n : coeff, Number((high >> 49n) & 0x3fffn) - BIAS);
}

function packBits(high: bigint, low: bigint): Decimal128 {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, low, true);
  view.setBigUint64(8, high, true);
  return new Decimal128(bytes);
}

/** `coeff` without its last `drop` digits, rounded half to even. */
function dropDigits(coeff: bigint, drop: number): bigint {
  const unit = pow10(drop);
  const kept = coeff / unit;
  const twice = (coeff % unit) * 2n;
  return twice > unit || (twice === unit && kept % 2n === 1n) ? kept + 1n : kept;
}

function roundCoeff(coeff: bigint, exp: number, digits: number): { coeff: bigint; exp: number } {
  const drop = Math.max(digitsOf(coeff) - digits, MIN_EXP - exp, 0);
  if (drop === 0) return { coeff, exp };
  if (drop > digitsOf(coeff) + 1) return { coeff: 0n, exp: exp + drop };
  const rounded = dropDigits(coeff, drop);
  return roundCoeff(rounded, exp + drop, digits);
}

/** Packs into Decimal128, rounding to 34 digits; too large becomes an infinity. */
export function packDecimal(d: Decimal): Decimal128 {
  if (d.kind === 'nan') return packBits(0x7c00000000000000n, 0n);
  if (d.kind === 'infinity') return packBits(d.neg ? 0xf800000000000000n : 0x7800000000000000n, 0n);
  let { coeff, exp } = roundCoeff(d.coeff, d.exp, DIGITS);
  if (coeff === 0n) exp = Math.min(Math.max(exp, MIN_EXP), MAX_EXP);
  if (exp > MAX_EXP) {
    const shift = exp - MAX_EXP;
    if (digitsOf(coeff) + shift > DIGITS) return packDecimal({ kind: 'infinity', neg: d.neg });
    coeff *= pow10(shift);
    exp = MAX_EXP;
  }
  const high = ((d.neg ? 1n : 0n) << 63n) | (BigInt(exp + BIAS) << 49n) | (coeff >> 64n);
  return packBits(high, coeff & 0xffffffffffffffffn);
}

/** A finite decimal rounded to `digits` significant digits, half to even. */
export function roundToDigits(d: Decimal, digits: number): Decimal {
  if (d.kind !== 'finite') return d;
  const { coeff, exp } = roundCoeff(d.coeff, d.exp, digits);
  return finite(d.neg, coeff, exp);
}

/** The decimal of a whole number. */
export function decimalFromBigInt(n: bigint): Decimal {
  return finite(n < 0n, n < 0n ? -n : n, 0);
}

function trailingZeroBits(n: bigint): number {
  let count = 0;
  while (n !== 0n && (n >> BigInt(count)) % 2n === 0n) count++;
  return count;
}

/** The exact decimal value of a double. */
export function decimalFromDouble(x: number): Decimal {
  if (Number.isNaN(x)) return NAN;
  if (!Number.isFinite(x)) return { kind: 'infinity', neg: x < 0 };
  const neg = x < 0 || Object.is(x, -0);
  const size = Math.abs(x);
  if (Number.isInteger(size)) return finite(neg, BigInt(size), 0);
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, size);
  const bits = view.getBigUint64(0);
  const biased = Number(bits >> 52n);
  const fraction = bits & 0xfffffffffffffn;
  const mantissa = biased === 0 ? fraction : fraction | 0x10000000000000n;
  // A fraction of so many binary places is one of as many decimal places, once halves that cancel out are gone.
  const places = 1075 - Math.max(biased, 1);
  const halves = Math.min(places, trailingZeroBits(mantissa));
  return finite(neg, (mantissa >> BigInt(halves)) * 5n ** BigInt(places - halves), halves - places);
}

/** A double as MongoDB turns it into a decimal: rounded to 15 significant digits, padded to them. */
export function decimalFromDouble15(x: number): Decimal {
  if (!Number.isFinite(x) || x === 0) return decimalFromDouble(x);
  const [digits = '0', exponent = '0'] = Math.abs(x).toExponential(14).split('e');
  return finite(x < 0, BigInt(digits.replace('.', '')), Number(exponent) - 14);
}

const PATTERN = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d+))?$/;

/** Reads a decimal from text, `undefined` if it is none. */
export function decimalFromString(text: string): Decimal | undefined {
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (special) {
    return special[2]?.toLowerCase() === 'nan' ? NAN : { kind: 'infinity', neg: special[1] === '-' };
  }
  const match = PATTERN.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', bare = '', exponent = '0'] = match;
  const places = fraction + bare;
  const exp = Number(exponent) - places.length;
  if (Math.abs(exp) > 1e6)
    return exp > 0 ? { kind: 'infinity', neg: sign === '-' } : finite(sign === '-', 0n, MIN_EXP);
  return finite(sign === '-', BigInt(whole + places || '0'), exp);
}

/** The nearest double. */
export function decimalToDouble(d: Decimal): number {
  if (d.kind === 'nan') return NaN;
  if (d.kind === 'infinity') return d.neg ? -Infinity : Infinity;
  const size = Number(`${d.coeff}e${d.exp}`);
  return d.neg ? -size : size;
}

/** The integer part, towards zero. Only for exponents within the range of Decimal128. */
export function decimalToBigInt(d: Finite): bigint {
  const size =
    d.exp >= 0 ? d.coeff * pow10(d.exp) : digitsOf(d.coeff) < -d.exp ? 0n : d.coeff / pow10(-d.exp);
  return d.neg ? -size : size;
}

function order(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareSizes(a: Finite, b: Finite): number {
  const scaleA = digitsOf(a.coeff) + a.exp;
  const scaleB = digitsOf(b.coeff) + b.exp;
  if (scaleA !== scaleB) return scaleA < scaleB ? -1 : 1;
  return a.exp >= b.exp
    ? order(a.coeff * pow10(a.exp - b.exp), b.coeff)
    : order(a.coeff, b.coeff * pow10(b.exp - a.exp));
}

function rank(d: Decimal): number {
  if (d.kind === 'nan') return -3;
  if (d.kind === 'infinity') return d.neg ? -2 : 2;
  if (d.coeff === 0n) return 0;
  return d.neg ? -1 : 1;
}

/** Numeric order; NaN is below everything and equal to itself, -0 equals 0. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const rankA = rank(a);
  const rankB = rank(b);
  if (rankA !== rankB) return rankA < rankB ? -1 : 1;
  if (a.kind !== 'finite' || b.kind !== 'finite' || rankA === 0) return 0;
  return rankA < 0 ? compareSizes(b, a) : compareSizes(a, b);
}
