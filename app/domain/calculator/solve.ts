import { Decimal } from '#app/domain/decimal/decimal.ts';
import { massInMg } from '#app/domain/units/quantity.ts';
import type { CalculationDraft, CalculationInput, SolveFor } from './calculation.ts';
import { ratio, type Ratio } from '#app/domain/decimal/ratio.ts';

/** The exact values of a calculation. */
export interface Solution {
  readonly amount: Ratio<'mg'>;
  readonly water: Ratio<'ml'>;
  /** Water plus what the powder takes up. */
  readonly solution: Ratio<'ml'>;
  readonly dose: Ratio<'mg'>;
  readonly volume: Ratio<'ml'>;
  readonly concentration: Ratio<'mg/ml'>;
}

/** The exact values of a calculation within the limits. */
export function solve(input: CalculationInput): Solution {
  return solveEntered(input.solveFor, enteredNumbers(input));
}

/** A product instead of a division by 1000, so that it stays exact. */
const ML_PER_UL = new Decimal('0.001');

const NOTHING = new Decimal(0);

/**
 * Solves for the one unknown. Every value is one quotient, multiplied first and never built from a rounded one:
 * dividing by an already divided concentration goes wrong in a few of a thousand cases.
 *
 * Source: concentration = amount ÷ solution, volume = dose ÷ concentration;
 * solution = water + amount × displacement ÷ 1000.
 * @param numbers complete for `solveFor`, all above zero but the displacement; what is missing counts as zero
 */
export function solveEntered(solveFor: SolveFor, numbers: EnteredNumbers): Solution {
  const { amount = NOTHING, water = NOTHING, dose = NOTHING, draw = NOTHING, displacement } = numbers;
  const powder = powderMl(amount, displacement);
  const exactAmount = ratio<'mg'>(amount);
  if (solveFor === 'water') {
    const solutionTimesDose = draw.times(amount);
    return {
      amount: exactAmount,
      water: ratio(solutionTimesDose.minus(powder.times(dose)), dose),
      solution: ratio(solutionTimesDose, dose),
      dose: ratio(dose),
      volume: ratio(draw),
      concentration: ratio(dose, draw),
    };
  }
  const solution = powder === NOTHING ? water : water.plus(powder);
  const seeksDose = solveFor === 'dose';
  return {
    amount: exactAmount,
    water: ratio(water),
    solution: ratio(solution),
    dose: seeksDose ? ratio(draw.times(amount), solution) : ratio(dose),
    volume: seeksDose ? ratio(draw) : ratio(dose.times(solution), amount),
    concentration: ratio(amount, solution),
  };
}

const powderMl = (amount: Decimal, displacement: Decimal): Decimal =>
  displacement.eq(NOTHING) ? NOTHING : amount.times(displacement).times(ML_PER_UL);

/** The numbers of a calculation as decimals: mg, ml and µl/mg. What was not entered is undefined. */
export interface EnteredNumbers {
  readonly amount: Decimal | undefined;
  readonly water: Decimal | undefined;
  readonly dose: Decimal | undefined;
  readonly draw: Decimal | undefined;
  readonly displacement: Decimal;
}

const NONE = new Decimal(0);

const decimalOf = (text: string | undefined): Decimal | undefined =>
  text === undefined ? undefined : new Decimal(text);

/** Turns the texts of a calculation into decimals. */
export function enteredNumbers(draft: CalculationDraft): EnteredNumbers {
  const { desiredDose } = draft;
  return {
    amount: decimalOf(draft.peptideAmount),
    water: decimalOf(draft.waterVolume),
    dose: desiredDose === undefined ? undefined : massInMg(desiredDose, draft.desiredDoseUnit),
    draw: decimalOf(draft.drawVolume),
    displacement: draft.displacement === '0' ? NONE : new Decimal(draft.displacement),
  };
}
