import type { CalculationInput } from '#app/domain/calculator/calculation.ts';
import { AppError } from '#app/domain/errors.ts';
import { parseCalculationForm } from '#app/domain/calculator/calculation-schema.ts';
import { massInMg, readQuantity } from '#app/domain/units/quantity.ts';

/** The options of `vialbook calc` as typed. */
export interface CalcOptions {
  readonly amount?: string;
  readonly water?: string;
  readonly dose?: string;
  readonly draw?: string;
  readonly solveFor?: string;
  readonly syringe?: string;
  readonly mark?: string;
  readonly displacement?: string;
  readonly name?: string;
  readonly batch?: string;
  readonly format?: string;
  readonly json?: boolean;
}

const OPTION_BY_FIELD: Readonly<Record<string, string>> = {
  solveFor: '--solve-for',
  peptideAmount: '--amount',
  waterVolume: '--water',
  desiredDose: '--dose',
  desiredDoseUnit: '--dose',
  drawVolume: '--draw',
  syringe: '--syringe',
  mark: '--mark',
  displacement: '--displacement',
  peptideName: '--name',
};

/** The option that a field of the calculator was typed as. */
export const optionOf = (field: string): string => OPTION_BY_FIELD[field] ?? field;

/** What is sought: what was not given, when a draw stands in its place. */
function soughtBy(options: CalcOptions): string {
  if (options.solveFor !== undefined) return options.solveFor;
  if (options.draw === undefined) return 'volume';
  return options.water === undefined ? 'water' : 'dose';
}

/** An amount in mg as decimal text; what cannot be read goes on as typed and is refused with its field's message. */
function amountText(raw: string): string {
  const amount = readQuantity(raw, ['mg', 'mcg']);
  return amount === null ? raw : massInMg(amount.text, amount.unit).toFixed();
}

const volumeText = (raw: string): string => readQuantity(raw, ['ml'])?.text ?? raw;

function fieldsOf(options: CalcOptions): Record<string, string | undefined> {
  const dose = options.dose === undefined ? null : readQuantity(options.dose, ['mg', 'mcg']);
  return {
    solveFor: soughtBy(options),
    peptideAmount: options.amount && amountText(options.amount),
    waterVolume: options.water && volumeText(options.water),
    desiredDose: dose?.text ?? options.dose,
    desiredDoseUnit: dose?.unit,
    drawVolume: options.draw && volumeText(options.draw),
    syringe: options.syringe,
    mark: options.mark,
    displacement: options.displacement,
    peptideName: options.name,
  };
}

/**
 * The calculation that the options ask for.
 * @throws AppError INVALID_INPUT with the messages by field
 */
export function readCalcOptions(options: CalcOptions): CalculationInput {
  const parsed = parseCalculationForm(fieldsOf(options));
  if (!parsed.ok)
    throw new AppError('INVALID_INPUT', 'This cannot be calculated.', { fields: parsed.fields });
  return parsed.input;
}

const OF_ONE_CALCULATION = ['amount', 'water', 'dose', 'draw', 'solveFor', 'name'] as const;

/**
 * What the options set for every row of a batch.
 * @throws AppError INVALID_INPUT for a wrong value, or an option that belongs to a single calculation
 */
export function readRowSettings(
  options: CalcOptions,
): Pick<CalculationInput, 'syringe' | 'mark' | 'displacement'> {
  const foreign = OF_ONE_CALCULATION.find((name) => options[name] !== undefined);
  if (foreign !== undefined) {
    throw new AppError('INVALID_INPUT', 'A batch takes amounts, water and doses from its rows.');
  }
  // Any valid numbers: the rules for the rest are those of a single calculation.
  const { syringe, mark, displacement } = readCalcOptions({ ...options, amount: '1', water: '1', dose: '1' });
  return { syringe, mark, displacement };
}
