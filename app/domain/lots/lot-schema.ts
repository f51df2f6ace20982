import * as z from 'zod';
import { dayField, decimalField, idField, lineField, notesField } from '#app/domain/forms/fields.ts';
import { isWebAddress } from '#app/domain/forms/text-fields.ts';
import { plainText } from '#app/domain/decimal/decimal.ts';
import { MASS_UNITS } from '#app/domain/units/quantity.ts';
import { MAX_VIAL_MG } from '#app/domain/vials/vial-fields.ts';

const MAX_LINE = 100;
const MAX_URL = 500;

export const LOT_MESSAGES = {
  number: 'Lot number is required',
  numberLong: `Lot number can have at most ${MAX_LINE} characters`,
  product: 'Compound is required',
  productLong: `Compound can have at most ${MAX_LINE} characters`,
  supplierId: 'Choose one of your suppliers',
  day: 'Enter a date as YYYY-MM-DD',
  purityPercent: 'Purity must be above 0 and at most 100%',
  netContentMg: `Net content must be above 0 and at most ${MAX_VIAL_MG} mg`,
  line: `At most ${MAX_LINE} characters`,
  reportUrl: 'The link to the report must start with https:// or http://',
  notes: 'Notes can have at most 2000 characters',
  exists: 'You already have a lot with this number, compound and supplier.',
  inUse: 'Some vials belong to this lot. Change or delete them first.',
} as const;

const required = (missing: string, long: string) =>
  lineField(long, MAX_LINE).transform((text, context): string => {
    if (text !== null) return text;
    context.addIssue({ code: 'custom', message: missing });
    return z.NEVER;
  });

/** Blank and null clear a value; an absent field stays absent. */
const clearable = <S extends z.ZodType>(field: S) =>
  z.preprocess((value) => (typeof value === 'string' && value.trim() === '' ? null : value), field.nullish());

const aboveZero = (message: string, most: number, units?: typeof MASS_UNITS) =>
  decimalField(message, { most, ...(units && { units }) })
    .refine((text) => Number(text) > 0, { error: message })
    .transform(plainText);

const number = required(LOT_MESSAGES.number, LOT_MESSAGES.numberLong);
const product = required(LOT_MESSAGES.product, LOT_MESSAGES.productLong);

const line = clearable(lineField(LOT_MESSAGES.line, MAX_LINE));
const day = clearable(dayField(LOT_MESSAGES.day));

/** The fields of the certificate, each of which can be cleared. */
export const certificateFields = {
  purityPercent: clearable(aboveZero(LOT_MESSAGES.purityPercent, 100)).describe('Above 0, at most 100'),
  netContentMg: clearable(aboveZero(LOT_MESSAGES.netContentMg, MAX_VIAL_MG, MASS_UNITS)).describe(
    'mg of peptide measured in one vial',
  ),
  identityMethod: line.describe('How identity was tested'),
  laboratory: line,
  testedOn: day.describe('YYYY-MM-DD'),
  reportKey: line,
  reportUrl: clearable(
    lineField(LOT_MESSAGES.reportUrl, MAX_URL).refine((text) => text === null || isWebAddress(text), {
      error: LOT_MESSAGES.reportUrl,
    }),
  ),
};

const details = {
  supplierId: clearable(idField(LOT_MESSAGES.supplierId)).describe('One of your suppliers'),
  expirationDate: day.describe('YYYY-MM-DD, last day to use sealed vials'),
  ...certificateFields,
  notes: clearable(notesField(LOT_MESSAGES.notes)),
};

/** What an owner may note about a lot. Text, or null while nothing was entered. */
export type LotDetails = { [Name in keyof typeof details]: string | null };

const DETAIL_NAMES = Object.keys(details) as (keyof LotDetails)[];

/** The details among some fields. Missing ones are null, also those of a lot that was stored before the field existed. */
export const lotDetailsOf = (fields: {
  readonly [Name in keyof LotDetails]?: string | null | undefined;
}): LotDetails => Object.fromEntries(DETAIL_NAMES.map((name) => [name, fields[name] ?? null])) as LotDetails;

/** A new lot, from a form or the API. */
export const lotSchema = z.object({
  number: z.pipe(z.string({ error: LOT_MESSAGES.number }), number),
  product: z.pipe(z.string({ error: LOT_MESSAGES.product }), product),
  ...details,
});

export type LotInput = z.input<typeof lotSchema>;
export type LotFields = z.output<typeof lotSchema>;

/** An update of a lot: only the fields that are sent change; null or blank clears a field. */
export const lotChangesSchema = lotSchema.extend({ number: number.optional(), product: product.optional() });

export type LotChangesInput = z.input<typeof lotChangesSchema>;
export type LotChanges = z.output<typeof lotChangesSchema>;

export const lotFormSchema = lotSchema.extend({ idempotencyKey: z.string().max(100).optional() });

export const LOT_FIELDS = Object.keys(lotSchema.shape) as (keyof LotFields)[];
