import * as z from 'zod';
import {
  dayField,
  decimalField,
  entered,
  idField,
  lineField,
  requiredLine,
  notesField,
  picked,
  type StoredValues,
} from '#app/domain/forms/fields.ts';
import { isWebAddress } from '#app/domain/forms/text-fields.ts';
import { plainText } from '#app/domain/decimal/decimal.ts';
import { substanceUnitOf, type SubstanceUnit } from '#app/domain/calculator/calculation.ts';
import { fieldError } from '#app/domain/errors.ts';
import { MASS_UNITS, namesUnit, readQuantity, SUBSTANCE_AMOUNT_UNITS } from '#app/domain/units/quantity.ts';
import { MAX_VIAL_MG } from '#app/domain/vials/vial-fields.ts';

const MAX_LINE = 100;
const MAX_URL = 500;

export const LOT_MESSAGES = {
  number: 'Enter the lot number',
  numberLong: `Lot number can have at most ${MAX_LINE} characters`,
  product: 'Enter the compound',
  productLong: `Compound can have at most ${MAX_LINE} characters`,
  supplierId: 'Choose one of your suppliers',
  day: 'Enter a date as YYYY-MM-DD',
  purityPercent: 'Purity must be above 0 and at most 100%',
  contentInIu: 'The vials of this lot are in IU. Enter the content in IU',
  contentInMg: 'No vial of this lot is in IU. Enter the content in mg, or the number alone',
  netContentMg: `Net content must be above 0 and at most ${MAX_VIAL_MG} mg`,
  line: `At most ${MAX_LINE} characters`,
  reportUrl: 'The link to the report must start with https:// or http://',
  notes: 'Notes can have at most 2000 characters',
  exists: 'You already have a lot with this number, compound and supplier.',
  inUse: 'Some vials belong to this lot. Change or delete them first.',
} as const;

/** Blank and null clear a value; an absent field stays absent. */
const clearable = <S extends z.ZodType>(field: S) =>
  z.preprocess((value) => (typeof value === 'string' && value.trim() === '' ? null : value), field.nullish());

const aboveZero = (
  message: string,
  most: number,
  units?: typeof SUBSTANCE_AMOUNT_UNITS | typeof MASS_UNITS,
) =>
  decimalField(message, { most, ...(units && { units }) })
    .refine((text) => Number(text) > 0, { error: message })
    .transform(plainText);

const contentAmount = aboveZero(LOT_MESSAGES.netContentMg, MAX_VIAL_MG, SUBSTANCE_AMOUNT_UNITS);

/** The content of a vial; a unit typed with it is kept as "mg" or "IU" until {@link contentIn} has read it. */
const contentField = entered(LOT_MESSAGES.netContentMg)
  .transform((typed, context): string => {
    const read = contentAmount.safeParse(typed);
    if (!read.success) {
      for (const { message } of read.error.issues)
        context.issues.push({ code: 'custom', message, input: typed });
      return z.NEVER;
    }
    const quantity =
      typeof typed === 'string' && namesUnit(typed) ? readQuantity(typed, SUBSTANCE_AMOUNT_UNITS) : null;
    return quantity === null ? read.data : `${read.data} ${substanceUnitOf(quantity.unit)}`;
  })
  .meta({ type: 'number', exclusiveMinimum: 0, maximum: MAX_VIAL_MG });

/**
 * The content as decimal text in the unit of the lot's vials.
 * @param content as {@link lotSchema} returns it
 * @throws AppError INVALID_INPUT if the unit typed with it is of the other measure
 */
export function contentIn(unit: SubstanceUnit, content: string): string {
  const [text = '', typed = unit] = content.split(' ');
  if (typed === unit) return text;
  throw fieldError('netContentMg', unit === 'IU' ? LOT_MESSAGES.contentInIu : LOT_MESSAGES.contentInMg);
}

const number = requiredLine(LOT_MESSAGES.number, LOT_MESSAGES.numberLong, MAX_LINE);
const product = requiredLine(LOT_MESSAGES.product, LOT_MESSAGES.productLong, MAX_LINE);

const line = clearable(lineField(LOT_MESSAGES.line, MAX_LINE));
const day = clearable(dayField(LOT_MESSAGES.day));

/**
 * What a laboratory found in a lot; null if not tested. Purity, content and identity are three different things: what share of
 * the peptide mass is the named peptide, how much of it is in a vial, and whether it is that peptide at all.
 */
export const certificateFields = {
  purityPercent: clearable(aboveZero(LOT_MESSAGES.purityPercent, 100)).describe('Above 0, at most 100'),
  netContentMg: clearable(aboveZero(LOT_MESSAGES.netContentMg, MAX_VIAL_MG, MASS_UNITS)).describe(
    'mg of peptide measured in one vial',
  ),
  identityMethod: line.describe('How identity was tested'),
  laboratory: line,
  testedOn: day.describe('YYYY-MM-DD'),
  /** The code that the laboratory's website asks for to show its report. */
  reportKey: line,
  reportUrl: clearable(
    lineField(LOT_MESSAGES.reportUrl, MAX_URL).refine((text) => text === null || isWebAddress(text), {
      error: LOT_MESSAGES.reportUrl,
    }),
  ),
};

export type Certificate = StoredValues<typeof certificateFields>;

/** The fields of a certificate, in display order. */
export const CERTIFICATE_FIELDS = Object.keys(certificateFields) as (keyof Certificate)[];

/** What an owner may note about a lot. Each is text, or null while nothing was entered. */
export const lotDetails = {
  supplierId: clearable(idField(LOT_MESSAGES.supplierId)).describe('One of your suppliers'),
  expirationDate: day.describe('YYYY-MM-DD, last day to use sealed vials'),
  ...certificateFields,
  notes: clearable(notesField(LOT_MESSAGES.notes)),
};

export type LotDetails = StoredValues<typeof lotDetails>;

/** The details among some fields. */
export const lotDetailsOf = picked(lotDetails);

/** A new lot, from a form or the API. */
export const lotSchema = z.object({
  number,
  product,
  ...lotDetails,
  netContentMg: clearable(contentField).describe('Measured in one vial, in mg, or in IU for vials in IU'),
});

export type LotInput = z.input<typeof lotSchema>;
export type LotFields = z.output<typeof lotSchema>;

/** An update of a lot: only the fields that are sent change; null or blank clears a field. */
export const lotChangesSchema = lotSchema.extend({ number: number.optional(), product: product.optional() });

export type LotChangesInput = z.input<typeof lotChangesSchema>;
export type LotChanges = z.output<typeof lotChangesSchema>;

export const lotFormSchema = lotSchema.extend({ idempotencyKey: z.string().max(100).optional() });
