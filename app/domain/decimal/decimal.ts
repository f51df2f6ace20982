import Big from 'big.js';

/**
 * The decimal numbers of this product: a constructor of our own, so that nobody else's settings reach it.
 * Sums and products are exact. A quotient is not: keep it as a `Ratio` and round that once, for display.
 */
export const Decimal: Big.BigConstructor = Big();
Decimal.DP = 40;
Decimal.RM = Big.roundHalfUp;
// Plain notation always: `toString` must never print an exponent.
Decimal.NE = -1e6;
Decimal.PE = 1e6;

export type Decimal = Big;

/** Longest number that is read. The longest double that JSON sends is 26 characters; a million digits must not stall us. */
export const MAX_DECIMAL_LENGTH = 40;

const DECIMAL = /^(?:\d+(?:[.,]\d+)?|[.,]\d+)$/;

/**
 * Reads what a person typed as one plain decimal: digits with one optional point or comma, blanks around it allowed.
 * Signs, exponents, currency, grouping and a separator with nothing after it are refused.
 * @returns the text with a point as separator and otherwise as entered, or null
 */
export function readDecimalText(raw: string): string | null {
  const text = raw.trim();
  if (text.length === 0 || text.length > MAX_DECIMAL_LENGTH || !DECIMAL.test(text)) return null;
  const pointed = text.replace(',', '.');
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
