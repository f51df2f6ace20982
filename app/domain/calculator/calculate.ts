import {
  fixedText,
  shortText,
  nearestDouble,
  exactText,
  readableText,
  floor,
  quotient,
} from '#app/domain/decimal/ratio.ts';
import {
  unitsOf,
  warningCodes,
  doseWithUnit,
  nearestMark,
  countDraws,
  fitsBarrel,
  warningMessage,
} from './syringe-draw.ts';
import { solve, type Solution, enteredNumbers, solveEntered } from './solve.ts';
import { SYRINGES, type Syringe, defaultMark } from './syringes.ts';
import type {
  CalculationFigures,
  CalculationInput,
  DrawFigures,
  CalculationDraft,
  WarningCode,
  CalculationResult,
  NearestMark,
} from './calculation.ts';
import { limitProblems, type NumberField } from './limits.ts';
import { plainText } from '#app/domain/decimal/decimal.ts';
import { formulaLines } from './formula.ts';

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

/**
 * The figures alone, much cheaper than `calculate` and equal to it to the last digit.
 * @param input within the limits
 */
export function calculateFigures(input: CalculationInput): CalculationFigures {
  return figuresOf(solve(input), SYRINGES[input.syringe]);
}

/** The figures of one row of a batch, or the fields that break a limit. */
export type CalculatedRow =
  | { readonly problems: readonly NumberField[] }
  | (DrawFigures & { readonly problems?: undefined; readonly warnings: readonly WarningCode[] });

/**
 * Checks and computes in one go: what `findLimitProblems` and then `calculate` would say, with each number read once.
 * @param draft numbers are decimal texts that `readDecimalText` accepted, or absent
 */
export function calculateRow(draft: CalculationDraft): CalculatedRow {
  const numbers = enteredNumbers(draft);
  const problems = limitProblems(draft.solveFor, numbers);
  if (problems.length > 0) return { problems };
  const exact = solveEntered(draft.solveFor, numbers);
  const syringe = SYRINGES[draft.syringe];
  const warnings = warningCodes(exact, syringe, draft.mark ?? defaultMark(syringe));
  return { ...drawFigures(exact, syringe), warnings };
}

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

/** The figures of an exact solution. */
function figuresOf(exact: Solution, syringe: Syringe): CalculationFigures {
  return {
    peptideAmount: nearestDouble(exact.amount),
    waterVolume: nearestDouble(exact.water),
    desiredDose: nearestDouble(exact.dose),
    ...drawFigures(exact, syringe),
  };
}

/** What a calculation works out, each value rounded once, half-up, from the exact one. */
function drawFigures({ concentration, volume }: Solution, syringe: Syringe): DrawFigures {
  return {
    concentration: nearestDouble(concentration),
    concentrationText: fixedText(concentration, 2),
    injectionVolume: nearestDouble(volume),
    injectionVolumeText: fixedText(volume, 3),
    unitsText: shortText(unitsOf(volume, syringe), 2),
  };
}

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
