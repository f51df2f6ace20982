import type { Decimal128 } from './types.ts';

/**
 * A decimal number as (-1)^neg · coeff · 10^exp, or one of the special values. Exact: decimals are compared, not
 * calculated with.
 */
export type Decimal =
  | { kind: 'finite'; neg: boolean; coeff: bigint; exp: number }
  | { kind: 'infinity'; neg: boolean }
  | { kind: 'nan' };

/** A decimal that is a number. */
export type Finite = Decimal & { kind: 'finite' };

const BIAS = 6176;
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
