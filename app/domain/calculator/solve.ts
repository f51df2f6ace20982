import { Decimal, ratio, type Ratio, compare } from '#app/domain/decimal/decimal.ts';
import { massInMg } from '#app/domain/units/quantity.ts';
import type { CalculationDraft, CalculationInput, SolveFor } from './calculation.ts';

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
interface EnteredNumbers {
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

/** Messages by field. Those of amount, water and dose are fixed texts of the product; where they differ from the rules below, the rules decide. */
export const FIELD_MESSAGES = {
  peptideAmount: 'Peptide amount must be between 0.1mg and 100mg',
  waterVolume: 'Water volume must be between 0.5ml and 10ml',
  desiredDose: 'Desired dose must be positive and less than total peptide amount',
  drawVolume: 'Draw volume must be above 0 ml',
  displacement: 'Powder displacement must be between 0 and 1000 µl per mg',
} as const;

export type NumberField = keyof typeof FIELD_MESSAGES;

const ZERO = new Decimal(0);
const MAX_AMOUNT_MG = new Decimal(100);
/** The most water a calculation takes, and the least that its message names; less than that still counts. */
export const MAX_WATER_ML = new Decimal(10);
export const MIN_WATER_ML = new Decimal('0.5');
/** One mg of powder taking up a whole ml: far above any real value (under 1 µl), to catch a wrong unit. */
const MAX_DISPLACEMENT = new Decimal(1000);

/** The numbers that each way of solving reads, beside amount and displacement. */
const NEEDED_FIELDS = {
  volume: ['waterVolume', 'desiredDose'],
  water: ['desiredDose', 'drawVolume'],
  dose: ['waterVolume', 'drawVolume'],
} as const satisfies Record<SolveFor, readonly NumberField[]>;

/** Shown when water, dose and draw are all given: one of them would have to be dropped. */
export const OVERFULL_MESSAGE = 'Give only two of water, dose and draw; the third is worked out from them';

/** The fields that are read, in the order of the form. */
const READ_FIELDS: Readonly<Record<SolveFor, readonly NumberField[]>> = {
  volume: ['peptideAmount', ...NEEDED_FIELDS.volume, 'displacement'],
  water: ['peptideAmount', ...NEEDED_FIELDS.water, 'displacement'],
  dose: ['peptideAmount', ...NEEDED_FIELDS.dose, 'displacement'],
};

const isWithin = (value: Decimal | undefined, most: Decimal): boolean =>
  value !== undefined && value.gt(ZERO) && value.lte(most);

/** What a dose is compared with: an amount that is itself wrong must not make the dose look wrong too. */
const usableAmount = ({ amount }: EnteredNumbers): Decimal =>
  amount !== undefined && isWithin(amount, MAX_AMOUNT_MG) ? amount : MAX_AMOUNT_MG;

function isValid(field: NumberField, numbers: EnteredNumbers): boolean {
  switch (field) {
    case 'peptideAmount':
      return isWithin(numbers.amount, MAX_AMOUNT_MG);
    case 'waterVolume':
      return isWithin(numbers.water, MAX_WATER_ML);
    case 'desiredDose':
      return isWithin(numbers.dose, usableAmount(numbers));
    case 'drawVolume':
      return numbers.draw !== undefined && numbers.draw.gt(ZERO);
    case 'displacement':
      return numbers.displacement.lte(MAX_DISPLACEMENT);
  }
}

/** The solved number when it is outside the limits of its field. */
function solvedProblem(solveFor: SolveFor, numbers: EnteredNumbers): NumberField | undefined {
  if (solveFor === 'volume') return undefined;
  const { amount, dose, water } = solveEntered(solveFor, numbers);
  if (solveFor === 'dose') return compare(dose, amount) > 0 ? 'desiredDose' : undefined;
  return water.n <= 0n || compare(water, ratio(MAX_WATER_ML)) > 0 ? 'waterVolume' : undefined;
}

/** The fields that break a limit, the solved one included, in the order of the form. */
export function limitProblems(solveFor: SolveFor, numbers: EnteredNumbers): NumberField[] {
  const broken = READ_FIELDS[solveFor].filter((field) => !isValid(field, numbers));
  const solved = broken.length === 0 ? solvedProblem(solveFor, numbers) : undefined;
  return solved === undefined ? broken : [solved];
}

/**
 * The fields that break a limit, the solved one included, in the order of the form.
 * @param draft numbers are decimal texts that `readDecimalText` accepted, or absent
 */
export function findLimitProblems(draft: CalculationDraft): NumberField[] {
  return limitProblems(draft.solveFor, enteredNumbers(draft));
}
