import { exactText, readableText } from '#app/domain/decimal/rounded-text.ts';
import { floor, quotient } from '#app/domain/decimal/ratio.ts';
import { plainText } from '#app/domain/decimal/decimal-text.ts';
import { figuresOf } from './figures.ts';
import { formulaLines } from './formula.ts';
import { doseWithUnit, nearestMark } from './syringe-draw.ts';
import { solve, type Solution } from './solve.ts';
import { defaultMark, SYRINGES, type Syringe } from './syringes.ts';
import type { CalculationInput, CalculationResult, NearestMark } from './calculation.ts';
import { countDraws, fitsBarrel, warningCodes, warningMessage } from './warnings.ts';

function textsOf(input: CalculationInput, exact: Solution, syringe: Syringe) {
  const seeksDose = input.solveFor === 'dose';
  const seeksWater = input.solveFor === 'water';
  return {
    peptideAmountText: plainText(input.peptideAmount),
    waterVolumeText: seeksWater ? readableText(exact.water) : exactText(exact.water),
    desiredDoseText: seeksDose ? readableText(exact.dose) : exactText(exact.dose),
    displacementText: plainText(input.displacement),
    solutionVolumeText: seeksWater ? readableText(exact.solution) : exactText(exact.solution),
    desiredDoseWithUnit: seeksDose
      ? doseWithUnit(exact.dose, input.desiredDoseUnit)
      : `${plainText(input.desiredDose ?? '0')} ${input.desiredDoseUnit}`,
    ...figuresOf(exact, syringe),
    syringe,
  };
}

type Texts = ReturnType<typeof textsOf>;

function summaryLine(name: string | undefined, texts: Texts): string {
  const mix = `${texts.peptideAmountText} mg + ${texts.waterVolumeText} ml = ${texts.concentrationText} mg/ml`;
  const draw = `${texts.desiredDoseText} mg = ${texts.injectionVolumeText} ml (${texts.unitsText} units)`;
  return `${name ? `${name}: ` : ''}${mix}; ${draw}`;
}

function solvedText(input: CalculationInput, texts: Texts): string {
  if (input.solveFor === 'water') return `${texts.waterVolumeText} ml`;
  if (input.solveFor === 'dose') return texts.desiredDoseWithUnit;
  return `${texts.injectionVolumeText} ml`;
}

function fillOf(exact: Solution, syringe: Syringe, mark: NearestMark): number {
  return fitsBarrel(exact, syringe) ? Math.min(1, mark.units / syringe.barrelUnits) : 1;
}

/**
 * The calculator: the one place where page, offline page, API and command line get their figures from.
 * All arithmetic is decimal and exact; shown texts are rounded half-up from the exact quotient.
 * @param input within the limits (`findLimitProblems` found none)
 */
export function calculate(input: CalculationInput): CalculationResult {
  const exact = solve(input);
  const syringe = SYRINGES[input.syringe];
  const mark = input.mark ?? defaultMark(syringe);
  const texts = textsOf(input, exact, syringe);
  const nearest = nearestMark(exact, syringe, mark, input.desiredDoseUnit);
  const draws = countDraws(exact, syringe);
  return {
    solveFor: input.solveFor,
    peptideName: input.peptideName,
    notes: input.notes,
    desiredDoseUnit: input.desiredDoseUnit,
    ...texts,
    solvedText: solvedText(input, texts),
    mark,
    nearestMark: nearest,
    fillFraction: fillOf(exact, syringe, nearest),
    drawsNeeded: draws,
    dosesPerVial: Number(floor(quotient(exact.amount, exact.dose))),
    warnings: warningCodes(exact, syringe, mark).map((code) => ({
      code,
      message: warningMessage(code, syringe, draws),
    })),
    formula: formulaLines(input, texts),
    summary: summaryLine(input.peptideName, texts),
    exactConcentration: { mg: String(exact.concentration.n), ml: String(exact.concentration.d) },
  };
}
