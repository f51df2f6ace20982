import { compare, Decimal, type Ratio } from '#app/domain/decimal/decimal.ts';
import { SYRINGES, type SyringeId } from '#app/domain/calculator/calculation.ts';
import {
  massInMg,
  figureText,
  haveSameScale,
  ratioFigure,
  unitsOf,
  unitsText,
} from '#app/domain/units/quantity.ts';
import type { Amount } from './dose-warnings.ts';

/** The part of a dose that comes from one vial. */
export interface DrawnPart {
  readonly vialId: string;
  /** Decimal text in mg. */
  readonly mg: string;
  /** Of the vial; null if unknown. */
  readonly strength: Ratio<'mg/ml'> | null;
}

/** A dose with the vials it is drawn from; `parts` is empty if there is none. */
export interface DrawnDose {
  readonly amount: Amount;
  readonly parts: readonly DrawnPart[];
  /** The syringe it is drawn with. */
  readonly syringe: SyringeId;
}

const mgOf = ({ text, unit }: Amount): Decimal => massInMg(text, unit);
const amountWords = ({ text, unit }: Amount): string => `${figureText(text)} ${unit}`;

/** An amount next to another: without its unit if both have the same. */
const besideWords = (amount: Amount, other: Amount): string =>
  amount.unit === other.unit ? figureText(amount.text) : amountWords(amount);

/** The total units of a dose; null if a vial has an unknown strength. */
function unitsOfDose({ parts, syringe }: DrawnDose): string | null {
  let sum = new Decimal(0);
  for (const { mg, strength } of parts) {
    if (strength === null) return null;
    sum = sum.plus(unitsOf(new Decimal(mg), strength, syringe));
  }
  return parts.length === 0 ? null : sum.toFixed();
}

/** ": 5 units, not 10", or for another scale ": 4 U-40 units, not 10 of U-100" */
function unitsWords(now: DrawnDose, last: DrawnDose | null): string {
  const units = unitsOfDose(now);
  if (units === null) return '';
  const words = `: ${unitsText(units, now.syringe)}`;
  const before = last === null || last.parts.length === 0 ? null : unitsOfDose(last);
  if (last === null || before === null) return words;
  if (!haveSameScale(now.syringe, last.syringe))
    return `${words}, not ${figureText(before)} of U-${SYRINGES[last.syringe].unitsPerMl}`;
  return units === before ? `${words}, as before` : `${words}, not ${figureText(before)}`;
}

const partWords = ({ mg, strength }: DrawnPart, syringe: SyringeId): string =>
  strength === null
    ? `${figureText(mg)} mg from a vial of unknown strength`
    : `${unitsText(unitsOf(new Decimal(mg), strength, syringe), syringe)} of ${ratioFigure(strength)} mg/ml`;

/** "This vial is 5 mg/ml, the last one was 2.5", or a note that the vial is new but equally strong. */
function vialWords(now: Ratio<'mg/ml'>, before: Ratio<'mg/ml'> | null): string {
  const strength = `${ratioFigure(now)} mg/ml`;
  if (before === null) return `First dose from this vial of ${strength}`;
  if (compare(now, before) === 0) return `First dose from this vial of ${strength}, the same as the last one`;
  return `This vial is ${strength}, the last one was ${ratioFigure(before)}`;
}

/**
 * What changed since the last dose of a compound, to read before drawing this one: the vial, its concentration, the amount
 * or the syringe. "This vial is 5 mg/ml, the last one was 2.5: 5 units, not 10." Units are those of each dose's own syringe.
 * @param last the last taken dose of the compound; null for the first one
 * @returns null if nothing changed, or too little is known to compare
 */
export function readBack(now: DrawnDose, last: DrawnDose | null): string | null {
  const [first, ...more] = now.parts;
  const before = last?.parts.at(-1) ?? null;
  const isOtherAmount = last !== null && !mgOf(now.amount).eq(mgOf(last.amount));
  const units = unitsWords(now, last);
  const amount =
    last === null || !isOtherAmount
      ? null
      : `this dose is ${amountWords(now.amount)}, the last one was ${besideWords(last.amount, now.amount)}`;
  if (more.length > 0) {
    const sum = unitsOfDose(now);
    const total = sum === null ? '' : `, ${unitsText(sum, now.syringe)} in all`;
    return `This dose comes from ${now.parts.length} vials: ${now.parts.map((part) => partWords(part, now.syringe)).join(' and ')}${total}.`;
  }
  const isOtherVial = first !== undefined && first.vialId !== before?.vialId;
  const vial =
    isOtherVial && first.strength !== null ? vialWords(first.strength, before?.strength ?? null) : null;
  const syringe =
    last === null || now.syringe === last.syringe
      ? null
      : `your syringe is ${SYRINGES[now.syringe].label}, the last dose was drawn with ${SYRINGES[last.syringe].label}`;
  if (vial === null && amount === null && syringe === null) return null;
  const sentence = [vial, amount, syringe].filter((words) => words !== null).join('; ');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${units}.`;
}
