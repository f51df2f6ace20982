import * as z from 'zod';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { currencyCode } from './price-per-mg.ts';
import { amountText, decimalText, withoutControls, isWebAddress } from '#app/domain/forms/text-fields.ts';
import { picked, type StoredValues } from '#app/domain/forms/fields.ts';
import { MASS_UNITS } from '#app/domain/units/quantity.ts';

export const MAX_VENDOR_NAME_LENGTH = 100;
export const MAX_VENDOR_NOTES_LENGTH = 2000;
const MAX_LINE_LENGTH = 300;
const MAX_PRICE = 1_000_000;
const MAX_MG = 10_000;

const VENDOR_MESSAGES = {
  name: 'Enter a name',
  nameLong: `Name can have at most ${MAX_VENDOR_NAME_LENGTH} characters`,
  site: 'Website must start with https:// or http://',
  contact: `Contact can have at most ${MAX_LINE_LENGTH} characters`,
  rating: 'Rating must be from 1 to 5',
  notes: `Notes can have at most ${MAX_VENDOR_NOTES_LENGTH} characters`,
  form: 'Choose one of the listed forms',
  mgPerVial: `Amount per vial must be above 0 and at most ${MAX_MG} mg`,
  price: `Price must be a number from 0 to ${MAX_PRICE}`,
  currency: 'Currency must be a three-letter code, such as USD',
} as const;

/** The physical form of a product. */
export const PRODUCT_FORMS = ['lyophilised', 'solution', 'capsule', 'other'] as const;
export type ProductForm = (typeof PRODUCT_FORMS)[number];

const line = (message: string, most: number) =>
  z
    .string({ error: message })
    .transform((text) => withoutControls(text.replace(/\s+/g, ' ')).trim())
    .pipe(z.string().max(most, { error: message }))
    .meta({ maxLength: most });

/** A name on one line; blank counts as missing. */
export const vendorName = z
  .string({ error: VENDOR_MESSAGES.name })
  .transform((text) => withoutControls(text.replace(/\s+/g, ' ')).trim())
  .pipe(
    z
      .string()
      .min(1, { error: VENDOR_MESSAGES.name })
      .max(MAX_VENDOR_NAME_LENGTH, { error: VENDOR_MESSAGES.nameLong }),
  )
  .meta({ minLength: 1, maxLength: MAX_VENDOR_NAME_LENGTH });

const notes = z
  .string({ error: VENDOR_MESSAGES.notes })
  .transform((text) => withoutControls(text.replace(/\r\n?/g, '\n')).trim())
  .pipe(z.string().max(MAX_VENDOR_NOTES_LENGTH, { error: VENDOR_MESSAGES.notes }))
  .meta({ maxLength: MAX_VENDOR_NOTES_LENGTH });

const webAddress = line(VENDOR_MESSAGES.site, MAX_LINE_LENGTH).refine(isWebAddress, {
  error: VENDOR_MESSAGES.site,
});

const rating = z
  .union([z.string(), z.number(), z.null()], { error: VENDOR_MESSAGES.rating })
  .transform((value) => String(value ?? '').trim())
  .refine((text) => text === '' || /^[1-5]$/.test(text), { error: VENDOR_MESSAGES.rating })
  .transform((text) => (text === '' ? null : Number(text)))
  .meta({ type: ['integer', 'null'], minimum: 1, maximum: 5 });

/** What may be noted about a supplier. Stored as null while it is empty. */
export const supplierDetails = {
  site: webAddress.optional(),
  contact: line(VENDOR_MESSAGES.contact, MAX_LINE_LENGTH).optional(),
  rating: rating.optional(),
  notes: notes.optional(),
};

export type SupplierDetails = StoredValues<typeof supplierDetails>;

/** The details among some fields. */
export const supplierDetailsOf = picked(supplierDetails);

/** A supplier, from a form or the API. */
export const supplierSchema = z.object({ name: vendorName, ...supplierDetails });

/** Makes submitting the same form twice harmless. */
const idempotencyKey = { idempotencyKey: z.string().max(100).optional() };

export const supplierFormSchema = supplierSchema.extend(idempotencyKey);

export type SupplierInput = z.input<typeof supplierSchema>;
export type SupplierFields = z.output<typeof supplierSchema>;

const within = (text: string, above: number, most: number) => {
  const value = new Decimal(text);
  return value.gte(above) && value.lte(most);
};

/** Above 0 mg. */
export const mgPerVial = amountText(VENDOR_MESSAGES.mgPerVial, MASS_UNITS).check(
  z.refine((text: string) => !new Decimal(text).eq(0) && within(text, 0, MAX_MG), {
    error: VENDOR_MESSAGES.mgPerVial,
  }),
  z.meta({ type: 'number', exclusiveMinimum: 0, maximum: MAX_MG }),
);

/** Decimal text; 0 for a free sample. */
export const price = decimalText(VENDOR_MESSAGES.price).check(
  z.refine((text: string) => within(text, 0, MAX_PRICE), { error: VENDOR_MESSAGES.price }),
  z.meta({ type: 'number', minimum: 0, maximum: MAX_PRICE }),
);

export const currency = z
  .string({ error: VENDOR_MESSAGES.currency })
  .transform((text, context) => {
    const code = currencyCode(text);
    if (code !== null) return code;
    context.addIssue({ code: 'custom', message: VENDOR_MESSAGES.currency });
    return z.NEVER;
  })
  .meta({ pattern: '^[A-Za-z]{3}$' });

const form = z.enum(PRODUCT_FORMS, { error: VENDOR_MESSAGES.form });

const productFields = {
  name: vendorName,
  form: form.default('lyophilised'),
  mgPerVial,
  /** Of one vial. */
  price,
  currency,
};

export const productSchema = z.object(productFields);

/** An update of a product: only the fields that are sent change. */
export const productChangesSchema = productSchema.extend({ form }).partial();

export const productFormSchema = productSchema.extend(idempotencyKey);

export type ProductInput = z.input<typeof productSchema>;
export type ProductChangesInput = z.input<typeof productChangesSchema>;
export type ProductFields = z.output<typeof productSchema>;

/** A line of a catalogue; an unknown form becomes "other". */
const catalogueRowSchema = z.object({
  ...productFields,
  form: z
    .string()
    .transform((text) => PRODUCT_FORMS.find((form) => form === text.trim().toLowerCase()) ?? 'other')
    .default('lyophilised'),
});

type CatalogueRow = z.output<typeof catalogueRowSchema>;

/** A line of a catalogue read from CSV: its line number, and the cells by column header. */
export interface CatalogueLine {
  line: number;
  cells: Readonly<Record<string, string>>;
}

export interface BadLine {
  line: number;
  /** The first problem, as shown to the user. */
  reason: string;
}

/** A catalogue after checking. */
export interface Catalogue {
  rows: (CatalogueRow & { line: number })[];
  bad: BadLine[];
}

/** The field for each known column header, in lower case with letters only. */
const SYNONYMS: Readonly<Record<string, keyof CatalogueRow>> = {
  name: 'name',
  product: 'name',
  compound: 'name',
  peptide: 'name',
  form: 'form',
  mgpervial: 'mgPerVial',
  mg: 'mgPerVial',
  amountmg: 'mgPerVial',
  strength: 'mgPerVial',
  price: 'price',
  cost: 'price',
  currency: 'currency',
};

const plainHeader = (header: string): string => header.toLowerCase().replace(/[^a-z]/g, '');

/** The field for a column header; null for a column that is ignored. */
export function catalogueField(header: string): keyof CatalogueRow | null {
  return SYNONYMS[plainHeader(header)] ?? null;
}

/** Columns that a catalogue must have. */
export const REQUIRED_CATALOGUE_FIELDS = ['name', 'mgPerVial', 'price'] as const;

/**
 * Checks the lines of a catalogue.
 * @param currency the currency of lines without one
 */
export function readCatalogue(lines: readonly CatalogueLine[], currency: string): Catalogue {
  const catalogue: Catalogue = { rows: [], bad: [] };
  for (const { line, cells } of lines) {
    const named: Record<string, string> = { currency };
    for (const [header, cell] of Object.entries(cells)) {
      const field = catalogueField(header);
      if (field !== null && cell.trim() !== '') named[field] = cell;
    }
    const parsed = catalogueRowSchema.safeParse(named);
    if (parsed.success) catalogue.rows.push({ ...parsed.data, line });
    else
      catalogue.bad.push({ line, reason: parsed.error.issues[0]?.message ?? 'This line could not be read' });
  }
  return catalogue;
}

const typed = z.string().default('');

/** The form that imports a catalogue: its text or its address. Anything but `import` only shows what it would do. */
export const catalogueFormSchema = z.object({ text: typed, url: typed, currency: typed, step: typed });
