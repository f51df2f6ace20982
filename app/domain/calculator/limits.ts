import { compare, ratio } from '#app/domain/decimal/ratio.ts';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { enteredNumbers, type EnteredNumbers, solveEntered } from './solve.ts';
import type { CalculationDraft, SolveFor } from './calculation.ts';

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
const MAX_WATER_ML = new Decimal(10);
/** One mg of powder taking up a whole ml: far above any real value (under 1 µl), to catch a wrong unit. */
const MAX_DISPLACEMENT = new Decimal(1000);

/** The numbers that each way of solving reads, beside amount and displacement. */
export const NEEDED_FIELDS = {
  volume: ['waterVolume', 'desiredDose'],
  water: ['desiredDose', 'drawVolume'],
  dose: ['waterVolume', 'drawVolume'],
} as const satisfies Record<SolveFor, readonly NumberField[]>;

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
