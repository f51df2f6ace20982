import {
  Decimal,
  readDecimalText,
  product,
  quotient,
  ratio,
  readableText,
  shortText,
  type Ratio,
} from '#app/domain/decimal/decimal.ts';
import { DEFAULT_SYRINGE, SYRINGES, type SyringeId } from '#app/domain/calculator/calculation.ts';

/** For a multiplication instead of a division by 1000, so that the result stays exact. */
const MG_PER_MCG = /* @__PURE__ */ new Decimal('0.001');

/** A mass in mg. @param text decimal text in `unit` */
export function massInMg(text: string, unit: 'mg' | 'mcg'): Decimal {
  const mass = new Decimal(text);
  return unit === 'mcg' ? mass.times(MG_PER_MCG) : mass;
}

/** A unit that can be typed with an amount. */
export type AmountUnit = 'mg' | 'mcg' | 'ml' | 'mg/ml';

/** The units of a field for a mass in mg; mcg are converted. */
export const MASS_UNITS = ['mg', 'mcg'] as const;
export const VOLUME_UNITS = ['ml'] as const;
export const CONCENTRATION_UNITS = ['mg/ml'] as const;

/** Spellings of units in lower case. Both micro signs (U+00B5 and U+03BC) are in use. */
const SPELLINGS: Readonly<Record<string, AmountUnit>> = {
  mg: 'mg',
  mcg: 'mcg',
  ug: 'mcg',
  '\u00b5g': 'mcg',
  '\u03bcg': 'mcg',
  ml: 'ml',
  cc: 'ml',
  'mg/ml': 'mg/ml',
  'mg/cc': 'mg/ml',
};

/** Decimal text and the unit it was written in. */
interface Quantity<U extends string> {
  readonly text: string;
  readonly unit: U;
}

const AMOUNT = /^([^a-z\u00b5\u03bc/]*)([a-z\u00b5\u03bc/]*)$/i;

/**
 * Reads "250mcg", "0.25 mg" or a bare number.
 * @param units the accepted units; a bare number is in the first
 * @returns null if the number or the unit is not understood
 */
export function readQuantity<U extends string>(raw: string, units: readonly [U, ...U[]]): Quantity<U> | null {
  const [, number = '', spelled = ''] = AMOUNT.exec(raw.trim()) ?? [];
  const text = isThousand(number) ? null : readDecimalText(number);
  const name = spelled === '' ? units[0] : SPELLINGS[spelled.toLowerCase()];
  const unit = units.find((accepted) => accepted === name);
  return text === null || unit === undefined ? null : { text, unit };
}

/** True if the number is followed by a unit. */
export function namesUnit(raw: string): boolean {
  return /[a-z\u00b5\u03bc]\s*$/i.test(raw);
}

/** "2,500" can mean two and a half or two thousand five hundred. */
const isThousand = (number: string): boolean => /^[1-9]\d{0,2},\d{3}$/.test(number.trim());

/** Longest input that a message repeats. */
const MAX_REPEATED = 30;

const UNIT_OF_A_SYRINGE = /^(?:iu|ui|ie|u|units?)$/i;

/**
 * Why a typed amount is invalid, and what to write instead: "250xx is not an amount; write 250 mcg or 0.25 mg".
 * @param raw what was typed and `readQuantity` refused; not blank
 * @param units what is accepted
 */
export function amountProblem(raw: string, units: readonly [AmountUnit, ...AmountUnit[]]): string {
  const typed = raw.trim();
  const shown = typed.length > MAX_REPEATED ? `${typed.slice(0, MAX_REPEATED)}…` : typed;
  const isNot = `${shown} is not an amount`;
  if (/^[-+\u2212]/.test(typed)) return `${isNot}; write it without a sign`;
  if (/\p{Sc}/u.test(typed)) return `${isNot}; write it without a currency sign`;
  if (/^[\d.,]+e[-+]?\d+\s*[a-z]*$/i.test(typed)) return `${isNot}; write it without an exponent`;
  const [, number = '', spelled = ''] = AMOUNT.exec(typed) ?? /^([\d.,\s]*)(.*)$/s.exec(typed) ?? [];
  if (isThousand(number)) {
    const [whole = '', rest = ''] = number.trim().split(',');
    const small = new Decimal(`${whole}.${rest}`).toFixed();
    return `${shown} can be read as ${whole}${rest} or as ${small}; write it without the comma`;
  }
  if (/[.,\s'\u2019].*[.,\s'\u2019]|\d[\s'\u2019]+\d/.test(number.trim()))
    return `${isNot}; write it with one decimal point and nothing else between the digits`;
  const text = readDecimalText(number);
  if (text === null) return `Enter a number, such as ${EXAMPLES[units[0]]}`;
  if (UNIT_OF_A_SYRINGE.test(spelled))
    return `${shown} is a mark on a syringe, not an amount; write it in ${units.join(' or ')}`;
  const known = SPELLINGS[spelled.toLowerCase()];
  if (known !== undefined)
    return `${shown} is ${KIND[known]}; write ${KIND_WANTED[units[0]]} in ${units.join(' or ')}`;
  return `${isNot}; write ${readings(text, units)}`;
}

const KIND: Readonly<Record<AmountUnit, string>> = {
  mg: 'a mass',
  mcg: 'a mass',
  ml: 'a volume',
  'mg/ml': 'a concentration',
};

const KIND_WANTED: Readonly<Record<AmountUnit, string>> = {
  mg: 'the amount',
  mcg: 'the amount',
  ml: 'the volume',
  'mg/ml': 'the concentration',
};

const EXAMPLES: Readonly<Record<AmountUnit, string>> = {
  mg: '5',
  mcg: '250',
  ml: '2',
  'mg/ml': '2.5',
};

/** From this number on, mcg are more likely than mg. */
const USUAL_IN_MCG = 25;

/** What a number with an unreadable unit may have meant. */
function readings(text: string, units: readonly AmountUnit[]): string {
  const plain = new Decimal(text).toFixed();
  if (!units.includes('mg') || !units.includes('mcg')) return `${plain} ${units[0] ?? ''}`.trim();
  return isUsualInMcg(text) ? `${plain} mcg or ${doseInMg(text, 'mcg')} mg` : `${plain} mg or ${plain} mcg`;
}

/** True for a number that people write in mcg rather than in mg. @param text decimal text */
export function isUsualInMcg(text: string): boolean {
  return new Decimal(text).gte(USUAL_IN_MCG);
}

/** The question about a dose that is too large in mg but usual in mcg. @param text decimal text */
export function mcgQuestion(text: string): string {
  return `Did you mean ${new Decimal(text).toFixed()} mcg?`;
}

/** Converts an amount to the first of its field's units. */
export function inFirstUnit({ text, unit }: Quantity<AmountUnit>, first: AmountUnit): string {
  return unit === 'mcg' && first === 'mg' ? massInMg(text, unit).toFixed() : text;
}

/**
 * Moves a unit typed with an amount ("250 mcg") to the unit's own field. Without a typed unit, or with one that does not
 * fit, the record is returned unchanged.
 * @param fields the submitted record
 * @param amount name of the amount's field
 * @param unit name of its unit's field
 */
export function withTypedUnit<T>(fields: T, amount: string, unit: string): T {
  if (typeof fields !== 'object' || fields === null || !Object.hasOwn(fields, amount)) return fields;
  const raw: unknown = (fields as Record<string, unknown>)[amount];
  if (typeof raw !== 'string' || !namesUnit(raw)) return fields;
  const quantity = readQuantity(raw, MASS_UNITS);
  return quantity === null ? fields : { ...fields, [amount]: quantity.text, [unit]: quantity.unit };
}

/**
 * A dose as decimal text in `unit`, whatever unit was typed with it.
 * @param typed "250", "250 mcg" or "0.25 mg", as `doseText` accepted it
 */
export function doseInUnit(typed: string, unit: 'mg' | 'mcg'): string {
  const quantity = namesUnit(typed) ? readQuantity(typed, MASS_UNITS) : null;
  if (quantity === null || quantity.unit === unit) return quantity?.text ?? typed;
  return unit === 'mg'
    ? massInMg(quantity.text, 'mcg').toFixed()
    : new Decimal(quantity.text).times(1000).toFixed();
}

/** The largest content of a vial, and so the largest dose, in mg. */
const MAX_DOSE_MG = 100;

/** True for a dose above zero and not larger than a vial can hold. @param text decimal text in `unit` */
export function isDoseAmount(text: string, unit: 'mg' | 'mcg'): boolean {
  const mg = massInMg(text, unit);
  return mg.gt(0) && mg.lte(new Decimal(MAX_DOSE_MG));
}

/**
 * The question about a dose that is too large: whether mcg were meant, if that is likely.
 * @param text decimal text in `unit`
 */
export function mcgQuestions(text: string, unit: 'mg' | 'mcg'): string[] {
  return unit === 'mg' && isUsualInMcg(text) && isDoseAmount(text, 'mcg') ? [mcgQuestion(text)] : [];
}

/** A dose in mg as decimal text, for the stock. */
export function doseInMg(text: string, unit: 'mg' | 'mcg'): string {
  return massInMg(text, unit).toFixed();
}

/** A dose with its unit: "250 mcg", "2,500 mcg". */
export function doseText(text: string, unit: 'mg' | 'mcg'): string {
  return `${figureText(text)} ${unit}`;
}

/**
 * A figure as required by the list of error-prone dose notations of the Institute for Safe Medication Practices: no
 * trailing zeros ("2.5", not "2.50"), a zero before the point ("0.5", not ".5") and a thousands separator ("2,500").
 * @param text decimal text
 */
export function figureText(text: string): string {
  const [whole = '0', fraction] = new Decimal(text).toFixed().split('.');
  const groups: string[] = [];
  for (let end = whole.length; end > 0; end -= 3) groups.unshift(whole.slice(Math.max(0, end - 3), end));
  const grouped = groups.join(',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** An exact quotient as a figure: at most 3 decimals, but at least 3 significant digits. */
export function ratioFigure(value: Ratio<string>): string {
  return figureText(readableText(value));
}

const scaleOf = (syringe: SyringeId): number => SYRINGES[syringe].unitsPerMl;

/** Whether two syringes have the same scale, so that the same number of units is the same volume. */
export const haveSameScale = (a: SyringeId, b: SyringeId): boolean => scaleOf(a) === scaleOf(b);

/** The name of a scale other than U-100, before "units": "U-40 ". */
export const scaleWords = (syringe: SyringeId): string =>
  haveSameScale(syringe, DEFAULT_SYRINGE) ? '' : `U-${scaleOf(syringe)} `;

/**
 * "1 unit", "2.5 units": always the full word, because "U" and "IU" can be read as a zero or as "IV". Units of scales other
 * than U-100 are named: "4 U-40 units".
 */
export function unitsText(units: string, syringe: SyringeId = DEFAULT_SYRINGE): string {
  return `${figureText(units)} ${scaleWords(syringe)}${new Decimal(units).eq(1) ? 'unit' : 'units'}`;
}

/** The units on a syringe's scale for an amount in mg, as decimal text with at most 2 decimals. */
export function unitsOf(mg: Decimal, strength: Ratio<'mg/ml'>, syringe: SyringeId = DEFAULT_SYRINGE): string {
  const perMl = ratio<'units'>(new Decimal(scaleOf(syringe)));
  return shortText(product<'units'>(quotient<'ml'>(ratio(mg), strength), perMl), 2);
}
