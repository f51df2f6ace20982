import { type CalculationInput, SOLVE_FOR, SOLVED_FIELD } from '#app/domain/calculator/calculation.ts';
import { splitComponents } from '#app/domain/calculator/components.ts';
import { AppError, type FieldErrors } from '#app/domain/errors.ts';
import { parseCalculationOptions } from '#app/domain/calculator/calculation-schema.ts';

/** The options of `vialbook calc` as typed. */
export interface CalcOptions {
  readonly amount?: string;
  /** "NAME=5mg", once for each. */
  readonly component?: readonly string[];
  readonly doseOf?: string;
  readonly water?: string;
  readonly dose?: string;
  readonly draw?: string;
  readonly solveFor?: string;
  readonly syringe?: string;
  readonly mark?: string;
  readonly displacement?: string;
  readonly measured?: string;
  readonly name?: string;
  readonly batch?: string;
  readonly format?: string;
  readonly json?: boolean;
}

const OPTION_BY_FIELD: Readonly<Record<string, string>> = {
  solveFor: '--solve-for',
  peptideAmount: '--amount',
  components: '--component',
  doseOf: '--dose-of',
  waterVolume: '--water',
  desiredDose: '--dose',
  desiredDoseUnit: '--dose',
  drawVolume: '--draw',
  syringe: '--syringe',
  mark: '--mark',
  displacement: '--displacement',
  measuredAmount: '--measured',
  peptideName: '--name',
};

/** The option that sets a field of the calculator. */
export const optionOf = (field: string): string => OPTION_BY_FIELD[field] ?? field;

/** What to solve for: with a draw, whichever of water and dose is missing. */
function soughtBy(options: CalcOptions): string {
  if (options.solveFor !== undefined) return options.solveFor;
  if (options.draw === undefined) return 'volume';
  return options.water === undefined ? 'water' : 'dose';
}

function fieldsOf(options: CalcOptions): Record<string, unknown> {
  return {
    solveFor: soughtBy(options),
    peptideAmount: options.amount,
    components: options.component?.flatMap((text) => splitComponents(text, '=')),
    doseOf: options.doseOf,
    waterVolume: options.water,
    desiredDose: options.dose,
    drawVolume: options.draw,
    syringe: options.syringe,
    mark: options.mark,
    displacement: options.displacement,
    measuredAmount: options.measured,
    peptideName: options.name,
  };
}

/** How to ask for each missing quantity. */
const QUANTITIES = [
  { option: 'amount', field: 'peptideAmount', missing: 'the peptide in the vial, such as 5mg' },
  { option: 'water', field: 'waterVolume', missing: 'the water added, such as 2ml' },
  { option: 'dose', field: 'desiredDose', missing: 'the desired dose, such as 250mcg' },
  { option: 'draw', field: 'drawVolume', missing: 'the volume drawn, such as 0.1ml' },
] as const;

/** The messages of an invalid calculation, with those for missing quantities worded for the terminal. */
function problemsOf(options: CalcOptions, fields: FieldErrors): FieldErrors {
  const problems: FieldErrors = { ...fields };
  if (options.component !== undefined && options.amount === undefined) delete problems['peptideAmount'];
  const solved: string = SOLVED_FIELD[SOLVE_FOR.find((way) => way === soughtBy(options)) ?? 'volume'];
  for (const { option, field, missing } of QUANTITIES) {
    const isMissing = (options[option] ?? '').trim() === '';
    if (isMissing && problems[field] && field !== solved) problems[field] = [`missing; give ${missing}`];
  }
  return problems;
}

/**
 * The calculation that the options ask for.
 * @throws AppError INVALID_INPUT with the messages by field
 */
export function readCalcOptions(options: CalcOptions): CalculationInput {
  const parsed = parseCalculationOptions(fieldsOf(options));
  if (parsed.ok) return parsed.input;
  throw new AppError('INVALID_INPUT', 'This cannot be calculated.', {
    fields: problemsOf(options, parsed.fields),
  });
}

const OF_ONE_CALCULATION = [
  'amount',
  'component',
  'doseOf',
  'water',
  'dose',
  'draw',
  'measured',
  'solveFor',
  'name',
] as const;

/**
 * The settings that apply to every row of a batch.
 * @throws AppError INVALID_INPUT for a wrong value, or an option that belongs to a single calculation
 */
export function readRowSettings(
  options: CalcOptions,
): Pick<CalculationInput, 'syringe' | 'mark' | 'displacement'> {
  const foreign = OF_ONE_CALCULATION.find((name) => options[name] !== undefined);
  if (foreign !== undefined) {
    throw new AppError(
      'INVALID_INPUT',
      'With --batch, amounts, water and doses come from the rows. Remove the options for a single calculation.',
    );
  }
  // With placeholder numbers, so that the remaining options are checked as in a single calculation.
  const { syringe, mark, displacement } = readCalcOptions({ ...options, amount: '1', water: '1', dose: '1' });
  return { syringe, mark, displacement };
}
