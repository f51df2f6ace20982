import { figureText } from '#app/domain/decimal/figure-text.ts';
import { ratioFigure } from '#app/domain/units/quantity.ts';
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
  type SubstanceUnit,
  syringeOf,
  defaultMark,
  type DoseUnit,
  type NearestMark,
  type WarningCode,
  type CalculationResult,
  type CalculationInput,
  type CalculationFigures,
  type DrawFigures,
  type CalculationDraft,
  type ComponentFigures,
} from './calculation.ts';
import { blendName, componentsOf } from './components.ts';
import { formulaLines } from './formula.ts';
import {
  doseWithUnit,
  isFarOff,
  nearestMark,
  nearestUnits,
  scaleOf,
  scaleText,
  unitsOfVolume,
  type Scale,
} from './nearest-mark.ts';
import { countUnits } from './draw-words.ts';
import { massOf } from '#app/domain/units/international-units.ts';

const HUNDRED_PERCENT: Ratio<'percent'> = { n: 100n, d: 1n };

const ONE_MG: Ratio<'mg'> = { n: 1n, d: 1n };

/** Thresholds of the warnings. */
const SMALL_VOLUME: Ratio<'ml'> = ratio(new Decimal('0.1'));
const LARGE_VOLUME: Ratio<'ml'> = ratio(new Decimal(1));
/** At these limits the water cannot be changed further, so advice to use more or less makes no sense. */
const MOST_WATER: Ratio<'ml'> = ratio(MAX_WATER_ML);
const LEAST_WATER: Ratio<'ml'> = ratio(MIN_WATER_ML);
const HIGH_CONCENTRATION: Ratio<'mg/ml'> = ratio(new Decimal(10));

/** How many draws of this barrel the volume takes; one where nothing is drawn. */
const countDraws = (exact: Solution, { barrel, perMl }: Scale): number =>
  barrel === null ? 1 : Number(ceil(quotient(product(exact.volume, perMl), barrel)));

/**
 * Codes of the warnings that apply, in the order they are shown. Exact values are compared, never rounded ones. Advice about
 * the water is for powder, and about the concentration for powder in mg.
 */
function warningCodes(
  exact: Solution,
  scale: Scale,
  { form = 'powder', amountUnit = 'mg' }: Pick<CalculationDraft, 'form' | 'amountUnit'>,
): WarningCode[] {
  const codes: WarningCode[] = [];
  const isPowder = form === 'powder';
  if (isPowder && compare(exact.volume, SMALL_VOLUME) < 0 && compare(exact.water, MOST_WATER) < 0)
    codes.push('SMALL_VOLUME');
  if (isPowder && compare(exact.volume, LARGE_VOLUME) > 0 && compare(exact.water, LEAST_WATER) > 0)
    codes.push('LARGE_VOLUME');
  // Of everything dissolved, because mixing does not depend on which component the dose is for.
  const isMass = isPowder && amountUnit === 'mg';
  if (isMass && compare(quotient<'mg/ml'>(exact.total, exact.solution), HIGH_CONCENTRATION) > 0)
    codes.push('HIGH_CONCENTRATION');
  const drawn = unitsOfVolume(exact.volume, scale);
  if (scale.barrel !== null && compare(drawn, scale.barrel) > 0) codes.push('SEVERAL_DRAWS');
  const units = nearestUnits(drawn, scale);
  if (units.n === 0n) codes.push('BELOW_FIRST_MARK');
  else if (isFarOff(units, drawn)) codes.push('MARK_ERROR');
  return codes;
}

/**
 * The text of a warning. More water dilutes the solution, so that a dose fills more of the syringe; less water makes the
 * draw smaller.
 */
export function warningMessage(code: WarningCode, { label, noun, barrel }: Scale, draws: number): string {
  switch (code) {
    case 'SMALL_VOLUME':
      return 'Very small injection volume - consider using more water for reconstitution';
    case 'LARGE_VOLUME':
      return 'Large injection volume - consider using less water for reconstitution';
    case 'HIGH_CONCENTRATION':
      return 'High concentration - ensure proper mixing and sterility';
    case 'SEVERAL_DRAWS':
      return `This draw does not fit ${label}: it takes ${draws} draws`;
    case 'BELOW_FIRST_MARK':
      return barrel === null
        ? `This dose is half a ${noun} or less and cannot be measured with it`
        : `This draw is half a mark or less on ${label} and cannot be measured with it`;
    case 'MARK_ERROR':
      return barrel === null
        ? `The nearest whole ${noun} is more than 5% off the desired dose`
        : `The nearest mark of ${label} is more than 5% off the desired dose`;
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
  { exactConcentration: { mg, ml }, scale }: Pick<CalculationResult, 'exactConcentration'> & { scale: Scale },
  doseMg: string,
  unit: DoseUnit = 'mg',
): Draw {
  const dose = ratio<'mg'>(new Decimal(doseMg));
  const volume = quotient<'ml'>(dose, { n: BigInt(mg), d: BigInt(ml) });
  return {
    volumeText: fixedText(volume, 3),
    unitsText: scaleText(unitsOfVolume(volume, scale), scale),
    nearestMark: nearestMark({ volume, dose }, scale, unit),
  };
}

/** How many doses the container has, what is left after them, and what one costs. */
function dosesOf(exact: Solution, input: CalculationInput) {
  const { form, pieces, vials = '1', deadSpaceMl = '0', cost, amountUnit = 'mg' } = input;
  const isCapsule = form === 'capsule';
  const unknown = isCapsule && pieces === undefined;
  // The "volume" of capsules is their number.
  const total = isCapsule ? ratio<'ml'>(new Decimal(pieces ?? '1').times(vials)) : exact.solution;
  const each = sum(exact.volume, isCapsule ? { n: 0n, d: 1n } : ratio<'ml'>(new Decimal(deadSpaceMl)));
  const doses = floor(quotient(total, each));
  const rest = difference(total, product<'ml'>({ n: doses, d: 1n }, each));
  const restAmount = quotient<'mg'>(product(rest, exact.amount), exact.solution);
  const paid = cost === undefined ? null : ratio<'money'>(new Decimal(cost).times(vials));
  return {
    dosesPerVial: unknown ? null : Number(doses),
    lastPartText:
      unknown || rest.n <= 0n || input.solveFor === 'dose'
        ? undefined
        : `${readableText(restAmount)} ${amountUnit}`,
    costPerDoseText:
      paid === null || unknown || doses === 0n
        ? undefined
        : fixedText(quotient(product(paid, each), total), 2),
  };
}

/** What one click or spray gives. */
function stepText(exact: Solution, scale: Scale, unit: DoseUnit): string | undefined {
  if (scale.barrel !== null || scale.noun === 'capsule') return undefined;
  const amount = product<'mg'>(exact.concentration, quotient<'ml'>({ n: 1n, d: 1n }, scale.perMl));
  return `${doseWithUnit(amount, unit)} in a ${scale.noun}`;
}

/**
 * The calculator: the only place that calculates figures for the page, the offline page, the API and the command line.
 * All arithmetic is decimal and exact; shown texts are rounded half-up from the exact quotient.
 * @param input within the limits (`findLimitProblems` found none)
 */
export function calculate(input: CalculationInput): CalculationResult {
  const exact = solve(input);
  const scale = scaleOf(input);
  const syringe = syringeOf(input.syringe);
  const texts = textsOf(input, exact, scale);
  const draws = countDraws(exact, scale);
  const { nearestMark: nearest } = texts;
  return {
    solveFor: input.solveFor,
    peptideName: input.peptideName,
    notes: input.notes,
    desiredDoseUnit: input.desiredDoseUnit,
    ...texts,
    solvedText: solvedText(input, texts),
    measured: measuredContent(input, exact, scale),
    mark: input.mark ?? defaultMark(syringe),
    fillFraction: fillOf(exact, scale, nearest),
    drawsNeeded: draws,
    ...dosesOf(exact, input),
    stepText: stepText(exact, scale, input.desiredDoseUnit),
    massText: input.amountUnit === 'IU' ? (massOf(input.peptideName, exact.dose) ?? undefined) : undefined,
    warnings: warningCodes(exact, scale, input).map((code) => ({
      code,
      message: warningMessage(code, scale, draws),
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
  return figuresOf(input, solve(input), scaleOf(input));
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
  const scale = scaleOf(draft);
  return { ...drawFigures(exact, scale), warnings: warningCodes(exact, scale, draft) };
}

function textsOf(input: CalculationInput, exact: Solution, scale: Scale) {
  const seeksDose = input.solveFor === 'dose';
  const seeksWater = input.solveFor === 'water';
  const { vials = '1' } = input;
  const amount = new Decimal(input.measuredAmount ?? input.peptideAmount).times(vials);
  return {
    form: input.form ?? 'powder',
    amountUnit: input.amountUnit ?? 'mg',
    peptideAmountText: plainText(amount.toFixed()),
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
    ...figuresOf(input, exact, scale),
    nearestMark: nearestMark(exact, scale, input.desiredDoseUnit),
    syringe: syringeOf(input.syringe),
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

const partUnit = (dose: Ratio<'mg'>, unit: SubstanceUnit = 'mg'): DoseUnit =>
  unit === 'IU' ? 'IU' : compare(dose, ONE_MG) < 0 ? 'mcg' : 'mg';

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
      doseWithUnit: doseWithUnit(dose, partUnit(dose, input.amountUnit)),
    };
  });
}

type Texts = ReturnType<typeof textsOf>;

/** The figures of an exact solution; the amount is the printed one. */
function figuresOf(input: CalculationInput, exact: Solution, scale: Scale): CalculationFigures {
  return {
    peptideAmount: nearestDouble(ratio(new Decimal(input.peptideAmount))),
    waterVolume: input.form === 'capsule' ? 0 : nearestDouble(exact.water),
    desiredDose: nearestDouble(exact.dose),
    ...drawFigures(exact, scale),
  };
}

/** The calculated figures, each rounded once, half-up, from the exact value. */
function drawFigures({ concentration, volume }: Solution, scale: Scale): DrawFigures {
  const unitsText = scaleText(unitsOfVolume(volume, scale), scale);
  // Capsules have neither a volume nor a concentration.
  if (scale.noun === 'capsule')
    return {
      concentration: 0,
      concentrationText: '–',
      injectionVolume: 0,
      injectionVolumeText: '–',
      unitsText,
    };
  return {
    concentration: nearestDouble(concentration),
    concentrationText: fixedText(concentration, 2),
    injectionVolume: nearestDouble(volume),
    injectionVolumeText: fixedText(volume, 3),
    unitsText,
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
  const { form, amountUnit: unit, nearestMark: mark } = texts;
  const isNamed = peptideName && (components === undefined || peptideName !== blendName(components));
  const name = isNamed ? `${peptideName}: ` : '';
  const amounts = partsText(texts.components, ({ amountText }) => `${amountText} ${unit}`);
  const doses = partsText(texts.components, ({ doseText }) => `${doseText} ${unit}`);
  const counted = countUnits(texts.unitsText, '', mark.noun);
  if (form === 'capsule') return `${name}capsules of ${amounts}; ${doses} = ${counted}`;
  const concentrations = partsText(
    texts.components,
    ({ concentrationText }) => `${concentrationText} ${unit}/ml`,
  );
  const mix =
    form === 'powder'
      ? `${amounts} + ${texts.waterVolumeText} ml = ${concentrations}`
      : `${amounts} in ${texts.waterVolumeText} ml = ${concentrations}`;
  const inUnits = mark.noun === 'ml' ? '' : ` (${counted})`;
  const draw = `${doses} = ${texts.injectionVolumeText} ml${inUnits}`;
  const printed =
    measuredAmount === undefined ? '' : ` (measured content; ${plainText(peptideAmount)} ${unit} printed)`;
  return `${name}${mix}; ${draw}${printed}`;
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
  scale: Scale,
): MeasuredContent | undefined {
  const { measuredAmount, ...printed } = input;
  if (measuredAmount === undefined) return undefined;
  const { amountUnit: unit = 'mg', vials = '1' } = input;
  const [amountText, printedText] = [plainText(measuredAmount), plainText(input.peptideAmount)];
  const printedAmount = ratio<'mg'>(new Decimal(input.peptideAmount).times(vials));
  const isSame = compare(exact.amount, printedAmount) === 0;
  const percent = (size: Ratio<'mg'>) => {
    const text = shortText(product(quotient(size, printedAmount), HUNDRED_PERCENT), 1);
    return `${text === '0' ? 'under 0.1' : text}%`;
  };
  const differenceText = isSame ? 'as printed' : changeText(exact.amount, printedAmount, percent);
  const use = `Calculated with the measured ${amountText} ${unit} in place of the printed ${printedText} ${unit} (${differenceText}).`;
  const figures = { amountText, printedText, differenceText };
  if (isSame || findLimitProblems(printed).length > 0) return { ...figures, byPrinted: undefined, note: use };
  const byPrinted = byPrintedText(input, { exact, printed: solve(printed) }, scale);
  return { ...figures, byPrinted, note: `${use} With the printed amount it would be ${byPrinted}.` };
}

/** The result for the printed amount, how far it is off, and the dose that would really be drawn. */
function byPrintedText(
  { solveFor, desiredDoseUnit }: CalculationInput,
  { exact, printed }: { exact: Solution; printed: Solution },
  scale: Scale,
): string {
  const dose = (size: Ratio<'mg'>) => doseWithUnit(size, desiredDoseUnit);
  if (solveFor === 'dose') return `${dose(printed.dose)}, ${changeText(printed.dose, exact.dose, dose)}`;
  const solution = sum(printed.water, difference(exact.solution, exact.water));
  const held = `for a true dose of ${dose(quotient(product(printed.volume, exact.amount), solution))}`;
  const inMl = (size: Ratio<'ml'>) => `${readableText(size)} ml`;
  if (solveFor === 'water')
    return `${inMl(printed.water)} of water, ${changeText(printed.water, exact.water, inMl)}, ${held}`;
  const { injectionVolumeText, unitsText } = drawFigures(printed, scale);
  const units = (size: Ratio<'units'>) =>
    `${ratioFigure(size)} ${scale.noun === 'ml' ? 'ml' : `${scale.noun}s`}`;
  const change = changeText(unitsOfVolume(printed.volume, scale), unitsOfVolume(exact.volume, scale), units);
  return `${injectionVolumeText} ml (${figureText(unitsText)} ${scale.noun === 'ml' ? 'ml' : `${scale.noun}s`}), ${change}, ${held}`;
}

function solvedText(input: CalculationInput, texts: Texts): string {
  if (input.solveFor === 'water') return `${texts.waterVolumeText} ml`;
  if (input.solveFor === 'dose') return texts.desiredDoseWithUnit;
  if (texts.form === 'capsule') return countUnits(texts.unitsText, '', 'capsule');
  return `${texts.injectionVolumeText} ml`;
}

/** How full the drawn barrel is at the mark; 1 when it takes several draws, and where nothing is drawn. */
function fillOf(exact: Solution, { barrel, perMl }: Scale, mark: NearestMark): number {
  if (barrel === null || compare(product(exact.volume, perMl), barrel) > 0) return 1;
  return Math.min(1, mark.units / nearestDouble(barrel));
}
