import { compareTo, Decimal } from '../decimal/index.ts';
import { massInMg } from '../units/index.ts';
import { solve } from './solve.ts';
import { type CalculationInput } from './types.ts';

/** Messages by field. Those of amount, water and dose are the specification's; the rule decides, not their wording. */
export const FIELD_MESSAGES = {
  peptideAmount: 'Peptide amount must be between 0.1mg and 100mg',
  waterVolume: 'Water volume must be between 0.5ml and 10ml',
  desiredDose: 'Desired dose must be positive and less than total peptide amount',
  drawVolume: 'Draw volume must be above 0 ml',
  displacement: 'Powder displacement must be between 0 and 1000 µl per mg',
} as const;

export type NumberField = keyof typeof FIELD_MESSAGES;

export const MAX_AMOUNT_MG = new Decimal(100);
export const MAX_WATER_ML = new Decimal(10);
/** A mg of powder that takes up a whole ml: far above any real one (under 1 µl), a guard against slips of the unit. */
const MAX_DISPLACEMENT = new Decimal(1000);
const ZERO = new Decimal(0);

const within = (value: Decimal, most: Decimal): boolean => value.gt(ZERO) && value.lte(most);

/** The numbers that each way of solving reads, beside amount and displacement. */
export const NEEDED_FIELDS = {
  volume: ['waterVolume', 'desiredDose'],
  water: ['desiredDose', 'drawVolume'],
  dose: ['waterVolume', 'drawVolume'],
} as const satisfies Record<CalculationInput['solveFor'], readonly NumberField[]>;

/** True when the amount is above 0 and at most 100 mg. */
export function amountIsValid(amountMg: Decimal): boolean {
  return within(amountMg, MAX_AMOUNT_MG);
}

/** A calculation that may still lack numbers. */
export type CalculationDraft = Omit<CalculationInput, 'peptideAmount'> & {
  readonly peptideAmount?: string | undefined;
};

const isComplete = (draft: CalculationDraft): draft is CalculationInput => draft.peptideAmount !== undefined;

function fieldIsValid(field: NumberField, input: CalculationDraft): boolean {
  const text = input[field];
  if (text === undefined) return false;
  const value = new Decimal(text);
  switch (field) {
    case 'peptideAmount':
      return amountIsValid(value);
    case 'waterVolume':
      return within(value, MAX_WATER_ML);
    case 'desiredDose':
      return within(massInMg(text, input.desiredDoseUnit), new Decimal(input.peptideAmount ?? MAX_AMOUNT_MG));
    case 'drawVolume':
      return value.gt(ZERO);
    case 'displacement':
      return value.lte(MAX_DISPLACEMENT);
  }
}

/**
 * The fields that break a limit, the solved one included, in the order of the form.
 * @param input numbers are decimal texts that `readDecimalText` accepted, or absent
 */
export function findLimitProblems(input: CalculationDraft): NumberField[] {
  const entered: NumberField[] = ['peptideAmount', ...NEEDED_FIELDS[input.solveFor], 'displacement'];
  const broken = entered.filter((field) => !fieldIsValid(field, input));
  if (broken.length > 0 || !isComplete(input)) return broken;
  if (input.solveFor === 'water') {
    const { water } = solve(input);
    return water.n.gt(ZERO) && compareTo(water, MAX_WATER_ML) <= 0 ? [] : ['waterVolume'];
  }
  if (input.solveFor === 'dose') {
    const { dose, amount } = solve(input);
    return compareTo(dose, amount) <= 0 ? [] : ['desiredDose'];
  }
  return [];
}
