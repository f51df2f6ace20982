/**
 * Exact fractions of big integers: an oracle for the calculator that shares no code with it and only
 * reads decimals.
 */
export interface Rational {
  readonly n: bigint;
  readonly d: bigint;
}

/** Reads a plain decimal text. */
export function rational(text: string): Rational {
  const sign = text.startsWith('-') ? -1n : 1n;
  const [whole = '', decimals = ''] = text.replace('-', '').split('.');
  return { n: sign * BigInt(whole + decimals), d: 10n ** BigInt(decimals.length) };
}

export const times = (a: Rational, b: Rational): Rational => ({ n: a.n * b.n, d: a.d * b.d });
export const over = (a: Rational, b: Rational): Rational => ({ n: a.n * b.d, d: a.d * b.n });
export const plus = (a: Rational, b: Rational): Rational => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d });
export const minus = (a: Rational, b: Rational): Rational => plus(a, { n: -b.n, d: b.d });
export const size = (a: Rational): Rational => ({ n: a.n < 0n ? -a.n : a.n, d: a.d });

/** −1, 0 or 1. */
export function order(a: Rational, b: Rational): number {
  const difference = a.n * b.d - b.n * a.d;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The exact value of a positive double: every double is a whole number times a power of two. */
export function rationalOfDouble(value: number): Rational {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const all = bits.getBigUint64(0);
  const exponent = Number((all >> 52n) & 0x7ffn);
  const fraction = all & 0xfffffffffffffn;
  const whole = exponent === 0 ? fraction : fraction | (1n << 52n);
  const power = (exponent === 0 ? 1 : exponent) - 1075;
  return power >= 0 ? { n: whole << BigInt(power), d: 1n } : { n: whole, d: 1n << BigInt(-power) };
}

/** The double `steps` places after a positive one. */
export function neighbour(value: number, steps: 1 | -1): number {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  bits.setBigUint64(0, bits.getBigUint64(0) + BigInt(steps));
  return bits.getFloat64(0);
}

/** True when no double is nearer to the exact value. */
export function isNearestDouble(value: number, exact: Rational): boolean {
  const off = (double: number) => size(minus(rationalOfDouble(double), exact));
  return (
    order(off(value), off(neighbour(value, 1))) <= 0 && order(off(value), off(neighbour(value, -1))) <= 0
  );
}

/** True when the text is the exact value rounded half-up to that many decimals: text − ½ ≤ exact < text + ½ of the last place. */
export function isHalfUp(text: string, exact: Rational, decimals: number): boolean {
  const half = { n: 1n, d: 2n * 10n ** BigInt(decimals) };
  const shown = rational(text);
  return order(minus(shown, half), exact) <= 0 && order(exact, plus(shown, half)) < 0;
}
