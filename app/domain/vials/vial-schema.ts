import * as z from 'zod';
import type { Component } from '#app/domain/calculator/calculation.ts';
import {
  blendName,
  findComponent,
  isBlankRow,
  readComponents,
  typedComponents,
  type ComponentIssue,
  type TypedComponent,
} from '#app/domain/calculator/components.ts';
import { Decimal, plainText } from '#app/domain/decimal/decimal.ts';
import { isCalendarDay } from '#app/domain/time/calendar.ts';
import { lineField } from '#app/domain/forms/fields.ts';
import { withoutControls } from '#app/domain/forms/text-fields.ts';
import { CONCENTRATION_UNITS, MASS_UNITS, VOLUME_UNITS } from '#app/domain/units/quantity.ts';
import { concentrationMatches } from './contents.ts';
import {
  amountField,
  clearable,
  detailFields,
  MAX_NAME,
  MAX_REASON,
  MAX_VIAL_MG,
  MAX_VIAL_ML,
  VIAL_MESSAGES,
} from './vial-fields.ts';

/** The compound's name; blank counts as missing. */
const nameField = z
  .string({ error: VIAL_MESSAGES.name })
  .transform((text) => withoutControls(text.replace(/\s+/g, ' ')).trim())
  .pipe(z.string().min(1, { error: VIAL_MESSAGES.name }).max(MAX_NAME, { error: VIAL_MESSAGES.nameLong }));

/** A calendar day. The range leaves room to add weeks and years. */
const dayField = z
  .string({ error: VIAL_MESSAGES.day })
  .trim()
  .refine(isCalendarDay, { error: VIAL_MESSAGES.day, abort: true })
  .refine((day) => day >= '1950-01-01' && day <= '2199-12-31', { error: VIAL_MESSAGES.dayRange });

const reason = lineField(VIAL_MESSAGES.reason, MAX_REASON).nullish();

const amount = amountField(VIAL_MESSAGES.totalAmountRange, { above: 0, most: MAX_VIAL_MG }, MASS_UNITS);
const water = amountField(VIAL_MESSAGES.waterMl, { above: 0, most: MAX_VIAL_ML }, VOLUME_UNITS);
const concentration = amountField(
  VIAL_MESSAGES.concentration,
  { above: 0, most: MAX_VIAL_MG },
  CONCENTRATION_UNITS,
);
const displacement = amountField(VIAL_MESSAGES.displacement, { from: 0, most: 1000 });

/** A component's amount has the same limits as a vial's. */
const COMPONENT_AMOUNT = {
  message: VIAL_MESSAGES.totalAmountRange,
  fits: (text: string) => new Decimal(text).gt(0) && new Decimal(text).lte(MAX_VIAL_MG),
};

const isNothing = (sent: unknown): boolean =>
  sent === undefined ||
  sent === null ||
  (typeof sent === 'string' && sent.trim() === '') ||
  (Array.isArray(sent) && sent.length === 0);

/**
 * The vial's components, as a list or as text from a file ("BPC-157:5;TB-500:5"). Absent, null, blank and empty all mean that
 * none were given.
 */
export const componentsField = z
  .unknown()
  .transform((sent, context) => (isNothing(sent) ? undefined : readSent(sent, context)))
  .optional();

/** Components in an update: null, blank and empty make the vial a single peptide; absent leaves it as it is. */
export const changedComponentsField = z
  .unknown()
  .transform((sent, context) => {
    if (isNothing(sent)) return sent === undefined ? undefined : null;
    return readSent(sent, context);
  })
  .optional();

/** Reads components that are not empty. */
function readSent(sent: unknown, context: z.RefinementCtx): readonly Component[] | undefined {
  const issues: ComponentIssue[] = [];
  const components = readComponents(sent, COMPONENT_AMOUNT, issues);
  for (const { message, path } of issues) context.addIssue({ code: 'custom', message, path });
  if (issues.length > 0) return z.NEVER;
  const plain = components.map(({ name, amount: text }) => ({ name, amount: plainText(text) }));
  return plain.length === 0 ? undefined : plain;
}

/** Rules across several fields, each reported at the field that can fix it. */
function checkTogether(facts: Partial<VialFacts>, context: z.RefinementCtx): void {
  const issue = (path: keyof VialFacts, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  const { totalAmount, amountMg, waterMl, concentration, displacement } = facts;
  if (totalAmount && amountMg && !new Decimal(totalAmount).eq(amountMg))
    issue('amountMg', VIAL_MESSAGES.amountsDiffer);
  const { components = [] } = facts;
  const [first] = components;
  if (first && totalAmount && !new Decimal(totalAmount).eq(first.amount))
    issue('totalAmount', VIAL_MESSAGES.contradicts);
  const whole = first?.amount ?? totalAmount ?? amountMg;
  if (
    whole &&
    waterMl &&
    concentration &&
    !concentrationMatches(concentration, {
      totalAmount: whole,
      waterMl,
      displacement: displacement ?? '0',
      ...(components.length > 1 && { components }),
    })
  )
    issue('concentration', VIAL_MESSAGES.strengthDiffers);
  const { reconstitutionDate, expirationDate } = facts;
  if (reconstitutionDate && expirationDate && expirationDate < reconstitutionDate)
    issue('expirationDate', VIAL_MESSAGES.order);
}

/** Why a vial cannot have this name; null if it can. A blend named after one component would be mistaken for it. */
export function nameProblem(name: string | undefined, components: readonly Component[]): string | null {
  if (name === undefined) return null;
  const isOfComponent = findComponent(components, name) >= 0;
  if (components.length === 1) return isOfComponent ? null : VIAL_MESSAGES.nameOfOne;
  return isOfComponent ? VIAL_MESSAGES.nameOfComponent : null;
}

/** A vial's name: the owner's, or one made of its components. */
export const vialName = (name: string | undefined, components: readonly Component[] = []): string =>
  name ?? blendName(components);

/** A vial's fields, of which the schemas for its form, its calls and its changes are made. */
export const vialFields = z.object({
  // As an absent name, a blank one is that of the components.
  name: z
    .preprocess(
      (value) => (value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value),
      nameField.optional(),
    )
    .describe('Required without components; by default a blend is named after them'),
  totalAmount: clearable(amount).describe('mg; required without amountMg or components'),
  amountMg: clearable(amount),
  components: componentsField,
  waterMl: clearable(water).describe('ml added; determines the concentration together with the amount'),
  concentration: clearable(concentration).describe('mg/ml; required without waterMl'),
  displacement: clearable(displacement).describe('µl that one mg of powder takes up'),
  reconstitutionDate: clearable(dayField).describe('YYYY-MM-DD; without it the vial is sealed'),
  expirationDate: clearable(dayField).describe(
    'YYYY-MM-DD, last day of use; 28 days after reconstitution by default',
  ),
  ...detailFields,
});

/** Rules for a new vial. Dry powder needs neither water nor concentration; a reconstituted vial needs one of them. */
function checkVial(value: Partial<VialFacts>, context: z.RefinementCtx): void {
  checkTogether(value, context);
  const issue = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  if (value.components === undefined) {
    if (!value.name) issue('name', VIAL_MESSAGES.name);
    if (!value.totalAmount && !value.amountMg) issue('totalAmount', VIAL_MESSAGES.totalAmount);
  } else {
    const problem = nameProblem(value.name, value.components);
    if (problem !== null) issue('name', problem);
  }
  if (value.reconstitutionDate && !value.waterMl && !value.concentration)
    issue('waterMl', VIAL_MESSAGES.noStrength);
}

/** A new vial: a name and an amount, or the components of a blend. */
export const vialSchema = vialFields.superRefine(checkVial);

export type VialInput = z.input<typeof vialFields>;
export type VialFacts = z.output<typeof vialFields>;

/** A new vial over the API, which requires its strength. */
export const vialCallSchema = vialSchema.superRefine((value, context) => {
  if (!value.concentration && !value.waterMl)
    context.addIssue({ code: 'custom', path: ['concentration'], message: VIAL_MESSAGES.concentration });
});

/** An update of a vial: only the fields that are sent change. Null or blank clears a value. */
export const vialChangesSchema = vialFields.extend({
  name: nameField.optional(),
  totalAmount: amount.optional().describe('mg; the remaining amount changes with it'),
  amountMg: amount.optional(),
  components: changedComponentsField,
  concentration: clearable(concentration).describe('mg/ml; replaces waterMl'),
});

export type VialChangesInput = z.input<typeof vialChangesSchema>;
export type VialChanges = z.output<typeof vialChangesSchema>;

/** The measured remaining amount. The limit of the stored vial is checked later. */
export const remainingSchema = z.object({
  remainingAmount: amountField(VIAL_MESSAGES.remaining, { from: 0, most: MAX_VIAL_MG }, MASS_UNITS),
  reason,
});

export type RemainingInput = z.input<typeof remainingSchema>;

export const spillSchema = z.object({
  lostAmount: amountField(VIAL_MESSAGES.lost, { above: 0, most: MAX_VIAL_MG }, MASS_UNITS),
  reason,
});

export type SpillInput = z.input<typeof spillSchema>;

export const reconstituteSchema = z
  .object({
    reconstitutionDate: dayField,
    waterMl: clearable(water),
    concentration: clearable(concentration),
    expirationDate: clearable(dayField),
  })
  .superRefine((value, context) => {
    checkTogether(value, context);
    if (!value.waterMl && !value.concentration)
      context.addIssue({ code: 'custom', path: ['waterMl'], message: VIAL_MESSAGES.noStrength });
  });

export type ReconstituteInput = z.input<typeof reconstituteSchema>;

export const discardSchema = z.object({ reason });

export type DiscardInput = z.input<typeof discardSchema>;

/** Codes of likely mistakes in a vial. Pages ask for confirmation; every other door saves the vial and returns the codes. */
export const VIAL_WARNINGS = ['RECONSTITUTED_IN_FUTURE'] as const;
export type VialWarningCode = (typeof VIAL_WARNINGS)[number];

const hidden = (most: number) => z.string().max(most).optional().catch(undefined);

/** One column of the form's component rows; blank values are absent. */
const rowTexts = z.array(z.string().optional()).optional();

/** A form's component rows as submitted. */
export interface SentRows {
  componentName?: readonly (string | undefined)[] | undefined;
  componentAmount?: readonly (string | undefined)[] | undefined;
}

/** The names of these fields, which are repeated for each row. */
export const ROW_FIELDS = ['componentName', 'componentAmount'] as const;

/** A form's component rows as typed; empty if all are blank. */
export function formRows(sent: SentRows): readonly TypedComponent[] {
  const fields = ROW_FIELDS.flatMap((field) =>
    (sent[field] ?? []).map((text) => [field, text ?? ''] as const),
  );
  const rows = typedComponents(fields);
  return rows.every(isBlankRow) ? [] : rows;
}

/** The fields that the form shows: it has rows for the components, and neither the amount's other name nor the supplier. */
const shownFields = vialFields.omit({ components: true, amountMg: true, supplierId: true });

/** The fields that the form can change. */
export const FORM_FIELDS = [
  ...(Object.keys(shownFields.shape) as (keyof typeof shownFields.shape)[]),
  'components',
] as const;

/** The vial's form: its fields and the hidden ones of the page. */
export const vialFormSchema = shownFields
  .extend({
    componentName: rowTexts,
    componentAmount: rowTexts,
    confirmedDay: hidden(10),
    /** Identifies one rendering of the form, so that submitting it twice has one effect. */
    idempotencyKey: hidden(100),
    /** The initial values of the fields, as JSON. */
    original: hidden(20_000),
  })
  .superRefine((value, context) => {
    const issues: ComponentIssue[] = [];
    const rows = formRows(value);
    const components = rows.length === 0 ? undefined : readComponents(rows, COMPONENT_AMOUNT, issues);
    for (const { message, path } of issues) {
      const [at = 0, part] = path;
      context.addIssue({
        code: 'custom',
        message,
        path: [part === 'name' ? ROW_FIELDS[0] : ROW_FIELDS[1], at],
      });
    }
    if (issues.length === 0) checkVial({ ...value, components }, context);
  });

export type VialFormInput = z.input<typeof vialFormSchema>;

/** The form for reconstituting. `confirmedDay` is a future date that the user was asked to confirm. */
export const reconstituteFormSchema = reconstituteSchema.safeExtend({ confirmedDay: hidden(10) });

/** Initial values of the form's fields; the components as text, as in a file. */
export type VialFormValues = Partial<Record<(typeof FORM_FIELDS)[number], string>>;

export const remainingFormSchema = remainingSchema.extend({ idempotencyKey: hidden(100) });
export const spillFormSchema = spillSchema.extend({ idempotencyKey: hidden(100) });
