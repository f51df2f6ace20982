import {
  ceil,
  compare,
  difference,
  product,
  quotient,
  ratio,
  type Ratio,
  fixedText,
  readableText,
  shortText,
  nearestDouble,
  Decimal,
  plainText,
  exactText,
  floor,
  sum,
} from '#app/domain/decimal/decimal.ts';
import {
  findLimitProblems,
  type Solution,
  solve,
  solveComponents,
  enteredNumbers,
  solveEntered,
  limitProblems,
  type NumberField,
  MAX_WATER_ML,
  MIN_WATER_ML,
} from './solve.ts';
import {
  type MeasuredContent,
  type MarkUnits,
  type Syringe,
  SYRINGES,
  defaultMark,
  type DoseUnit,
  type NearestMark,
  type WarningCode,
  type CalculationResult,
  type CalculationInput,
  type FormulaLine,
  type CalculationFigures,
  type DrawFigures,
  type CalculationDraft,
  type ComponentFigures,
} from './calculation.ts';
import { blendName, componentsOf } from './components.ts';
import { doseWithUnit, isFarOff, nearestMark, nearestUnits, unitsOfVolume } from './nearest-mark.ts';

const HUNDRED_PERCENT: Ratio<'percent'> = { n: 100n, d: 1n };

const ONE_MG: Ratio<'mg'> = { n: 1n, d: 1n };

/** Thresholds of the warnings. */
const SMALL_VOLUME: Ratio<'ml'> = ratio(new Decimal('0.1'));
const LARGE_VOLUME: Ratio<'ml'> = ratio(new Decimal(1));
/** At these limits the water cannot be changed further, so advice to use more or less makes no sense. */
const MOST_WATER: Ratio<'ml'> = ratio(MAX_WATER_ML);
const LEAST_WATER: Ratio<'ml'> = ratio(MIN_WATER_ML);
const HIGH_CONCENTRATION: Ratio<'mg/ml'> = ratio(new Decimal(10));

const barrel = (syringe: Syringe): Ratio<'ml'> => ({
  n: BigInt(syringe.barrelUnits),
  d: BigInt(syringe.unitsPerMl),
});

/** True if the volume fits into one draw of this barrel. */
function fitsBarrel(exact: Solution, syringe: Syringe): boolean {
  return compare(exact.volume, barrel(syringe)) <= 0;
}

/** How many draws of this barrel the volume takes. */
function countDraws(exact: Solution, syringe: Syringe): number {
  return Number(ceil(quotient(exact.volume, barrel(syringe))));
}

/** Codes of the warnings that apply, in the order they are shown. Exact values are compared, never rounded ones. */
function warningCodes(exact: Solution, syringe: Syringe, mark: MarkUnits): WarningCode[] {
  const codes: WarningCode[] = [];
  if (compare(exact.volume, SMALL_VOLUME) < 0 && compare(exact.water, MOST_WATER) < 0)
    codes.push('SMALL_VOLUME');
  if (compare(exact.volume, LARGE_VOLUME) > 0 && compare(exact.water, LEAST_WATER) > 0)
    codes.push('LARGE_VOLUME');
  // Of everything dissolved, because mixing does not depend on which component the dose is for.
  if (compare(quotient<'mg/ml'>(exact.total, exact.solution), HIGH_CONCENTRATION) > 0)
    codes.push('HIGH_CONCENTRATION');
  if (!fitsBarrel(exact, syringe)) codes.push('SEVERAL_DRAWS');
  const drawn = unitsOfVolume(exact.volume, syringe);
  const units = nearestUnits(drawn, mark);
  if (units.n === 0n) codes.push('BELOW_FIRST_MARK');
  else if (isFarOff(units, drawn)) codes.push('MARK_ERROR');
  return codes;
}

/**
 * The text of a warning. More water dilutes the solution, so that a dose fills more of the syringe; less water makes the
 * draw smaller.
 */
export function warningMessage(code: WarningCode, syringe: Syringe, draws: number): string {
  switch (code) {
    case 'SMALL_VOLUME':
      return 'Very small injection volume - consider using more water for reconstitution';
    case 'LARGE_VOLUME':
      return 'Large injection volume - consider using less water for reconstitution';
    case 'HIGH_CONCENTRATION':
      return 'High concentration - ensure proper mixing and sterility';
    case 'SEVERAL_DRAWS':
      return `This draw does not fit a ${syringe.label} syringe: it takes ${draws} draws`;
    case 'BELOW_FIRST_MARK':
      return `This draw is half a mark or less on a ${syringe.label} syringe and cannot be measured with it`;
    case 'MARK_ERROR':
      return `The nearest mark of a ${syringe.label} syringe is more than 5% off the desired dose`;
  }
}

/** A draw at a known concentration. */
export interface Draw {
  /** ml, 3 decimals. */
  readonly volumeText: string;
  /** Units of the result's syringe, at most 2 decimals. */
  readonly unitsText: string;
  readonly nearestMark: NearestMark;
}

/**
 * The draw for another dose from the same vial: volume = dose × ml ÷ mg.
 * @param doseMg decimal text above zero, mg
 * @param unit of the dose that the nearest mark delivers
 */
export function drawForDose(
  { exactConcentration: { mg, ml }, syringe }: Pick<CalculationResult, 'exactConcentration' | 'syringe'>,
  doseMg: string,
  unit: DoseUnit = 'mg',
): Draw {
  const dose = ratio<'mg'>(new Decimal(doseMg));
  const volume = quotient<'ml'>(dose, { n: BigInt(mg), d: BigInt(ml) });
  return {
    volumeText: fixedText(volume, 3),
    unitsText: shortText(unitsOfVolume(volume, syringe), 2),
    nearestMark: nearestMark({ volume, dose }, syringe, defaultMark(syringe), unit),
  };
}

type Known = Pick<
  CalculationResult,
  | 'components'
  | 'doseOf'
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

/** The contents of the vial, as the formula writes them: "5 mg", "(5 + 5) mg". */
function totalText({ components }: Known): string {
  const sum = components.map(({ amountText }) => amountText).join(' + ');
  return components.length > 1 ? `(${sum}) mg` : `${sum} mg`;
}

function solutionLine(known: Known): FormulaLine {
  return {
    name: 'Solution volume',
    rule: 'water volume + peptide amount × displacement ÷ 1000',
    numbers: `${known.waterVolumeText} ml + ${totalText(known)} × ${known.displacementText} µl/mg ÷ 1000`,
    result: `${known.solutionVolumeText} ml`,
  };
}

/** "Concentration"; for a blend "Concentration of TB-500". */
const named = (what: string, { name }: ComponentFigures, known: Known): string =>
  known.components.length > 1 && name !== undefined ? `${what} of ${name}` : what;

function concentrationLines(known: Known, input: CalculationInput): FormulaLine[] {
  return known.components.map((component) => {
    const name = named('Concentration', component, known);
    const result = `${component.concentrationText} mg/ml`;
    if (input.solveFor === 'water') {
      // Not calculated from the water, which is shown rounded.
      const isDosed = component.name === known.doseOf || known.components.length === 1;
      const share = isDosed ? '' : ` × ${component.amountText} mg ÷ ${known.peptideAmountText} mg`;
      return {
        name,
        rule: `desired dose ÷ draw volume${isDosed ? '' : ' × its share'}`,
        numbers: `${known.desiredDoseText} mg ÷ ${drawText(input)} ml${share}`,
        result,
      };
    }
    const divisor = isDisplaced(known) ? 'solution volume' : 'water volume';
    const numbers = `${component.amountText} mg ÷ ${known.solutionVolumeText} ml`;
    return { name, rule: `peptide amount ÷ ${divisor}`, numbers, result };
  });
}

/** The doses of the other components in the draw. */
function otherDoseLines(known: Known): FormulaLine[] {
  const others = known.components.filter(({ name }) => known.doseOf !== undefined && name !== known.doseOf);
  return others.map((component) => ({
    name: named('Dose', component, known),
    rule: `dose of ${known.doseOf ?? ''} × amount ÷ amount of ${known.doseOf ?? ''}`,
    numbers: `${known.desiredDoseText} mg × ${component.amountText} mg ÷ ${known.peptideAmountText} mg`,
    result: `${component.doseText} mg`,
  }));
}

/** The volume step, and the same step in units, which are calculated from the exact draw and not from its rounded text. */
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
  const less = ` − ${totalText(known)} × ${known.displacementText} µl/mg ÷ 1000`;
  return {
    name: 'Water volume',
    rule: `draw volume × peptide amount ÷ desired dose${displaced ? ' − peptide amount × displacement ÷ 1000' : ''}`,
    numbers: displaced ? numbers + less : numbers,
    result: `${known.waterVolumeText} ml`,
  };
}

function doseLine(known: Known, input: CalculationInput): FormulaLine {
  return {
    name: known.doseOf === undefined ? 'Dose' : `Dose of ${known.doseOf}`,
    rule: 'draw volume × concentration',
    numbers: `${drawText(input)} ml × ${known.peptideAmountText} mg ÷ ${known.solutionVolumeText} ml`,
    result: `${known.desiredDoseText} mg`,
  };
}

/** The arithmetic of a result, step by step, with its numbers. */
function formulaLines(input: CalculationInput, known: Known): FormulaLine[] {
  const lines: FormulaLine[] = [];
  if (input.solveFor === 'water') lines.push(waterLine(known, input));
  else if (isDisplaced(known)) lines.push(solutionLine(known));
  lines.push(...concentrationLines(known, input));
  if (input.solveFor === 'dose') lines.push(doseLine(known, input));
  return [...lines, ...drawLines(known, input), ...otherDoseLines(known)];
}

/**
 * The calculator: the only place that calculates figures for the page, the offline page, the API and the command line.
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
    measured: measuredContent(input, exact, syringe),
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
    summary: summaryLine(input, texts),
    exactConcentration: { mg: String(exact.concentration.n), ml: String(exact.concentration.d) },
  };
}

/**
 * Only the figures, much cheaper than `calculate` and equal to the last digit.
 * @param input within the limits
 */
export function calculateFigures(input: CalculationInput): CalculationFigures {
  return figuresOf(input, solve(input), SYRINGES[input.syringe]);
}

/** The figures of one row of a batch, or the fields that break a limit. */
export type CalculatedRow =
  | { readonly problems: readonly NumberField[] }
  | (DrawFigures & { readonly problems?: undefined; readonly warnings: readonly WarningCode[] });

/**
 * Checks and calculates in one step, like `findLimitProblems` followed by `calculate`, but reads each number only once.
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
    peptideAmountText: plainText(input.measuredAmount ?? input.peptideAmount),
    waterVolumeText: seeksWater ? readableText(exact.water) : exactText(exact.water),
    desiredDoseText: seeksDose ? readableText(exact.dose) : exactText(exact.dose),
    displacementText: plainText(input.displacement),
    solutionVolumeText: seeksWater ? readableText(exact.solution) : exactText(exact.solution),
    desiredDoseWithUnit: seeksDose
      ? doseWithUnit(exact.dose, input.desiredDoseUnit)
      : `${plainText(input.desiredDose ?? '0')} ${input.desiredDoseUnit}`,
    components: componentFigures(input, exact),
    totalAmountText: exactText(exact.total),
    doseOf: input.components === undefined ? undefined : dosedName(input),
    ...figuresOf(input, exact, syringe),
    syringe,
  };
}

function dosedName(input: CalculationInput): string | undefined {
  const { components, dosed } = componentsOf(input);
  return components[dosed]?.name;
}

/**
 * The dose of each component in a draw, in the order of the label; one row for a single peptide.
 * @param input within the limits
 */
export function calculateComponents(input: CalculationInput): readonly ComponentFigures[] {
  return componentFigures(input, solve(input));
}

function componentFigures(input: CalculationInput, exact: Solution): readonly ComponentFigures[] {
  const { components, dosed } = componentsOf(input);
  return solveComponents(input, exact).map(({ amount, concentration, dose }, at) => {
    // A dose that was typed is shown as typed.
    const isTyped = at === dosed && input.solveFor !== 'dose';
    return {
      name: components[at]?.name,
      amount: nearestDouble(amount),
      amountText: exactText(amount),
      concentration: nearestDouble(concentration),
      concentrationText: fixedText(concentration, 2),
      dose: nearestDouble(dose),
      doseText: isTyped ? exactText(exact.dose) : readableText(dose),
      doseWithUnit: doseWithUnit(dose, compare(dose, ONE_MG) < 0 ? 'mcg' : 'mg'),
    };
  });
}

type Texts = ReturnType<typeof textsOf>;

/** The figures of an exact solution; the amount is the printed one. */
function figuresOf(input: CalculationInput, exact: Solution, syringe: Syringe): CalculationFigures {
  return {
    peptideAmount: nearestDouble(
      input.measuredAmount === undefined ? exact.amount : ratio(new Decimal(input.peptideAmount)),
    ),
    waterVolume: nearestDouble(exact.water),
    desiredDose: nearestDouble(exact.dose),
    ...drawFigures(exact, syringe),
  };
}

/** The calculated figures, each rounded once, half-up, from the exact value. */
function drawFigures({ concentration, volume }: Solution, syringe: Syringe): DrawFigures {
  return {
    concentration: nearestDouble(concentration),
    concentrationText: fixedText(concentration, 2),
    injectionVolume: nearestDouble(volume),
    injectionVolumeText: fixedText(volume, 3),
    unitsText: shortText(unitsOfVolume(volume, syringe), 2),
  };
}

/** "5 mg"; for a blend "BPC-157 5 mg + TB-500 5 mg". */
function partsText(parts: readonly ComponentFigures[], textOf: (part: ComponentFigures) => string): string {
  return parts
    .map((part) => (parts.length > 1 ? `${part.name ?? ''} ${textOf(part)}` : textOf(part)))
    .join(' + ');
}

function summaryLine(
  { peptideName, components, measuredAmount, peptideAmount }: CalculationInput,
  texts: Texts,
): string {
  const amounts = partsText(texts.components, ({ amountText }) => `${amountText} mg`);
  const concentrations = partsText(texts.components, ({ concentrationText }) => `${concentrationText} mg/ml`);
  const doses = partsText(texts.components, ({ doseText }) => `${doseText} mg`);
  const mix = `${amounts} + ${texts.waterVolumeText} ml = ${concentrations}`;
  const draw = `${doses} = ${texts.injectionVolumeText} ml (${texts.unitsText} units)`;
  const printed =
    measuredAmount === undefined ? '' : ` (measured content; ${plainText(peptideAmount)} mg printed)`;
  const isNamed = peptideName && (components === undefined || peptideName !== blendName(components));
  return `${isNamed ? `${peptideName}: ` : ''}${mix}; ${draw}${printed}`;
}

/** "0.42 units less", from the exact values: a difference is never shown as zero. */
function changeText<U extends string>(
  of: Ratio<U>,
  from: Ratio<U>,
  textOf: (size: Ratio<U>) => string,
): string {
  const { n, d } = difference(of, from);
  return `${textOf({ n: n < 0n ? -n : n, d })} ${n < 0n ? 'less' : 'more'}`;
}

/** The difference that the measured content makes, in figures and words. */
function measuredContent(
  input: CalculationInput,
  exact: Solution,
  syringe: Syringe,
): MeasuredContent | undefined {
  const { measuredAmount, ...printed } = input;
  if (measuredAmount === undefined) return undefined;
  const [amountText, printedText] = [plainText(measuredAmount), plainText(input.peptideAmount)];
  const printedMg = ratio<'mg'>(new Decimal(input.peptideAmount));
  const isSame = compare(exact.amount, printedMg) === 0;
  const percent = (size: Ratio<'mg'>) => {
    const text = shortText(product(quotient(size, printedMg), HUNDRED_PERCENT), 1);
    return `${text === '0' ? 'under 0.1' : text}%`;
  };
  const differenceText = isSame ? 'as printed' : changeText(exact.amount, printedMg, percent);
  const use = `Calculated with the measured ${amountText} mg in place of the printed ${printedText} mg (${differenceText}).`;
  const figures = { amountText, printedText, differenceText };
  if (isSame || findLimitProblems(printed).length > 0) return { ...figures, byPrinted: undefined, note: use };
  const byPrinted = byPrintedText(input, { exact, printed: solve(printed) }, syringe);
  return { ...figures, byPrinted, note: `${use} With the printed amount it would be ${byPrinted}.` };
}

/** The result for the printed amount, how far it is off, and the dose that would really be drawn. */
function byPrintedText(
  { solveFor, desiredDoseUnit }: CalculationInput,
  { exact, printed }: { exact: Solution; printed: Solution },
  syringe: Syringe,
): string {
  const dose = (size: Ratio<'mg'>) => doseWithUnit(size, desiredDoseUnit);
  if (solveFor === 'dose') return `${dose(printed.dose)}, ${changeText(printed.dose, exact.dose, dose)}`;
  const solution = sum(printed.water, difference(exact.solution, exact.water));
  const held = `for a true dose of ${dose(quotient(product(printed.volume, exact.amount), solution))}`;
  const inMl = (size: Ratio<'ml'>) => `${readableText(size)} ml`;
  if (solveFor === 'water')
    return `${inMl(printed.water)} of water, ${changeText(printed.water, exact.water, inMl)}, ${held}`;
  const { injectionVolumeText, unitsText } = drawFigures(printed, syringe);
  const units = (size: Ratio<'units'>) => `${readableText(size)} units`;
  const change = changeText(
    unitsOfVolume(printed.volume, syringe),
    unitsOfVolume(exact.volume, syringe),
    units,
  );
  return `${injectionVolumeText} ml (${unitsText} units), ${change}, ${held}`;
}

function solvedText(input: CalculationInput, texts: Texts): string {
  if (input.solveFor === 'water') return `${texts.waterVolumeText} ml`;
  if (input.solveFor === 'dose') return texts.desiredDoseWithUnit;
  return `${texts.injectionVolumeText} ml`;
}

function fillOf(exact: Solution, syringe: Syringe, mark: NearestMark): number {
  return fitsBarrel(exact, syringe) ? Math.min(1, mark.units / syringe.barrelUnits) : 1;
}
