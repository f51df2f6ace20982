import * as z from 'zod';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { agrees } from './ledger-agreement.ts';
import {
  amountField,
  costField,
  currencyField,
  dayField,
  lineField,
  MAX_VIAL_MG,
  MAX_VIAL_ML,
  nameField,
  notesField,
  reasonField,
  VIAL_MESSAGES,
} from './vial-fields.ts';

const amount = amountField(VIAL_MESSAGES.totalAmount, { above: 0, most: MAX_VIAL_MG });
const water = amountField(VIAL_MESSAGES.waterMl, { above: 0, most: MAX_VIAL_ML });
const concentration = amountField(VIAL_MESSAGES.concentration, { above: 0, most: MAX_VIAL_MG });
const displacement = amountField(VIAL_MESSAGES.displacement, { from: 0, most: 1000 });

/** Absent, null and blank are the same: nothing was entered. */
const optional = <S extends z.ZodType>(field: S) =>
  z.preprocess(
    (value) => (value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value),
    field.optional(),
  );

const optionalFields = {
  waterMl: optional(water),
  concentration: optional(concentration),
  displacement: optional(displacement),
  reconstitutionDate: optional(dayField),
  expirationDate: optional(dayField),
  storageTemp: optional(lineField()),
  lot: optional(lineField()),
  supplierId: optional(lineField()),
  cost: optional(costField),
  currency: optional(currencyField),
  notes: optional(notesField),
};

/** What describes a vial, by field name. */
export const VIAL_FIELDS = ['name', 'totalAmount', ...Object.keys(optionalFields)] as const;

type Facts = {
  totalAmount?: string | undefined;
  amountMg?: string | undefined;
  waterMl?: string | undefined;
  concentration?: string | undefined;
  displacement?: string | undefined;
  reconstitutionDate?: string | undefined;
  expirationDate?: string | undefined;
};

/** Rules between the fields, each told at the field that can mend it. */
function checkTogether(facts: Facts, context: z.RefinementCtx): void {
  const issue = (path: keyof Facts, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  const { totalAmount, amountMg, waterMl, concentration, displacement = '0' } = facts;
  if (totalAmount && amountMg && !new Decimal(totalAmount).eq(amountMg))
    issue('amountMg', VIAL_MESSAGES.amountsDiffer);
  const whole = totalAmount ?? amountMg;
  if (
    whole &&
    waterMl &&
    concentration &&
    !agrees(concentration, { totalAmount: whole, waterMl, displacement })
  )
    issue('concentration', VIAL_MESSAGES.strengthDiffers);
  const { reconstitutionDate, expirationDate } = facts;
  if (reconstitutionDate && expirationDate && expirationDate < reconstitutionDate)
    issue('expirationDate', VIAL_MESSAGES.order);
}

/** A new vial. Dry powder has neither water nor concentration yet; a reconstituted one needs one of them. */
export const vialSchema = z
  .object({
    name: nameField,
    totalAmount: optional(amount),
    amountMg: optional(amount),
    ...optionalFields,
  })
  .superRefine((value, context) => {
    checkTogether(value, context);
    const issue = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (!value.totalAmount && !value.amountMg) issue('totalAmount', VIAL_MESSAGES.totalAmount);
    if (value.reconstitutionDate && !value.waterMl && !value.concentration)
      issue('waterMl', VIAL_MESSAGES.noStrength);
  });

export type VialInput = z.input<typeof vialSchema>;
export type VialFacts = z.output<typeof vialSchema>;

/** A new vial from a program: its strength is part of it. */
export const vialCallSchema = vialSchema.superRefine((value, context) => {
  if (!value.concentration && !value.waterMl)
    context.addIssue({ code: 'custom', path: ['concentration'], message: VIAL_MESSAGES.concentration });
});

/** Null or blank takes a value out; what is absent stays as it is. */
const changed = <S extends z.ZodType>(field: S) =>
  z.preprocess((value) => (typeof value === 'string' && value.trim() === '' ? null : value), field.nullish());

/** Changes of a vial: only what is sent changes. */
export const vialChangesSchema = z.object({
  name: nameField.optional(),
  totalAmount: amount.optional(),
  amountMg: amount.optional(),
  waterMl: changed(water),
  concentration: changed(concentration),
  displacement: changed(displacement),
  reconstitutionDate: changed(dayField),
  expirationDate: changed(dayField),
  storageTemp: changed(lineField()),
  lot: changed(lineField()),
  supplierId: changed(lineField()),
  cost: changed(costField),
  currency: changed(currencyField),
  notes: changed(notesField),
});

export type VialChangesInput = z.input<typeof vialChangesSchema>;
export type VialChanges = z.output<typeof vialChangesSchema>;

/** How much is left, as counted. Whether it fits the vial is checked against the vial. */
export const remainingSchema = z.object({
  remainingAmount: amountField(VIAL_MESSAGES.remaining, { from: 0, most: MAX_VIAL_MG }),
  reason: optional(reasonField),
});

export type RemainingInput = z.input<typeof remainingSchema>;

/** How much was lost. */
export const spillSchema = z.object({
  lostAmount: amountField(VIAL_MESSAGES.lost, { above: 0, most: MAX_VIAL_MG }),
  reason: optional(reasonField),
});

export type SpillInput = z.input<typeof spillSchema>;

/** Adding water to a sealed vial. */
export const reconstituteSchema = z
  .object({
    reconstitutionDate: dayField,
    waterMl: optional(water),
    concentration: optional(concentration),
    expirationDate: optional(dayField),
  })
  .superRefine((value, context) => {
    checkTogether(value, context);
    if (!value.waterMl && !value.concentration)
      context.addIssue({ code: 'custom', path: ['waterMl'], message: VIAL_MESSAGES.noStrength });
  });

export type ReconstituteInput = z.input<typeof reconstituteSchema>;

/** Throwing a vial away. */
export const discardSchema = z.object({ reason: optional(reasonField) });

export type DiscardInput = z.input<typeof discardSchema>;
