import {
  Decimal,
  plainText,
  ratio,
  type Ratio,
  fixedText,
  shortText,
  nearestDouble,
  exactText,
  readableText,
  floor,
  quotient,
} from '#app/domain/decimal/decimal.ts';
import { massInMg } from '#app/domain/units/quantity.ts';
import type {
  CalculationDraft,
  CalculationInput,
  SolveFor,
  CalculationResult,
  FormulaLine,
  CalculationFigures,
  DrawFigures,
  WarningCode,
  NearestMark,
} from './calculation.ts';
import {
  unitsOf,
  warningCodes,
  doseWithUnit,
  nearestMark,
  countDraws,
  fitsBarrel,
  warningMessage,
  SYRINGES,
  type Syringe,
  defaultMark,
} from './syringes.ts';
import { limitProblems, type NumberField } from './calculation-schema.ts';

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

type Known = Pick<
  CalculationResult,
  | 'peptideAmountText'
  | 'waterVolumeText'
  | 'desiredDoseText'
  | 'displacementText'
  | 'solutionVolumeText'
  | 'concentrationText'
  | 'injectionVolumeText'
  | 'unitsText'
  | 'syringe'
>;

const isDisplaced = (known: Known): boolean => known.displacementText !== '0';

const drawText = (input: CalculationInput): string => plainText(input.drawVolume ?? '0');

function solutionLine(known: Known): FormulaLine {
  return {
    name: 'Solution volume',
    rule: 'water volume + peptide amount × displacement ÷ 1000',
    numbers: `${known.waterVolumeText} ml + ${known.peptideAmountText} mg × ${known.displacementText} µl/mg ÷ 1000`,
    result: `${known.solutionVolumeText} ml`,
  };
}

function concentrationLine(known: Known, input: CalculationInput): FormulaLine {
  const name = 'Concentration';
  const result = `${known.concentrationText} mg/ml`;
  if (input.solveFor === 'water') {
    // not by way of the water, which is shown rounded
    const numbers = `${known.desiredDoseText} mg ÷ ${drawText(input)} ml`;
    return { name, rule: 'desired dose ÷ draw volume', numbers, result };
  }
  const divisor = isDisplaced(known) ? 'solution volume' : 'water volume';
  const numbers = `${known.peptideAmountText} mg ÷ ${known.solutionVolumeText} ml`;
  return { name, rule: `peptide amount ÷ ${divisor}`, numbers, result };
}

/** The volume step, and the same step in units. Units are worked out from the exact draw, not from its rounded text. */
function drawLines(known: Known, input: CalculationInput): FormulaLine[] {
  const perMl = known.syringe.unitsPerMl;
  const inUnits = { name: 'Units', result: known.unitsText };
  if (input.solveFor !== 'volume') {
    return [{ ...inUnits, rule: `draw volume × ${perMl}`, numbers: `${drawText(input)} ml × ${perMl}` }];
  }
  const numbers = `${known.desiredDoseText} mg × ${known.solutionVolumeText} ml ÷ ${known.peptideAmountText} mg`;
  return [
    {
      name: 'Injection volume',
      rule: 'desired dose ÷ concentration',
      numbers,
      result: `${known.injectionVolumeText} ml`,
    },
    { ...inUnits, rule: `injection volume × ${perMl}`, numbers: `${numbers} × ${perMl}` },
  ];
}

function waterLine(known: Known, input: CalculationInput): FormulaLine {
  const displaced = isDisplaced(known);
  const numbers = `${drawText(input)} ml × ${known.peptideAmountText} mg ÷ ${known.desiredDoseText} mg`;
  const less = ` − ${known.peptideAmountText} mg × ${known.displacementText} µl/mg ÷ 1000`;
  return {
    name: 'Water volume',
    rule: `draw volume × peptide amount ÷ desired dose${displaced ? ' − peptide amount × displacement ÷ 1000' : ''}`,
    numbers: displaced ? numbers + less : numbers,
    result: `${known.waterVolumeText} ml`,
  };
}

function doseLine(known: Known, input: CalculationInput): FormulaLine {
  return {
    name: 'Dose',
    rule: 'draw volume × concentration',
    numbers: `${drawText(input)} ml × ${known.peptideAmountText} mg ÷ ${known.solutionVolumeText} ml`,
    result: `${known.desiredDoseText} mg`,
  };
}

/** The arithmetic of a result, step by step, with its numbers in it. */
function formulaLines(input: CalculationInput, known: Known): FormulaLine[] {
  const lines: FormulaLine[] = [];
  if (input.solveFor === 'water') lines.push(waterLine(known, input));
  else if (isDisplaced(known)) lines.push(solutionLine(known));
  lines.push(concentrationLine(known, input));
  if (input.solveFor === 'dose') lines.push(doseLine(known, input));
  return [...lines, ...drawLines(known, input)];
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
