import * as z from 'zod';
import { lineField, notesField, picked, type StoredValues } from '#app/domain/forms/fields.ts';
import { CHOICE_MESSAGES, readAmount, readNumber } from '#app/domain/forms/text-fields.ts';
import { Decimal, plainText } from '#app/domain/decimal/decimal.ts';
import { isCalendarDay } from '#app/domain/time/calendar.ts';
import { FORMS, SUBSTANCE_UNITS } from '#app/domain/calculator/calculation.ts';
import {
  CONCENTRATION_UNITS,
  IU_CONCENTRATION_UNITS,
  VOLUME_UNITS,
  type AmountUnit,
} from '#app/domain/units/quantity.ts';

export const MAX_VIAL_MG = 100_000;
const MAX_VIAL_ML = 1000;
const MAX_STEP_ML = 1;
const MAX_PIECES = 10_000;
export const MAX_NAME = 100;
const MAX_LINE = 100;
const MAX_NOTES = 2000;
export const MAX_REASON = 200;
const MAX_COST = 1_000_000;

export const VIAL_MESSAGES = {
  failedToLoad: 'Failed to load compounds',
  failedToAdd: 'Failed to add compound',
  failedToUpdate: 'Failed to update compound',
  failedToDelete: 'Failed to delete compound',
  supplierId: 'Choose one of your suppliers',
  name: 'Enter a name',
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
  clickMl: 'Enter the ml of one click, above 0 and at most 1',
  sprayMl: 'Enter the ml of one spray, above 0 and at most 1',
  pieces: `Enter the number of capsules, from 1 to ${MAX_PIECES}`,
  containerMl: 'Enter the ml in the container, or its concentration and amount',
  notMixed: 'Only powder is reconstituted. Leave this empty',
  notPowder: 'Only powder is reconstituted. This container is used as it is.',
  noPowder: 'Only powder takes up room in water. Leave this empty',
  otherMeasure:
    'IU are an activity, mg and mcg a mass: one is not converted to the other. Use the unit on the label for all amounts',
  measureDrawn: 'Doses have been drawn from this vial, so its unit and form can no longer change',
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
  return z
    .union([z.string(), z.number()], { error: message })
    .transform((raw, context): string => {
      const read = units === undefined ? readNumber(raw, message) : readAmount(raw, units, message);
      const refuse = (problem: string) => {
        context.addIssue({ code: 'custom', message: problem });
        return z.NEVER;
      };
      if ('problem' in read) return refuse(read.problem);
      const value = new Decimal(read.text);
      const fits =
        value.lte(most) &&
        (above === undefined || value.gt(above)) &&
        (from === undefined || value.gte(from));
      return fits ? plainText(read.text) : refuse(message);
    })
    .meta({
      type: 'number',
      ...(above === undefined ? {} : { exclusiveMinimum: above }),
      ...(from === undefined ? {} : { minimum: from }),
      maximum: most,
    });
}

/** Blank and null clear a value; an absent field stays absent. */
export const clearable = <S extends z.ZodType>(field: S) =>
  z.preprocess((value) => (typeof value === 'string' && value.trim() === '' ? null : value), field.nullish());

/** A calendar day. The range leaves room to add weeks and years. */
export const dayField = z
  .string({ error: VIAL_MESSAGES.day })
  .trim()
  .refine(isCalendarDay, { error: VIAL_MESSAGES.day, abort: true })
  .refine((day) => day >= '1950-01-01' && day <= '2199-12-31', { error: VIAL_MESSAGES.dayRange })
  .meta({ format: 'date' });

/** What the container is, and what its amounts are measured in. Null stands for powder and for mg. */
export const containerFields = {
  form: clearable(z.enum(FORMS, { error: CHOICE_MESSAGES.form })).describe('"powder" by default'),
  amountUnit: clearable(z.enum(SUBSTANCE_UNITS, { error: CHOICE_MESSAGES.amountUnit })).describe(
    'The unit of all amounts, and per ml of the concentration; "mg" by default',
  ),
  clickMl: clearable(
    amountField(VIAL_MESSAGES.clickMl, { above: 0, most: MAX_STEP_ML }, VOLUME_UNITS),
  ).describe('ml of one click of a pen'),
  sprayMl: clearable(
    amountField(VIAL_MESSAGES.sprayMl, { above: 0, most: MAX_STEP_ML }, VOLUME_UNITS),
  ).describe('ml of one spray'),
  pieces: clearable(
    amountField(VIAL_MESSAGES.pieces, { from: 1, most: MAX_PIECES }).refine((text) => /^\d+$/.test(text), {
      error: VIAL_MESSAGES.pieces,
    }),
  ).describe('How many capsules'),
};

/** What makes a vial's concentration: the water, or the concentration if that was given instead; null if unknown. */
export const strengthFields = {
  waterMl: clearable(
    amountField(VIAL_MESSAGES.waterMl, { above: 0, most: MAX_VIAL_ML }, VOLUME_UNITS),
  ).describe(
    'ml added to powder, ml in any other container; determines the concentration together with the amount',
  ),
  concentration: clearable(
    amountField(VIAL_MESSAGES.concentration, { above: 0, most: MAX_VIAL_MG }, [
      ...CONCENTRATION_UNITS,
      ...IU_CONCENTRATION_UNITS,
    ]),
  ).describe('mg/ml or IU/ml, in one piece for capsules; required without waterMl'),
};

/** A vial's days. */
export const dayFields = {
  reconstitutionDate: clearable(dayField).describe('YYYY-MM-DD; without it the vial is sealed'),
  expirationDate: clearable(dayField).describe(
    'YYYY-MM-DD, last day of use; 28 days after reconstitution by default',
  ),
};

type Days = { readonly [Name in keyof typeof dayFields]?: string | null | undefined };

/** True if the last day of use is before the reconstitution. */
export const areDaysReversed = ({ reconstitutionDate, expirationDate }: Days): boolean =>
  Boolean(reconstitutionDate && expirationDate && expirationDate < reconstitutionDate);

/** A line of text; blank is null. */
const line = () => lineField(VIAL_MESSAGES.line, MAX_LINE).nullish();

const currency = lineField(VIAL_MESSAGES.currency, 3)
  .refine((code) => code === null || /^[A-Za-z]{3}$/.test(code), { error: VIAL_MESSAGES.currency })
  .transform((code) => code?.toUpperCase() ?? null)
  .nullish();

/** What an owner notes about a vial. */
export const noteFields = {
  storageTemp: line(),
  lot: line().describe('The number on the vial'),
  supplierId: line(),
  cost: clearable(amountField(VIAL_MESSAGES.cost, { from: 0, most: MAX_COST })).describe(
    'What was paid for the vial',
  ),
  currency: currency.describe('Three-letter code'),
  notes: notesField(VIAL_MESSAGES.notes, MAX_NOTES).nullish(),
};

/**
 * The fields of a vial that can be empty: each with its rule and, for the API, its meaning. Text, or null while nothing was
 * entered; amounts are decimal text. A field that is added to one of the groups is part of the vial type, of forms and calls, of
 * the database, of exports and imports; its control and its line on the vial's page are written by hand.
 */
export const detailFields = { ...containerFields, ...strengthFields, ...dayFields, ...noteFields };

/** The details that calls and files hold as numbers. */
const { clickMl, sprayMl, pieces } = containerFields;
export const amountFields = { ...strengthFields, clickMl, sprayMl, pieces, cost: noteFields.cost };

/** A vial's details. */
export type VialDetails = StoredValues<typeof detailFields>;

/** The details among some fields. */
export const detailsOf = picked(detailFields);
