import { Decimal, product, quotient, ratio, type Ratio, compare } from '#app/domain/decimal/decimal.ts';
import { toBaseUnit } from '#app/domain/units/quantity.ts';
import type {
  CalculationDraft,
  CalculationInput,
  ContainerForm,
  SolveFor,
  SubstanceUnit,
} from './calculation.ts';
import { componentsOf } from './components.ts';

/**
 * The exact values of a calculation. "mg" stands for the unit of the substance, which may be IU: both are calculated alike.
 * Capsules have no volume; theirs is the number of pieces.
 */
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
  const { vials = '1' } = input;
  return componentsOf(input).components.map((component) => {
    const own = ratio<'mg'>((decimalOf(component.amount) ?? NOTHING).times(vials));
    return {
      amount: own,
      concentration: quotient(own, solution),
      dose: quotient(product(dose, own), amount),
    };
  });
}

const powderMl = (amount: Decimal, displacement: Decimal): Decimal =>
  displacement.eq(NOTHING) ? NOTHING : amount.times(displacement).times(ML_PER_UL);

/** The numbers of a calculation as decimals: mg or IU, ml and µl/mg; undefined if not entered. */
interface EnteredNumbers {
  readonly form: ContainerForm;
  readonly unit: SubstanceUnit;
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
  readonly clickMl: Decimal | undefined;
  readonly sprayMl: Decimal | undefined;
  readonly pieces: Decimal | undefined;
  readonly vials: Decimal;
  readonly deadSpaceMl: Decimal | undefined;
  readonly cost: Decimal | undefined;
}

const NONE = new Decimal(0);

const decimalOf = (text: string | undefined): Decimal | undefined =>
  text === undefined ? undefined : new Decimal(text);

const ONE = new Decimal(1);

/** Turns the texts of a calculation into decimals. Containers that were put together are one with the sum of their amounts. */
export function enteredNumbers(draft: CalculationDraft): EnteredNumbers {
  const { desiredDose, measuredAmount, form = 'powder', amountUnit = 'mg', vials = '1' } = draft;
  const { components, dosed } = componentsOf(draft);
  const together = (text: string | undefined): Decimal | undefined =>
    vials === '1' ? decimalOf(text) : decimalOf(text)?.times(vials);
  return {
    form,
    unit: amountUnit,
    amounts: components.map(({ amount }) => together(amount)),
    dosed,
    printed: measuredAmount === undefined ? undefined : { amount: together(draft.peptideAmount) },
    water:
      form === 'capsule'
        ? ONE
        : form === 'powder'
          ? decimalOf(draft.waterVolume)
          : together(draft.waterVolume),
    dose: desiredDose === undefined ? undefined : toBaseUnit(desiredDose, draft.desiredDoseUnit),
    draw: decimalOf(draft.drawVolume),
    displacement: draft.displacement === '0' ? NONE : new Decimal(draft.displacement),
    clickMl: decimalOf(draft.clickMl),
    sprayMl: decimalOf(draft.sprayMl),
    pieces: decimalOf(draft.pieces),
    vials: vials === '1' ? ONE : new Decimal(vials),
    deadSpaceMl: decimalOf(draft.deadSpaceMl),
    cost: decimalOf(draft.cost),
  };
}

/** Messages by field. Those of amount, water and dose are fixed texts; where they differ from the rules, the rules decide. */
export const FIELD_MESSAGES = {
  peptideAmount: 'Peptide amount must be between 0.1mg and 100mg',
  measuredAmount: 'Measured content must be above 0 mg and at most 100 mg',
  waterVolume: 'Water volume must be between 0.5ml and 10ml',
  concentration: 'Enter the concentration, above 0 and at most 100,000 per ml',
  containerVolume: 'Enter the volume of the container, above 0 ml and at most 1,000 ml',
  desiredDose: 'Desired dose must be positive and less than total peptide amount',
  drawVolume: 'Draw volume must be above 0 ml',
  displacement: 'Powder displacement must be between 0 and 1000 µl per mg',
  clickMl: 'Enter the volume of one click in ml, from the maker of the pen: sellers mean 0.01 ml or 0.05 ml',
  sprayMl: 'Enter the volume of one spray in ml, above 0 and at most 1',
  pieces: 'The number of capsules must be a whole number from 1 to 10,000',
  vials: 'Vials put together must be a whole number from 1 to 20',
  deadSpaceMl: 'Volume lost with each dose must be from 0 ml to 1 ml',
  cost: 'Cost must be from 0 to 1,000,000',
} as const;

/** Messages for amounts in IU, and for the large amounts of containers other than powder. */
const OTHER_MESSAGES: Readonly<Record<string, string>> = {
  'IU peptideAmount': 'Amount must be above 0 and at most 100,000 IU',
  'IU measuredAmount': 'Measured content must be above 0 and at most 100,000 IU',
  'mg peptideAmount': 'Amount must be above 0 and at most 100,000 mg',
  dose: 'Dose must be above 0, and at most what the container holds',
};

/** The message of a field that breaks its limit. */
export function fieldMessage(
  field: NumberField,
  { form = 'powder', amountUnit = 'mg' }: Pick<CalculationDraft, 'form' | 'amountUnit'>,
): string {
  if (form === 'powder' && amountUnit === 'mg') return FIELD_MESSAGES[field];
  const own = OTHER_MESSAGES[field === 'desiredDose' ? 'dose' : `${amountUnit} ${field}`];
  return own ?? FIELD_MESSAGES[field];
}

export type NumberField = keyof typeof FIELD_MESSAGES;

const ZERO = new Decimal(0);
const MAX_POWDER_MG = new Decimal(100);
const MAX_AMOUNT = new Decimal(100_000);
/** The most water that is allowed, and the least according to the message; less than that is still accepted. */
export const MAX_WATER_ML = new Decimal(10);
export const MIN_WATER_ML = new Decimal('0.5');
const MAX_CONTAINER_ML = new Decimal(1000);
const MAX_STEP_ML = new Decimal(1);
const MAX_PIECES = new Decimal(10_000);
const MAX_VIALS = new Decimal(20);
const MAX_COST = new Decimal(1_000_000);
/** 1 mg of powder taking up a whole ml, far above any real value (under 1 µl), to catch a wrong unit. */
const MAX_DISPLACEMENT = new Decimal(1000);

/** The most of one component that a container can hold: the specification's limit is for powder in mg. */
const mostOf = (form: ContainerForm, unit: SubstanceUnit): Decimal =>
  form === 'powder' && unit === 'mg' ? MAX_POWDER_MG : MAX_AMOUNT;

/** The same for all containers that were put together. */
const mostTogether = ({ form, unit, vials }: EnteredNumbers): Decimal =>
  vials === ONE ? mostOf(form, unit) : mostOf(form, unit).times(vials);

/** The numbers that each mode uses besides amount and displacement. */
const NEEDED_FIELDS = {
  volume: ['waterVolume', 'desiredDose'],
  water: ['desiredDose', 'drawVolume'],
  dose: ['waterVolume', 'drawVolume'],
} as const satisfies Record<SolveFor, readonly NumberField[]>;

/** Shown when water, dose and draw are all given, because one of them would be ignored. */
export const OVERFULL_MESSAGE = 'Enter only two of water, dose and draw; the third is calculated';

/** Fields that every form may have, and that are only checked when they were entered. */
const OPTIONAL_FIELDS = ['displacement', 'pieces', 'vials', 'deadSpaceMl', 'cost'] as const;

/** The fields that a calculation uses, in the order of the form. */
function readFields({ solveFor, form }: { solveFor: SolveFor; form: ContainerForm }): readonly NumberField[] {
  const step = form === 'pen' ? (['clickMl'] as const) : form === 'spray' ? (['sprayMl'] as const) : [];
  const needed = NEEDED_FIELDS[solveFor].filter((field) => form !== 'capsule' || field !== 'waterVolume');
  return ['peptideAmount', 'measuredAmount', ...needed, ...step, ...OPTIONAL_FIELDS];
}

const isWithin = (value: Decimal | undefined, most: Decimal): boolean =>
  value !== undefined && value.gt(ZERO) && value.lte(most);

/** The amount that a dose is compared with. An invalid amount must not make the dose look wrong, too. */
function usableAmount(numbers: EnteredNumbers): Decimal {
  const { amounts, dosed, form, pieces } = numbers;
  const amount = amounts[dosed];
  const most = mostTogether(numbers);
  if (amount === undefined || !isWithin(amount, most)) return most;
  // A dose may take several capsules.
  return form === 'capsule' ? amount.times(pieces ?? MAX_PIECES) : amount;
}

/** True for an amount that a vial can hold of one component. @param amount mg or IU, decimal text */
export const isAmount = (
  amount: string,
  form: ContainerForm = 'powder',
  unit: SubstanceUnit = 'mg',
): boolean => isWithin(new Decimal(amount), mostOf(form, unit));

const isWhole = (value: Decimal | undefined, most: Decimal): boolean =>
  value === undefined || (isWithin(value, most) && value.eq(value.round(0)));

const isFrom0 = (value: Decimal | undefined, most: Decimal): boolean =>
  value === undefined || (value.gte(ZERO) && value.lte(most));

function isValid(field: NumberField, numbers: EnteredNumbers): boolean {
  const most = mostTogether(numbers);
  switch (field) {
    case 'peptideAmount':
      if (numbers.printed !== undefined) return isWithin(numbers.printed.amount, most);
      return numbers.amounts.every((amount) => isWithin(amount, most));
    case 'measuredAmount':
      return numbers.printed === undefined || isWithin(numbers.amounts[numbers.dosed], most);
    case 'waterVolume':
      return isWithin(
        numbers.water,
        numbers.form === 'powder' ? MAX_WATER_ML : MAX_CONTAINER_ML.times(numbers.vials),
      );
    case 'desiredDose':
      return isWithin(numbers.dose, usableAmount(numbers));
    case 'drawVolume':
      return numbers.draw !== undefined && numbers.draw.gt(ZERO);
    case 'displacement':
      return numbers.displacement.lte(MAX_DISPLACEMENT);
    case 'clickMl':
    case 'sprayMl':
      return isWithin(numbers[field], MAX_STEP_ML);
    case 'pieces':
      return isWhole(numbers.pieces, MAX_PIECES);
    case 'vials':
      return isWhole(numbers.vials, MAX_VIALS);
    case 'deadSpaceMl':
      return isFrom0(numbers.deadSpaceMl, MAX_STEP_ML);
    case 'cost':
      return isFrom0(numbers.cost, MAX_COST);
    // Concentration and volume of a solution become its amount and its volume before the limits are checked.
    case 'concentration':
    case 'containerVolume':
      return true;
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
  const broken = readFields({ solveFor, form: numbers.form }).filter((field) => !isValid(field, numbers));
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
