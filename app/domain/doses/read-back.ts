import { compare, Decimal, type Ratio } from '#app/domain/decimal/decimal.ts';
import {
  isDrawn,
  substanceUnitOf,
  syringeIdOf,
  syringeOf,
  type DoseUnit,
  type SyringeChoice,
} from '#app/domain/calculator/calculation.ts';
import type { Container } from '#app/domain/calculator/nearest-mark.ts';
import { figureText } from '#app/domain/decimal/figure-text.ts';
import { toBaseUnit, haveSameScale, ratioFigure, unitsOf, unitsText } from '#app/domain/units/quantity.ts';
import type { Amount } from './dose-warnings.ts';

/** The part of a dose that comes from one vial. */
export interface DrawnPart {
  readonly vialId: string;
  /** Decimal text in mg or IU. */
  readonly mg: string;
  /** Of the vial; null if unknown. */
  readonly strength: Ratio<'mg/ml'> | null;
  /** "mg/ml", "IU/ml", "mg each". */
  readonly strengthUnit: string;
  /** What the hand counts with. */
  readonly container: Container;
}

/** A dose with the vials it is drawn from; `parts` is empty if there is none. */
export interface DrawnDose {
  readonly amount: Amount;
  readonly parts: readonly DrawnPart[];
  /** The syringe it is drawn with. */
  readonly syringe: SyringeChoice;
}

const mgOf = ({ text, unit }: Amount): Decimal => toBaseUnit(text, unit);
const amountWords = ({ text, unit }: Amount): string => `${figureText(text)} ${unit}`;

/** An amount next to another: without its unit if both have the same. */
const besideWords = (amount: Amount, other: Amount): string =>
  amount.unit === other.unit ? figureText(amount.text) : amountWords(amount);

/** The total units of a dose; null if a vial has an unknown strength. */
function unitsOfDose({ parts, syringe }: DrawnDose): string | null {
  let sum = new Decimal(0);
  for (const { mg, strength, container } of parts) {
    if (strength === null || container.form !== parts[0]?.container.form) return null;
    sum = sum.plus(unitsOf(new Decimal(mg), strength, syringe, container));
  }
  return parts.length === 0 ? null : sum.toFixed();
}

/** What the hand counts with for a dose. */
const containerOf = ({ parts }: DrawnDose): Container => parts[0]?.container ?? {};

/** Whether the numbers of two doses count the same. */
const countAlike = (now: DrawnDose, last: DrawnDose): boolean => {
  const [a, b] = [containerOf(now), containerOf(last)];
  const isSame = isDrawn(a.form ?? 'powder') === isDrawn(b.form ?? 'powder') && a.clickMl === b.clickMl;
  return isSame && a.sprayMl === b.sprayMl && haveSameScale(now.syringe, last.syringe);
};

/** "10 of U-100", or "0.1 ml" on a syringe that is marked in ml. */
const scaleFigure = (units: string, dose: DrawnDose): string => {
  const { scale, unitsPerMl } = syringeOf(dose.syringe);
  return scale === 'ml' || !isDrawn(containerOf(dose).form ?? 'powder')
    ? unitsText(units, dose.syringe, containerOf(dose))
    : `${figureText(units)} of U-${unitsPerMl}`;
};

/** Whether the hand does the same with both: the same syringe, and its owner has not changed its measures since. */
const isSameSyringe = (now: SyringeChoice, last: SyringeChoice): boolean =>
  syringeIdOf(now) === syringeIdOf(last) &&
  haveSameScale(now, last) &&
  syringeOf(now).barrelMl === syringeOf(last).barrelMl &&
  syringeOf(now).marks[0] === syringeOf(last).marks[0];

/** ": 5 units, not 10", or for another scale ": 4 U-40 units, not 10 of U-100" */
function unitsWords(now: DrawnDose, last: DrawnDose | null): string {
  const units = unitsOfDose(now);
  if (units === null) return '';
  const words = `: ${unitsText(units, now.syringe, containerOf(now))}`;
  const before = last === null || last.parts.length === 0 ? null : unitsOfDose(last);
  if (last === null || before === null) return words;
  if (!countAlike(now, last)) return `${words}, not ${scaleFigure(before, last)}`;
  return units === before ? `${words}, as before` : `${words}, not ${figureText(before)}`;
}

/** "your syringe is U-40 1 ml, the last dose was drawn with U-100 1 ml" */
function syringeWords(now: SyringeChoice, last: SyringeChoice): string {
  const { label } = syringeOf(now);
  if (syringeIdOf(now) === syringeIdOf(last))
    return `the measures of ${label} have changed since the last dose`;
  return `your syringe is ${label}, the last dose was drawn with ${syringeOf(last).label}`;
}

const partWords = (
  { mg, strength, strengthUnit, container }: DrawnPart,
  syringe: SyringeChoice,
  unit: DoseUnit,
): string =>
  strength === null
    ? `${figureText(mg)} ${substanceUnitOf(unit)} from a vial of unknown strength`
    : `${unitsText(unitsOf(new Decimal(mg), strength, syringe, container), syringe, container)} of ${ratioFigure(strength)} ${strengthUnit}`;

/** "This vial is 5 mg/ml, the last one was 2.5", or a note that the vial is new but equally strong; null for the same vial. */
function vialWords(first: DrawnPart | undefined, last: DrawnPart | null): string | null {
  if (first === undefined || first.strength === null || first.vialId === last?.vialId) return null;
  const { strength: now, strengthUnit } = first;
  const strength = `${ratioFigure(now)} ${strengthUnit}`;
  // The strength of another form cannot be compared.
  const before = last?.strengthUnit === strengthUnit ? last.strength : null;
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
  const isOtherAmount =
    last !== null &&
    (substanceUnitOf(now.amount.unit) !== substanceUnitOf(last.amount.unit) ||
      !mgOf(now.amount).eq(mgOf(last.amount)));
  const units = unitsWords(now, last);
  const amount =
    last === null || !isOtherAmount
      ? null
      : `this dose is ${amountWords(now.amount)}, the last one was ${besideWords(last.amount, now.amount)}`;
  if (more.length > 0) {
    const sum = unitsOfDose(now);
    const total = sum === null ? '' : `, ${unitsText(sum, now.syringe, containerOf(now))} in all`;
    return `This dose comes from ${now.parts.length} vials: ${now.parts.map((part) => partWords(part, now.syringe, now.amount.unit)).join(' and ')}${total}.`;
  }
  const vial = vialWords(first, before);
  const syringe =
    last === null || isSameSyringe(now.syringe, last.syringe)
      ? null
      : syringeWords(now.syringe, last.syringe);
  if (vial === null && amount === null && syringe === null) return null;
  const sentence = [vial, amount, syringe].filter((words) => words !== null).join('; ');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${units}.`;
}
