import { type CalculatedRow, calculateRow } from '#app/domain/calculator/calculate.ts';
import { type CalculationInput, DOSE_UNITS } from '#app/domain/calculator/calculation.ts';
import { FIELD_MESSAGES, fieldMessage, OVERFULL_MESSAGE } from '#app/domain/calculator/solve.ts';
import { parseCalculationForm } from '#app/domain/calculator/calculation-schema.ts';
import { readDecimalText } from '#app/domain/decimal/decimal.ts';
import { isThousand } from '#app/domain/units/quantity.ts';
import { CHOICE_MESSAGES } from '#app/domain/forms/text-fields.ts';

/** Columns of containers other than powder in mg, and of several vials. */
export const CONTAINER_COLUMNS = [
  'form',
  'amountUnit',
  'concentration',
  'containerVolume',
  'clickMl',
  'sprayMl',
  'pieces',
  'vials',
] as const;

/** The values of a row, as text. */
export interface RowTexts extends Partial<Record<(typeof CONTAINER_COLUMNS)[number], string | undefined>> {
  readonly peptideAmount?: string | undefined;
  /** A blend: "BPC-157:5;TB-500:5". */
  readonly components?: string | undefined;
  readonly doseOf?: string | undefined;
  /** Measured by a laboratory, used instead of `peptideAmount`. */
  readonly measuredAmount?: string | undefined;
  readonly waterVolume?: string | undefined;
  readonly desiredDose?: string | undefined;
  readonly desiredDoseUnit?: string | undefined;
  /** Not allowed: a batch calculates the draw, so a row that gives one contradicts itself. */
  readonly drawVolume?: string | undefined;
}

/** Settings from the command's options, the same for every row. */
export type RowSettings = Pick<CalculationInput, 'syringe' | 'mark' | 'displacement'>;

/** The results of a row, or why it has none. */
export type RowResult = Exclude<CalculatedRow, { problems: readonly unknown[] }> | { readonly error: string };

/** A row with one of these values is parsed by the form's schema. */
const AS_FORM = ['components', 'doseOf', 'measuredAmount', ...CONTAINER_COLUMNS] as const;

const AMOUNTS = ['peptideAmount', 'waterVolume', 'desiredDose'] as const;

/** Calculates a row that has units, values that are not numbers, a blend or measured content, using the form's schema. */
function computeTyped(texts: RowTexts, settings: RowSettings): RowResult {
  const parsed = parseCalculationForm({ ...texts, ...settings });
  if (!parsed.ok) {
    const problems = Object.entries(parsed.fields);
    return {
      error: problems.flatMap(([field, texts]) => texts.map((text) => `${field}: ${text}`)).join('; '),
    };
  }
  const row = calculateRow(parsed.input);
  return row.problems === undefined
    ? row
    : { error: row.problems.map((field) => fieldMessage(field, parsed.input)).join('; ') };
}

/** Undefined for what is not a number, and for "2,500", which the form's schema refuses with its reason. */
const numberText = (raw: string | undefined): string | undefined =>
  raw === undefined || isThousand(raw) ? undefined : (readDecimalText(raw) ?? undefined);

/**
 * Calculates one row by the form's rules, with its messages. The common case skips the schema, which for a million rows
 * would cost more than the arithmetic.
 */
export function computeRow(texts: RowTexts, settings: RowSettings): RowResult {
  if (AS_FORM.some((field) => texts[field]?.trim())) return computeTyped(texts, settings);
  const numbers = {
    peptideAmount: numberText(texts.peptideAmount),
    waterVolume: numberText(texts.waterVolume),
    desiredDose: numberText(texts.desiredDose),
  };
  if (AMOUNTS.some((field) => numbers[field] === undefined && texts[field]?.trim()))
    return computeTyped(texts, settings);
  const unit = texts.desiredDoseUnit?.trim() || 'mg';
  if (unit === 'IU') return computeTyped(texts, settings);
  const desiredDoseUnit = DOSE_UNITS.find((known) => known === unit);
  const row = calculateRow({
    solveFor: 'volume',
    ...numbers,
    desiredDoseUnit: desiredDoseUnit ?? 'mg',
    syringe: settings.syringe,
    mark: settings.mark,
    displacement: settings.displacement,
  });
  const isOverfull = texts.drawVolume !== undefined && texts.drawVolume.trim() !== '';
  if (row.problems === undefined && desiredDoseUnit !== undefined && !isOverfull) return row;
  const problems: string[] = (row.problems ?? []).map((field) => FIELD_MESSAGES[field]);
  if (isOverfull) problems.push(OVERFULL_MESSAGE);
  if (desiredDoseUnit === undefined) problems.push(CHOICE_MESSAGES.desiredDoseUnit);
  return { error: problems.join('; ') };
}
