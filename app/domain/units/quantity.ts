import {
  Decimal,
  readDecimalText,
  quotient,
  ratio,
  readableText,
  type Ratio,
} from '#app/domain/decimal/decimal.ts';
import { figureText } from '#app/domain/decimal/figure-text.ts';
import { countUnits } from '#app/domain/calculator/draw-words.ts';
import { scaleOf, scaleText, unitsOfVolume, type Container } from '#app/domain/calculator/nearest-mark.ts';
import {
  DEFAULT_SYRINGE,
  isDrawn,
  substanceUnitOf,
  syringeOf,
  type DoseUnit,
  type SubstanceUnit,
  type SyringeChoice,
} from '#app/domain/calculator/calculation.ts';

/** For a multiplication instead of a division by 1000, so that the result stays exact. */
const MG_PER_MCG = /* @__PURE__ */ new Decimal('0.001');

/**
 * An amount in the unit that its measure is calculated in: mg for mass; IU stay IU, because they are never converted.
 * @param text decimal text in `unit`
 */
export function toBaseUnit(text: string, unit: DoseUnit): Decimal {
  const mass = new Decimal(text);
  return unit === 'mcg' ? mass.times(MG_PER_MCG) : mass;
}

/** The same amount in a unit of its measure. @param amount in mg or IU, as `toBaseUnit` gives it */
export const fromBaseUnit = (amount: Decimal, unit: DoseUnit): Decimal =>
  unit === 'mcg' ? amount.times(1000) : amount;

/** A unit that can be typed with an amount. */
export type AmountUnit = DoseUnit | 'IU' | 'ml' | 'mg/ml' | 'IU/ml';

/** The units of a field for a mass in mg; mcg are converted. */
export const MASS_UNITS = ['mg', 'mcg'] as const;
export const IU_UNITS = ['IU'] as const;
/** The units of a field for an amount whose measure is in another field. */
export const SUBSTANCE_AMOUNT_UNITS = ['mg', 'mcg', 'IU'] as const;
export const VOLUME_UNITS = ['ml'] as const;
export const CONCENTRATION_UNITS = ['mg/ml'] as const;
export const IU_CONCENTRATION_UNITS = ['IU/ml'] as const;

/** Spellings of units in lower case. Both micro signs (U+00B5 and U+03BC) are in use. */
const SPELLINGS: Readonly<Record<string, AmountUnit>> = {
  mg: 'mg',
  mcg: 'mcg',
  iu: 'IU',
  ui: 'IU',
  ie: 'IU',
  'iu/ml': 'IU/ml',
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
export const isThousand = (number: string): boolean => /^[1-9]\d{0,2},\d{3}$/.test(number.trim());

/** Longest input that a message repeats. */
const MAX_REPEATED = 30;

const UNIT_OF_A_SYRINGE = /^(?:u|units?)$/i;

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
  if (known === 'IU') return internationalUnitsProblem(shown, text, units);
  if (known !== undefined)
    return `${shown} is ${KIND[known]}; write ${KIND_WANTED[units[0]]} in ${units.join(' or ')}`;
  return `${isNot}; write ${readings(text, units)}`;
}

/**
 * International units where something else belongs. The slip between them and the units of a syringe is the most dangerous
 * one, so the message asks about it.
 */
function internationalUnitsProblem(shown: string, text: string, units: readonly AmountUnit[]): string {
  const figure = figureText(text);
  if (units.includes('ml'))
    return `IU measure a substance, not a volume. Did you mean ${figure} units on a U-100 syringe? That is ${new Decimal(text).times('0.01').toFixed()} ml`;
  return `${shown} is an amount in international units, which can't be converted to mg; write it in ${units.join(' or ')}. A mark on a syringe is units, not IU`;
}

const KIND: Readonly<Record<AmountUnit, string>> = {
  mg: 'a mass',
  mcg: 'a mass',
  IU: 'an amount',
  ml: 'a volume',
  'mg/ml': 'a concentration',
  'IU/ml': 'a concentration',
};

const KIND_WANTED: Readonly<Record<AmountUnit, string>> = {
  mg: 'the amount',
  mcg: 'the amount',
  IU: 'the amount',
  ml: 'the volume',
  'mg/ml': 'the concentration',
  'IU/ml': 'the concentration',
};

const EXAMPLES: Readonly<Record<AmountUnit, string>> = {
  mg: '5',
  mcg: '250',
  IU: '5000',
  ml: '2',
  'mg/ml': '2.5',
  'IU/ml': '2500',
};

/** From this number on, mcg are more likely than mg. */
const USUAL_IN_MCG = 25;

/** What a number with an unreadable unit may have meant. */
function readings(text: string, units: readonly AmountUnit[]): string {
  const plain = new Decimal(text).toFixed();
  if (!units.includes('mg') || !units.includes('mcg')) return `${plain} ${units[0] ?? ''}`.trim();
  return isUsualInMcg(text)
    ? `${plain} mcg or ${baseUnitText(text, 'mcg')} mg`
    : `${plain} mg or ${plain} mcg`;
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
  return unit === 'mcg' && first === 'mg' ? toBaseUnit(text, unit).toFixed() : text;
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
  const quantity = readQuantity(raw, SUBSTANCE_AMOUNT_UNITS);
  return quantity === null ? fields : { ...fields, [amount]: quantity.text, [unit]: quantity.unit };
}

/**
 * A dose as decimal text in `unit`, whatever unit of the same measure was typed with it.
 * @param typed "250", "250 mcg" or "0.25 mg", as `typedDose` accepted it
 * @returns the typed text if its unit is of the other measure; see {@link otherMeasureProblem}
 */
export function doseInUnit(typed: string, unit: DoseUnit): string {
  const quantity = namesUnit(typed) ? readQuantity(typed, SUBSTANCE_AMOUNT_UNITS) : null;
  if (quantity === null || substanceUnitOf(quantity.unit) !== substanceUnitOf(unit)) return typed;
  if (quantity.unit === unit) return quantity.text;
  return fromBaseUnit(toBaseUnit(quantity.text, quantity.unit), unit).toFixed();
}

/**
 * Why a dose can't be in the unit of its plan: one of the two is in IU and the other is a mass.
 * @param typed as for {@link doseInUnit}
 * @returns null if it can
 */
export function otherMeasureProblem(typed: string, unit: DoseUnit): string | null {
  const quantity = namesUnit(typed) ? readQuantity(typed, SUBSTANCE_AMOUNT_UNITS) : null;
  if (quantity === null || substanceUnitOf(quantity.unit) === substanceUnitOf(unit)) return null;
  return `${doseText(quantity.text, quantity.unit)} can’t be converted to ${unit}: IU are an activity, mg and mcg a mass. Enter the dose in ${unit}`;
}

/** The largest dose: what a vial of powder can hold. */
export const MAX_DOSE: Readonly<Record<SubstanceUnit, number>> = { mg: 100, IU: 100_000 };

/** True for a dose above zero and not larger than a vial can hold. @param text decimal text in `unit` */
export function isDoseAmount(text: string, unit: DoseUnit): boolean {
  const amount = toBaseUnit(text, unit);
  return amount.gt(0) && amount.lte(MAX_DOSE[substanceUnitOf(unit)]);
}

/**
 * The question about a dose that is too large: whether mcg were meant, if that is likely.
 * @param text decimal text in `unit`
 */
export function mcgQuestions(text: string, unit: DoseUnit): string[] {
  return unit === 'mg' && isUsualInMcg(text) && isDoseAmount(text, 'mcg') ? [mcgQuestion(text)] : [];
}

/** A dose as decimal text in the unit that its measure is calculated in, for the stock. */
export function baseUnitText(text: string, unit: DoseUnit): string {
  return toBaseUnit(text, unit).toFixed();
}

/** A dose with its unit: "250 mcg", "2,500 mcg". */
export function doseText(text: string, unit: DoseUnit): string {
  return `${figureText(text)} ${unit}`;
}

/** An exact quotient as a figure: at most 3 decimals, but at least 3 significant digits. */
export function ratioFigure(value: Ratio<string>): string {
  return figureText(readableText(value));
}

/** Whether two syringes have the same scale, so that the same number on both is the same volume. */
export function haveSameScale(one: SyringeChoice, other: SyringeChoice): boolean {
  const [a, b] = [syringeOf(one), syringeOf(other)];
  return a.scale === b.scale && a.unitsPerMl === b.unitsPerMl;
}

/** The name of a scale other than U-100, before "units": "U-40 ". */
export function scaleWords(choice: SyringeChoice): string {
  const { scale, unitsPerMl } = syringeOf(choice);
  return haveSameScale(choice, DEFAULT_SYRINGE) || scale === 'ml' ? '' : `U-${unitsPerMl} `;
}

/**
 * "1 unit", "2.5 units": always the full word, because "U" and "IU" can be read as a zero or as "IV". Units of scales other
 * than U-100 are named: "4 U-40 units". Clicks, sprays and capsules are what they are.
 */
export function unitsText(
  units: string,
  syringe: SyringeChoice = DEFAULT_SYRINGE,
  container: Container = {},
): string {
  if (!isDrawn(container.form ?? 'powder'))
    return countUnits(units, '', scaleOf({ ...container, syringe }).noun);
  if (syringeOf(syringe).scale === 'ml') return `${figureText(units)} ml`;
  return `${figureText(units)} ${scaleWords(syringe)}${new Decimal(units).eq(1) ? 'unit' : 'units'}`;
}

/**
 * The units on a syringe's scale, or the clicks, sprays or capsules, for an amount in mg or IU, as decimal text with at most 2
 * decimals, 3 in ml.
 */
export function unitsOf(
  amount: Decimal,
  strength: Ratio<'mg/ml'>,
  syringe: SyringeChoice = DEFAULT_SYRINGE,
  container: Container = {},
): string {
  const scale = scaleOf({ ...container, syringe });
  return scaleText(unitsOfVolume(quotient<'ml'>(ratio(amount), strength), scale), scale);
}
