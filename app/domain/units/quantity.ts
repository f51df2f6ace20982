import { Decimal, readDecimalText } from '#app/domain/decimal/decimal.ts';

/** A product instead of a division by 1000, so that it stays exact. */
const MG_PER_MCG = new Decimal('0.001');

/** A mass in mg. @param text decimal text in `unit` */
export function massInMg(text: string, unit: 'mg' | 'mcg'): Decimal {
  const mass = new Decimal(text);
  return unit === 'mcg' ? mass.times(MG_PER_MCG) : mass;
}

/** Units as they are written, folded to lower case. Both micro signs (U+00B5 and U+03BC) are in use. */
const SPELLINGS: Readonly<Record<string, string>> = {
  mg: 'mg',
  mcg: 'mcg',
  ug: 'mcg',
  '\u00b5g': 'mcg',
  '\u03bcg': 'mcg',
  ml: 'ml',
  cc: 'ml',
};

/** Decimal text and the unit it was written in. */
interface Quantity<U extends string> {
  readonly text: string;
  readonly unit: U;
}

/**
 * Reads "250mcg", "0.25 mg" or a bare number.
 * @param units what is accepted; a bare number is in the first
 * @returns null when the number or the unit is not understood
 */
export function readQuantity<U extends string>(raw: string, units: readonly [U, ...U[]]): Quantity<U> | null {
  const [, number = '', spelled = ''] = /^([^a-z\u00b5\u03bc]*)([a-z\u00b5\u03bc]*)$/i.exec(raw.trim()) ?? [];
  const text = readDecimalText(number);
  const name = spelled === '' ? units[0] : SPELLINGS[spelled.toLowerCase()];
  const unit = units.find((accepted) => accepted === name);
  return text === null || unit === undefined ? null : { text, unit };
}

/** Typed text is repeated in a message up to this length. */
const MAX_REPEATED = 40;

/**
 * What to tell somebody whose text is no quantity: what was typed, and how one is written. A range would be no answer
 * to a slip of the finger.
 */
export function unreadableQuantity(raw: string, kind: 'mass' | 'volume'): string {
  const typed = raw.trim();
  const shown = typed.length > MAX_REPEATED ? `${typed.slice(0, MAX_REPEATED)}…` : typed;
  return kind === 'mass'
    ? `${shown} is not an amount; write 250 mcg or 0.25 mg`
    : `${shown} is not a volume; write 2 ml or 0.1 ml`;
}

/** The most a vial of this product can hold, and so the largest dose, in mg. */
const MAX_DOSE_MG = 100;

/** True for a dose above zero and no larger than what a vial can hold. @param text decimal text in `unit` */
export function isDoseAmount(text: string, unit: 'mg' | 'mcg'): boolean {
  const mg = massInMg(text, unit);
  return mg.gt(0) && mg.lte(new Decimal(MAX_DOSE_MG));
}

/** A dose in mg as decimal text, for the stock. */
export function doseInMg(text: string, unit: 'mg' | 'mcg'): string {
  return massInMg(text, unit).toFixed();
}

/** A dose with its unit: "250 mcg". */
export function doseText(text: string, unit: 'mg' | 'mcg'): string {
  return `${new Decimal(text).toFixed()} ${unit}`;
}
