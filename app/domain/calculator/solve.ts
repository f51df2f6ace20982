import { Decimal, product, quotient, ratio, type Ratio, compare } from '#app/domain/decimal/decimal.ts';
import { massInMg } from '#app/domain/units/quantity.ts';
import type { CalculationDraft, CalculationInput, SolveFor } from './calculation.ts';
import { componentsOf } from './components.ts';

/** The exact values of a calculation. */
export interface Solution {
  /** Of the component that the dose is for. */
  readonly amount: Ratio<'mg'>;
  /** Of all components together. */
  readonly total: Ratio<'mg'>;
  readonly water: Ratio<'ml'>;
  /** Water plus the volume of the powder. */
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
 * Solves for the one unknown. Every value is a single quotient and never derived from a rounded one: dividing by an
 * already rounded concentration gives wrong digits in a few of a thousand cases.
 *
 * Source: concentration = amount ÷ solution, volume = dose ÷ concentration;
 * solution = water + amount × displacement ÷ 1000.
 * @param numbers complete for `solveFor` and above zero, except the displacement; missing ones count as zero
 */
export function solveEntered(solveFor: SolveFor, numbers: EnteredNumbers): Solution {
  const { amounts, dosed, water = NOTHING, dose = NOTHING, draw = NOTHING, displacement } = numbers;
  const amount = amounts[dosed] ?? NOTHING;
  const total = amounts.length === 1 ? amount : sumOf(amounts);
  const powder = powderMl(total, displacement);
  const exactAmount = ratio<'mg'>(amount);
  const exactTotal = total === amount ? exactAmount : ratio<'mg'>(total);
  if (solveFor === 'water') {
    const solutionTimesDose = draw.times(amount);
    return {
      amount: exactAmount,
      total: exactTotal,
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
    total: exactTotal,
    water: ratio(water),
    solution: ratio(solution),
    dose: seeksDose ? ratio(draw.times(amount), solution) : ratio(dose),
    volume: seeksDose ? ratio(draw) : ratio(dose.times(solution), amount),
    concentration: ratio(amount, solution),
  };
}

const sumOf = (amounts: EnteredNumbers['amounts']): Decimal =>
  amounts.reduce<Decimal>((sum, amount) => sum.plus(amount ?? NOTHING), NOTHING);

/** The exact values of one component: mg in the vial, per ml and in a draw. */
export interface SolvedComponent {
  readonly amount: Ratio<'mg'>;
  readonly concentration: Ratio<'mg/ml'>;
  readonly dose: Ratio<'mg'>;
}

/**
 * The dose of each component in one draw, in their order. They share one solution, so their doses are in proportion to
 * their amounts.
 */
export function solveComponents(
  input: CalculationInput,
  { amount, dose, solution }: Solution,
): SolvedComponent[] {
  return componentsOf(input).components.map((component) => {
    const own = ratio<'mg'>(decimalOf(component.amount) ?? NOTHING);
    return {
      amount: own,
      concentration: quotient(own, solution),
      dose: quotient(product(dose, own), amount),
    };
  });
}

const powderMl = (amount: Decimal, displacement: Decimal): Decimal =>
  displacement.eq(NOTHING) ? NOTHING : amount.times(displacement).times(ML_PER_UL);

/** The numbers of a calculation as decimals: mg, ml and µl/mg; undefined if not entered. */
interface EnteredNumbers {
  /** Of each component; one for a single peptide. */
  readonly amounts: readonly (Decimal | undefined)[];
  /** The index of the one that the dose is for. */
  readonly dosed: number;
  /** The printed amount of a vial whose content was measured; undefined if it was not measured. */
  readonly printed: { readonly amount: Decimal | undefined } | undefined;
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
  const { desiredDose, measuredAmount } = draft;
  const { components, dosed } = componentsOf(draft);
  return {
    amounts: components.map(({ amount }) => decimalOf(amount)),
    dosed,
    printed: measuredAmount === undefined ? undefined : { amount: decimalOf(draft.peptideAmount) },
    water: decimalOf(draft.waterVolume),
    dose: desiredDose === undefined ? undefined : massInMg(desiredDose, draft.desiredDoseUnit),
    draw: decimalOf(draft.drawVolume),
    displacement: draft.displacement === '0' ? NONE : new Decimal(draft.displacement),
  };
}

/** Messages by field. Those of amount, water and dose are fixed texts; where they differ from the rules, the rules decide. */
export const FIELD_MESSAGES = {
  peptideAmount: 'Peptide amount must be between 0.1mg and 100mg',
  measuredAmount: 'Measured content must be above 0 mg and at most 100 mg',
  waterVolume: 'Water volume must be between 0.5ml and 10ml',
  desiredDose: 'Desired dose must be positive and less than total peptide amount',
  drawVolume: 'Draw volume must be above 0 ml',
  displacement: 'Powder displacement must be between 0 and 1000 µl per mg',
} as const;

export type NumberField = keyof typeof FIELD_MESSAGES;

const ZERO = new Decimal(0);
const MAX_AMOUNT_MG = new Decimal(100);
/** The most water that is allowed, and the least according to the message; less than that is still accepted. */
export const MAX_WATER_ML = new Decimal(10);
export const MIN_WATER_ML = new Decimal('0.5');
/** 1 mg of powder taking up a whole ml, far above any real value (under 1 µl), to catch a wrong unit. */
const MAX_DISPLACEMENT = new Decimal(1000);

/** The numbers that each mode uses besides amount and displacement. */
const NEEDED_FIELDS = {
  volume: ['waterVolume', 'desiredDose'],
  water: ['desiredDose', 'drawVolume'],
  dose: ['waterVolume', 'drawVolume'],
} as const satisfies Record<SolveFor, readonly NumberField[]>;

/** Shown when water, dose and draw are all given, because one of them would be ignored. */
export const OVERFULL_MESSAGE = 'Enter only two of water, dose and draw; the third is calculated';

/** The fields that each mode uses, in the order of the form. */
const READ_FIELDS: Readonly<Record<SolveFor, readonly NumberField[]>> = {
  volume: ['peptideAmount', 'measuredAmount', ...NEEDED_FIELDS.volume, 'displacement'],
  water: ['peptideAmount', 'measuredAmount', ...NEEDED_FIELDS.water, 'displacement'],
  dose: ['peptideAmount', 'measuredAmount', ...NEEDED_FIELDS.dose, 'displacement'],
};

const isWithin = (value: Decimal | undefined, most: Decimal): boolean =>
  value !== undefined && value.gt(ZERO) && value.lte(most);

/** The amount that a dose is compared with. An invalid amount must not make the dose look wrong, too. */
function usableAmount({ amounts, dosed }: EnteredNumbers): Decimal {
  const amount = amounts[dosed];
  return amount !== undefined && isWithin(amount, MAX_AMOUNT_MG) ? amount : MAX_AMOUNT_MG;
}

/** True for an amount that a vial can hold of one component. @param amount mg, decimal text */
export const isAmount = (amount: string): boolean => isWithin(new Decimal(amount), MAX_AMOUNT_MG);

function isValid(field: NumberField, numbers: EnteredNumbers): boolean {
  switch (field) {
    case 'peptideAmount':
      if (numbers.printed !== undefined) return isWithin(numbers.printed.amount, MAX_AMOUNT_MG);
      return numbers.amounts.every((amount) => isWithin(amount, MAX_AMOUNT_MG));
    case 'measuredAmount':
      return numbers.printed === undefined || isWithin(numbers.amounts[numbers.dosed], MAX_AMOUNT_MG);
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
