import { fixedText, nearestDouble, ratio, shortText } from '../decimal/index.ts';
import { solve, type Solution } from './solve.ts';
import { defaultMark, SYRINGES, type Syringe } from './syringes.ts';
import { type CalculationFigures, type CalculationInput, type WarningCode } from './types.ts';
import { warningCodes } from './warnings.ts';

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

/**
 * The figures with the codes of their warnings, for a row of a batch.
 * @param input within the limits
 */
export function calculateRow(
  input: CalculationInput,
): CalculationFigures & { readonly warnings: readonly WarningCode[] } {
  const exact = solve(input);
  const syringe = SYRINGES[input.syringe];
  const warnings = warningCodes(exact, syringe, input.mark ?? defaultMark(syringe));
  return { ...figuresOf(exact, syringe), warnings };
}
