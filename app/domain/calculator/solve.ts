import { Decimal } from '#app/domain/decimal/decimal.ts';
import { ratio, type Ratio } from '#app/domain/decimal/ratio.ts';
import { entered, type Entered } from './entered-decimals.ts';
import type { CalculationInput, SolveFor } from './calculation.ts';

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

/** A product instead of a division by 1000, so that it stays exact. */
const ML_PER_UL = new Decimal('0.001');

const NOTHING = new Decimal(0);

const powderMl = (amount: Decimal, displacement: Decimal): Decimal =>
  displacement.eq(NOTHING) ? NOTHING : amount.times(displacement).times(ML_PER_UL);

/**
 * Solves for the one unknown. Every value is one quotient, multiplied first and never built from a rounded one:
 * dividing by an already divided concentration goes wrong in a few of a thousand cases.
 *
 * Source: concentration = amount ÷ solution, volume = dose ÷ concentration (the specification, section 9);
 * solution = water + amount × displacement ÷ 1000.
 * @param numbers complete for `solveFor`, all above zero but the displacement; what is missing counts as zero
 */
export function solveEntered(solveFor: SolveFor, numbers: Entered): Solution {
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

/** The exact values of a calculation within the limits. */
export function solve(input: CalculationInput): Solution {
  return solveEntered(input.solveFor, entered(input));
}
