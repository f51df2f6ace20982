import * as z from 'zod';
import type { Component } from '#app/domain/calculator/calculation.ts';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { isCalendarDay } from '#app/domain/time/calendar.ts';
import {
  lineField,
  MAX_ID_LENGTH,
  notesField,
  picked,
  saveKeyField,
  type StoredValues,
} from '#app/domain/forms/fields.ts';
import { CERTIFICATE_FIELDS, certificateFields } from '#app/domain/lots/lot-schema.ts';
import { changedComponentsField, componentsField } from '#app/domain/vials/components-field.ts';
import { currency, MAX_VENDOR_NOTES_LENGTH, mgPerVial, price, vendorName } from './vendor-schema.ts';

export const MAX_ORDER_LINES = 20;
export const MAX_QUANTITY = 100;
/** Each vial becomes a separate record when the order arrives. */
export const MAX_ORDER_VIALS = 200;
const MAX_LOT_LENGTH = 60;

export const ORDER_MESSAGES = {
  supplierId: 'Choose a supplier',
  lines: 'Add at least one product',
  tooMany: `An order can have at most ${MAX_ORDER_LINES} products`,
  quantity: `Quantity must be a whole number from 1 to ${MAX_QUANTITY}`,
  vials: `An order can have at most ${MAX_ORDER_VIALS} vials`,
  currencies: 'All products in an order must use the same currency',
  notes: `Notes can have at most ${MAX_VENDOR_NOTES_LENGTH} characters`,
  lot: `Lot can have at most ${MAX_LOT_LENGTH} characters`,
  lotMissing: 'Enter the lot number of this certificate',
  expirationDate: 'Expiry must be a date such as 2027-05-31',
  componentsSum: (mg: string) => `Components must add up to ${mg} mg per vial`,
  outOfSequence: 'This is not possible with the order’s current status.',
  notDraft: 'Only a draft can be edited.',
} as const;

/** The number of vials of one product, as typed. */
export const quantitySchema = z
  .union([z.string(), z.number()], { error: ORDER_MESSAGES.quantity })
  .transform((value) => String(value).trim())
  .refine((text) => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_QUANTITY, {
    error: ORDER_MESSAGES.quantity,
    // Without a number there is no sum, so the order's limit must not be reported as well.
    abort: true,
  })
  .transform(Number)
  .meta({ type: 'integer', minimum: 1, maximum: MAX_QUANTITY });

/** Checks that a blend's components add up to the amount per vial. @returns the message, or null */
export function componentsProblem(components: readonly Component[], mgPerVial: string): string | null {
  const mg = components.reduce((sum, { amount }) => sum.plus(amount), new Decimal(0));
  return components.length === 0 || mg.eq(mgPerVial) ? null : ORDER_MESSAGES.componentsSum(mgPerVial);
}

/** One product of an order, with its quantity and price per vial. */
export const orderLineSchema = z
  .object({
    name: vendorName,
    mgPerVial,
    price,
    currency,
    quantity: quantitySchema,
    components: componentsField.describe(
      'For a blend: the components of each vial, as a list of names and amounts in mg, or "BPC-157:5;TB-500:5"; they must ' +
        'add up to mgPerVial',
    ),
  })
  .superRefine(({ components = [], mgPerVial: mg }, context) => {
    const message = componentsProblem(components, mg);
    if (message !== null) context.addIssue({ code: 'custom', message, path: ['components'] });
  });

/** What an owner may note about an order; null while nothing was entered. */
export const orderDetails = {
  notes: notesField(ORDER_MESSAGES.notes, MAX_VENDOR_NOTES_LENGTH).optional(),
};

export type OrderDetails = StoredValues<typeof orderDetails>;

/** The details among some fields. */
export const orderDetailsOf = picked(orderDetails);

/** The content of a draft. */
export const orderSchema = z
  .object({
    supplierId: z
      .string({ error: ORDER_MESSAGES.supplierId })
      .min(1, { error: ORDER_MESSAGES.supplierId })
      .max(MAX_ID_LENGTH, { error: ORDER_MESSAGES.supplierId }),
    lines: z
      .array(orderLineSchema, { error: ORDER_MESSAGES.lines })
      .min(1, { error: ORDER_MESSAGES.lines })
      .max(MAX_ORDER_LINES, { error: ORDER_MESSAGES.tooMany }),
    ...orderDetails,
  })
  .refine(({ lines }) => new Set(lines.map((line) => line.currency)).size <= 1, {
    error: ORDER_MESSAGES.currencies,
    path: ['lines'],
  })
  .refine(({ lines }) => lines.reduce((sum, { quantity: vials }) => sum + vials, 0) <= MAX_ORDER_VIALS, {
    error: ORDER_MESSAGES.vials,
    path: ['lines'],
  });

/** The buttons of an order. */
export const stepOrderSchema = z.object({
  to: z.enum(['sent', 'confirmed'], { error: 'An order can be marked only as sent or confirmed.' }),
});

/** What was typed for each of several rows, by the row's key. */
const byRow = z.record(z.string(), z.string()).default({});

/** A form's controls for some fields, as they were typed. */
const controlsFor = <F extends object, S extends z.ZodType>(fields: F, control: S) =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, control])) as Record<keyof F, S>;

/** The form of an order, as it was typed: a quantity, and components if it is a blend, by the id of the product. */
export const orderFormSchema = z.object({
  quantity: byRow,
  components: byRow,
  ...controlsFor(orderDetails, z.string().default('')),
  idempotencyKey: saveKeyField,
});
export type OrderForm = z.output<typeof orderFormSchema>;

export type OrderInput = z.input<typeof orderSchema>;
export type OrderFields = z.output<typeof orderSchema>;

/** What is printed on the delivered vials of one line; null while the parcel has not arrived. */
export const receivedDetails = {
  lot: lineField(ORDER_MESSAGES.lot, MAX_LOT_LENGTH).optional(),
  expirationDate: z
    .string({ error: ORDER_MESSAGES.expirationDate })
    .refine((text) => text === '' || isCalendarDay(text), { error: ORDER_MESSAGES.expirationDate })
    .meta({ format: 'date' })
    .transform((text) => text || null)
    .optional(),
};

export type ReceivedDetails = StoredValues<typeof receivedDetails>;

/** The details among some fields. */
export const receivedDetailsOf = picked(receivedDetails);

/** A line of an order as it was delivered, with the certificate of its lot. */
export const receivedLineSchema = z
  .object({
    ...receivedDetails,
    components: changedComponentsField.describe(
      'For a blend: a list of names and amounts in mg, or "BPC-157:5;TB-500:5"; they must add up to mgPerVial. As ordered ' +
        'by default; null or an empty text for a single peptide',
    ),
    ...certificateFields,
  })
  .refine((line) => Boolean(line.lot) || CERTIFICATE_FIELDS.every((field) => line[field] == null), {
    error: ORDER_MESSAGES.lotMissing,
    path: ['lot'],
  });

/** The form that receives an order, as it was typed: each field by the place of its line. */
export const receiveFormSchema = z.object(controlsFor(receivedLineSchema.shape, byRow));

export const receivedLineAt = (form: z.output<typeof receiveFormSchema>, place: number): ReceivedLineInput =>
  Object.fromEntries(Object.entries(form).map(([name, rows]) => [name, rows[String(place)] ?? '']));

export type ReceivedLineInput = z.input<typeof receivedLineSchema>;
export type ReceivedLine = z.output<typeof receivedLineSchema>;
