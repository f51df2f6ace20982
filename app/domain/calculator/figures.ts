import { fixedText, shortText } from '#app/domain/decimal/rounded-text.ts';
import { nearestDouble } from '#app/domain/decimal/to-double.ts';
import { unitsOf } from './syringe-draw.ts';
import { solve, type Solution } from './solve.ts';
import { SYRINGES, type Syringe } from './syringes.ts';
import type { CalculationFigures, CalculationInput, DrawFigures } from './calculation.ts';

/** What a calculation works out, each value rounded once, half-up, from the exact one. */
export function drawFigures({ concentration, volume }: Solution, syringe: Syringe): DrawFigures {
  return {
    concentration: nearestDouble(concentration),
    concentrationText: fixedText(concentration, 2),
    injectionVolume: nearestDouble(volume),
    injectionVolumeText: fixedText(volume, 3),
    unitsText: shortText(unitsOf(volume, syringe), 2),
  };
}

/** The figures of an exact solution. */
export function figuresOf(exact: Solution, syringe: Syringe): CalculationFigures {
  return {
    peptideAmount: nearestDouble(exact.amount),
    waterVolume: nearestDouble(exact.water),
    desiredDose: nearestDouble(exact.dose),
    ...drawFigures(exact, syringe),
  };
}

/**
 * The figures alone, much cheaper than `calculate` and equal to it to the last digit.
 * @param input within the limits
 */
export function calculateFigures(input: CalculationInput): CalculationFigures {
  return figuresOf(solve(input), SYRINGES[input.syringe]);
}
