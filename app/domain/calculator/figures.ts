import { fixedText, nearestDouble, ratio, shortText } from '../decimal/index.ts';
import { solve, type Solution } from './solve.ts';
import { SYRINGES, type Syringe } from './syringes.ts';
import { type CalculationFigures, type CalculationInput } from './types.ts';

/** The figures of an exact solution, each rounded once, half-up. */
export function figuresOf(exact: Solution, syringe: Syringe): CalculationFigures {
  const { volume } = exact;
  return {
    peptideAmount: nearestDouble(ratio(exact.amount)),
    waterVolume: nearestDouble(exact.water),
    desiredDose: nearestDouble(exact.dose),
    concentration: nearestDouble(exact.concentration),
    concentrationText: fixedText(exact.concentration, 2),
    injectionVolume: nearestDouble(volume),
    injectionVolumeText: fixedText(volume, 3),
    unitsText: shortText(ratio(volume.n.times(syringe.unitsPerMl), volume.d), 2),
  };
}

/**
 * The figures alone, much cheaper than `calculate` and equal to it to the last digit.
 * @param input within the limits
 */
export function calculateFigures(input: CalculationInput): CalculationFigures {
  return figuresOf(solve(input), SYRINGES[input.syringe]);
}
