import * as z from 'zod';
import { lineField, notesField } from '#app/domain/forms/fields.ts';
import { readAmount, readNumber } from '#app/domain/forms/text-fields.ts';
import { Decimal, plainText } from '#app/domain/decimal/decimal.ts';
import type { AmountUnit } from '#app/domain/units/quantity.ts';

export const MAX_VIAL_MG = 100_000;
export const MAX_VIAL_ML = 1000;
export const MAX_NAME = 100;
const MAX_LINE = 100;
const MAX_NOTES = 2000;
export const MAX_REASON = 200;
const MAX_COST = 1_000_000;

export const VIAL_MESSAGES = {
  supplierId: 'Choose one of your suppliers',
  name: 'Name is required',
  nameOfComponent: 'A blend cannot have the name of one of its components',
  nameOfOne: 'A vial with one component must have its name',
  contradicts: 'Enter either the amount or the components',
  componentsDrawn:
    'This vial has been drawn from. You can rename components and correct amounts, but not add, remove or reorder them',
  nameLong: `Name can have at most ${MAX_NAME} characters`,
  totalAmount: 'Enter the amount in mg',
  totalAmountRange: `Amount must be above 0 and at most ${MAX_VIAL_MG} mg`,
  waterMl: `Water must be above 0 and at most ${MAX_VIAL_ML} ml`,
  concentration: `Concentration must be above 0 and at most ${MAX_VIAL_MG} mg/ml`,
  displacement: 'Powder displacement must be between 0 and 1000 µl per mg',
  day: 'Enter a date as YYYY-MM-DD',
  dayRange: 'Enter a date from 1950 to 2199',
  line: `At most ${MAX_LINE} characters`,
  notes: `Notes can have at most ${MAX_NOTES} characters`,
  reason: `At most ${MAX_REASON} characters`,
  cost: `Cost must be a number from 0 to ${MAX_COST}`,
  currency: 'Currency must be a three-letter code, such as USD',
  amountsDiffer: 'This differs from the total amount',
  strengthDiffers: 'Concentration and water do not match: leave one of them empty',
  noStrength: 'Enter the water added, or the concentration',
  order: 'Last day of use cannot be before the reconstitution date',
  remaining: 'Remaining amount must be between 0 and the total amount',
  lost: 'Lost amount must be above 0 and at most what is left',
  tooSmall: 'More than this has already been drawn from the vial',
} as const;

type Bounds = { above?: number; from?: number; most: number };

/**
 * Decimal text within bounds, from typed text or a JSON number, without trailing zeros.
 * @param bounds `above` is exclusive, `from` and `most` are inclusive
 * @param units units that may be typed after the number; the result is in the first of them
 */
export function amountField(
  message: string,
  { above, from, most }: Bounds,
  units?: readonly [AmountUnit, ...AmountUnit[]],
) {
  return z.union([z.string(), z.number()], { error: message }).transform((raw, context): string => {
    const read = units === undefined ? readNumber(raw, message) : readAmount(raw, units, message);
    const refuse = (problem: string) => {
      context.addIssue({ code: 'custom', message: problem });
      return z.NEVER;
    };
    if ('problem' in read) return refuse(read.problem);
    const value = new Decimal(read.text);
    const fits =
      value.lte(most) && (above === undefined || value.gt(above)) && (from === undefined || value.gte(from));
    return fits ? plainText(read.text) : refuse(message);
  });
}

/** Blank and null clear a value; an absent field stays absent. */
export const clearable = <S extends z.ZodType>(field: S) =>
  z.preprocess((value) => (typeof value === 'string' && value.trim() === '' ? null : value), field.nullish());

/** A line of text; blank is null. */
const line = () => lineField(VIAL_MESSAGES.line, MAX_LINE).nullish();

const currency = lineField(VIAL_MESSAGES.currency, 3)
  .refine((code) => code === null || /^[A-Za-z]{3}$/.test(code), { error: VIAL_MESSAGES.currency })
  .transform((code) => code?.toUpperCase() ?? null)
  .nullish();

/**
 * What an owner notes about a vial: each field with its rule and, for the API, its meaning. Text, or null while nothing was
 * entered. A field that is added here is part of the vial type, of forms and calls, of the database, of exports and imports;
 * its control and its line on the vial's page are written by hand.
 */
export const detailFields = {
  storageTemp: line(),
  lot: line().describe('The number on the vial'),
  supplierId: line(),
  cost: clearable(amountField(VIAL_MESSAGES.cost, { from: 0, most: MAX_COST })).describe(
    'What was paid for the vial',
  ),
  currency: currency.describe('Three-letter code'),
  notes: notesField(VIAL_MESSAGES.notes, MAX_NOTES).nullish(),
};

export type DetailName = keyof typeof detailFields;

export const DETAIL_NAMES = Object.keys(detailFields) as DetailName[];

/** A vial's details. The cost is decimal text. */
export type VialDetails = { [Name in DetailName]: string | null };

/** The details among some fields. Missing ones are null, also those of a vial that was stored before the field existed. */
export const detailsOf = (fields: {
  readonly [Name in DetailName]?: string | null | undefined;
}): VialDetails =>
  Object.fromEntries(DETAIL_NAMES.map((name) => [name, fields[name] ?? null])) as VialDetails;
