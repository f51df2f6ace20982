import Big from 'big.js';

/**
 * Vialbook's decimal numbers: a constructor of its own, so that no other settings affect it. Sums and products are exact;
 * quotients are not, so keep them as a `Ratio` and round that once, for display.
 */
export const Decimal: Big.BigConstructor = Big();
Decimal.DP = 40;
Decimal.RM = Big.roundHalfUp;
// Plain notation always: `toString` must never print an exponent.
Decimal.NE = -1e6;
Decimal.PE = 1e6;

export type Decimal = Big;

/** Longest number that is read. The longest double in JSON has 26 characters; a million digits must not block the server. */
export const MAX_DECIMAL_LENGTH = 40;

/** What most people and all programs write. */
const PLAIN = /^\d+(?:\.\d+)?$/;

const DECIMAL = /^(?:\d+(?:[.,]\d*)?|[.,]\d+)$/;

/**
 * Reads a typed plain decimal: digits with one optional point or comma, with spaces allowed around it.
 * Signs, exponents, currency and grouping are refused.
 * @returns the text with a point as separator, without one that nothing follows, and otherwise as entered; or null
 */
export function readDecimalText(raw: string): string | null {
  const text = raw.trim();
  if (text.length === 0 || text.length > MAX_DECIMAL_LENGTH) return null;
  if (PLAIN.test(text)) return text;
  if (!DECIMAL.test(text)) return null;
  const pointed = text.replace(',', '.').replace(/\.$/, '');
  return pointed.startsWith('.') ? `0${pointed}` : pointed;
}

/**
 * The shortest decimal text of a double, written without an exponent, as a JSON number is read.
 * @returns null for NaN, the infinities, negative numbers and texts that would be too long
 */
export function decimalTextOfNumber(value: number): string | null {
  if (!Number.isFinite(value) || value < 0) return null;
  return readDecimalText(new Decimal(String(value)).toFixed());
}

/** A checked decimal text without needless zeros: "05.00" is "5". */
export function plainText(text: string): string {
  return new Decimal(text).toFixed();
}

/** A double as its shortest decimal, never with an exponent: 1e-7 is "0.0000001". */
export function doubleText(value: number): string {
  const text = String(value);
  return text.includes('e') ? new Decimal(text).toFixed() : text;
}

declare const unit: unique symbol;

/**
 * An exact quotient in the unit `U` ("mg", "ml" …), as two whole numbers. The denominator is above zero.
 * Nothing is rounded in it; whole numbers make comparing and rounding exact for any length, and fast.
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

/** The sum `a + b`. */
export function sum<U extends string>(a: Ratio<U>, b: Ratio<U>): Ratio<U> {
  return { n: a.n * b.d + b.n * a.d, d: a.d * b.d };
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

/**
 * Units of 10^−decimals, rounded half-up (away from zero at a tie) from the exact quotient.
 * It uses only whole numbers, so no guard digits are needed.
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
  let digits = decimals;
  while (digits > 0 && units % 10n === 0n) {
    units /= 10n;
    digits -= 1;
  }
  return pointed(units, digits);
}

/** All decimals of a terminating ratio, whose denominator is a power of ten ("0.25"). */
export function exactText(value: Ratio<string>): string {
  return shortText(value, String(value.d).length - 1);
}

/** At most 3 decimals, but never fewer than 3 significant digits, so that a small amount is not shown as zero. */
export function readableText(value: Ratio<string>): string {
  let decimals = 3;
  let shown = (value.n < 0n ? -value.n : value.n) * 1000n;
  while (shown > 0n && shown < value.d * 100n) {
    shown *= 10n;
    decimals += 1;
  }
  return shortText(value, decimals);
}

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
