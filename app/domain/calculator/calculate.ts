import { compareTo, Decimal, floor, plainText, ratio, readableText, type Ratio } from '../decimal/index.ts';
import { figuresOf } from './figures.ts';
import { formulaLines } from './formula.ts';
import { doseWithUnit, nearestMark } from './nearest-mark.ts';
import { solve, type Solution } from './solve.ts';
import { defaultMark, SYRINGES, type Syringe } from './syringes.ts';
import { type CalculationInput, type CalculationResult, type NearestMark } from './types.ts';
import { countDraws, warningCodes, warningMessage } from './warnings.ts';

/** An entered value exactly, a solved one rounded for reading. */
const textOf = (value: Ratio<string>, entered: boolean): string =>
  entered ? value.n.toFixed() : readableText(value);

function textsOf(input: CalculationInput, exact: Solution, syringe: Syringe) {
  return {
    peptideAmountText: exact.amount.toFixed(),
    waterVolumeText: textOf(exact.water, input.solveFor !== 'water'),
    desiredDoseText: textOf(exact.dose, input.solveFor !== 'dose'),
    displacementText: plainText(input.displacement),
    solutionVolumeText: textOf(exact.solution, input.solveFor !== 'water'),
    ...figuresOf(exact, syringe),
    desiredDoseWithUnit:
      input.solveFor === 'dose'
        ? doseWithUnit(exact.dose.n, exact.dose.d, input.desiredDoseUnit)
        : `${plainText(input.desiredDose ?? '0')} ${input.desiredDoseUnit}`,
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
  const fits = compareTo(exact.volume, new Decimal(syringe.barrelMl)) <= 0;
  return fits ? Math.min(1, mark.units / syringe.barrelUnits) : 1;
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
    dosesPerVial: Number(floor(ratio(exact.amount.times(exact.dose.d), exact.dose.n))),
    warnings: warningCodes(exact, syringe, mark).map((code) => ({
      code,
      message: warningMessage(code, syringe, draws),
    })),
    formula: formulaLines(input, texts),
    summary: summaryLine(input.peptideName, texts),
    exactConcentration: { mg: exact.concentration.n.toFixed(), ml: exact.concentration.d.toFixed() },
  };
}
