import { DOSE_UNITS, type DoseUnit } from '#app/domain/calculator/calculation.ts';
import * as z from 'zod';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { decimalText, nameText } from '#app/domain/forms/text-fields.ts';
import { figureText } from '#app/domain/decimal/figure-text.ts';
import { fromBaseUnit, toBaseUnit } from '#app/domain/units/quantity.ts';
import type { Ceiling } from './dose-warnings.ts';

/** Highest ceiling, in any unit: more than anybody takes of anything in a week. */
export const MAX_CEILING = 100_000_000;

/** Maximum number of compounds an account can set ceilings for. */
export const MAX_CEILINGS = 500;

export const CEILING_MESSAGES = {
  saved: 'Ceilings saved',
  removed: 'Ceilings removed',
  name: 'Enter the name of the compound',
  amount: 'Enter an amount above zero and at most 100,000,000, or leave it empty',
  unit: 'Choose mg, mcg or IU',
  tooMany: `You can set limits for up to ${MAX_CEILINGS} compounds.`,
} as const;

/** Absent: unchanged. Null or empty: no ceiling. */
const limit = z
  .preprocess(
    (value) => (typeof value === 'string' && value.trim() === '' ? null : value),
    z.union([
      z.null(),
      decimalText(CEILING_MESSAGES.amount).check(
        z.refine((text: string) => new Decimal(text).gt(0) && new Decimal(text).lte(MAX_CEILING), {
          error: CEILING_MESSAGES.amount,
        }),
      ),
    ]),
  )
  .optional();

/** Input for setting the ceilings of a compound. */
export const ceilingSchema = z.object({
  name: z.pipe(nameText, z.string().min(1, { error: CEILING_MESSAGES.name })),
  unit: z.enum(DOSE_UNITS, { error: CEILING_MESSAGES.unit }).optional(),
  perDose: limit,
  perDay: limit,
  per7Days: limit,
});

/** The form of a page with a compound's ceilings, which leads back to the page it was on. */
export const ceilingFormSchema = ceilingSchema.extend({ from: z.string().default('') });

export type CeilingInput = z.input<typeof ceilingSchema>;
type CeilingFields = z.output<typeof ceilingSchema>;

const inUnit = (text: string, from: DoseUnit, to: DoseUnit): string => {
  if (from === to) return text;
  const mg = toBaseUnit(text, from);
  return fromBaseUnit(mg, to).toFixed();
};

/**
 * The ceiling after a change. Limits that were not sent keep their amount, converted if the unit changes.
 * @returns null when no limit is left
 */
export function changedCeiling(before: Ceiling | null, fields: Omit<CeilingFields, 'name'>): Ceiling | null {
  const unit = fields.unit ?? before?.unit ?? 'mg';
  const limitOf = (name: 'perDose' | 'perDay' | 'per7Days'): string | null => {
    const sent = fields[name];
    if (sent !== undefined) return sent === null ? null : new Decimal(sent).toFixed();
    const old = before?.[name] ?? null;
    return before === null || old === null ? null : inUnit(old, before.unit, unit);
  };
  const ceiling = {
    unit,
    perDose: limitOf('perDose'),
    perDay: limitOf('perDay'),
    per7Days: limitOf('per7Days'),
  };
  const isEmpty = ceiling.perDose === null && ceiling.perDay === null && ceiling.per7Days === null;
  return isEmpty ? null : ceiling;
}

/** "at most 2.5 mg a dose, 5 mg a day" */
export function ceilingText({ unit, perDose, perDay, per7Days }: Ceiling): string {
  const parts = [
    perDose === null ? [] : [`${figureText(perDose)} ${unit} a dose`],
    perDay === null ? [] : [`${figureText(perDay)} ${unit} a day`],
    per7Days === null ? [] : [`${figureText(per7Days)} ${unit} in 7 days`],
  ].flat();
  return `at most ${parts.join(', ')}`;
}
