import { Decimal, ratio, type Ratio } from '../decimal/index.ts';
import { massInMg } from '../units/index.ts';
import { type CalculationInput } from './types.ts';

/** The exact values of a calculation. */
export interface Solution {
  readonly amount: Decimal;
  readonly water: Ratio<'ml'>;
  /** Water plus what the powder takes up. */
  readonly solution: Ratio<'ml'>;
  readonly dose: Ratio<'mg'>;
  readonly volume: Ratio<'ml'>;
  readonly concentration: Ratio<'mg/ml'>;
}

/** A product instead of a division by 1000, so that it stays exact. */
const ML_PER_UL = new Decimal('0.001');

/**
 * Solves for the one unknown. Every value is one quotient, multiplied first and never built from a rounded one:
 * dividing by an already divided concentration goes wrong in a few of a thousand cases.
 *
 * Source: concentration = amount ÷ solution, volume = dose ÷ concentration (the specification, section 9);
 * solution = water + amount × displacement ÷ 1000.
 * @param input complete for its `solveFor`, all numbers above zero
 */
export function solve(input: CalculationInput): Solution {
  const amount = new Decimal(input.peptideAmount);
  const powder = amount.times(input.displacement).times(ML_PER_UL);
  if (input.solveFor === 'water') {
    const dose = massInMg(input.desiredDose ?? '', input.desiredDoseUnit);
    const draw = new Decimal(input.drawVolume ?? '');
    const solutionTimesDose = draw.times(amount);
    return {
      amount,
      water: ratio(solutionTimesDose.minus(powder.times(dose)), dose),
      solution: ratio(solutionTimesDose, dose),
      dose: ratio(dose),
      volume: ratio(draw),
      concentration: ratio(dose, draw),
    };
  }
  const water = new Decimal(input.waterVolume ?? '');
  const solution = water.plus(powder);
  const known = {
    amount,
    water: ratio<'ml'>(water),
    solution: ratio<'ml'>(solution),
    concentration: ratio<'mg/ml'>(amount, solution),
  };
  if (input.solveFor === 'dose') {
    const draw = new Decimal(input.drawVolume ?? '');
    return { ...known, dose: ratio(draw.times(amount), solution), volume: ratio(draw) };
  }
  const dose = massInMg(input.desiredDose ?? '', input.desiredDoseUnit);
  return { ...known, dose: ratio(dose), volume: ratio(dose.times(solution), amount) };
}
