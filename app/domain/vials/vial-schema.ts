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
import { readAmount, readNumber, withoutControls } from '#app/domain/forms/text-fields.ts';
import {
  CONCENTRATION_UNITS,
  MASS_UNITS,
  VOLUME_UNITS,
  type AmountUnit,
} from '#app/domain/units/quantity.ts';
import { concentrationMatches } from './contents.ts';

export const MAX_VIAL_MG = 100_000;
const MAX_VIAL_ML = 1000;
const MAX_NAME = 100;
const MAX_LINE = 100;
const MAX_NOTES = 2000;
const MAX_REASON = 200;
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
  totalAmount: `Amount must be above 0 and at most ${MAX_VIAL_MG} mg`,
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

const cleaned = (text: string) => withoutControls(text.replace(/\s+/g, ' ')).trim();

/** A single line of text. */
const lineField = (message: string = VIAL_MESSAGES.line, most = MAX_LINE) =>
  z
    .string({ error: message })
    .transform(cleaned)
    .pipe(z.string().max(most, { error: message }));

/** The compound's name; blank counts as missing. */
const nameField = z
  .string({ error: VIAL_MESSAGES.name })
  .transform(cleaned)
  .pipe(z.string().min(1, { error: VIAL_MESSAGES.name }).max(MAX_NAME, { error: VIAL_MESSAGES.nameLong }));

/** Notes with several lines; a browser's CRLF becomes LF. */
const notesField = z
  .string({ error: VIAL_MESSAGES.notes })
  .transform((text) => withoutControls(text.replace(/\r\n?/g, '\n')).trim())
  .pipe(z.string().max(MAX_NOTES, { error: VIAL_MESSAGES.notes }));

/** A calendar day. The range leaves room to add weeks and years. */
const dayField = z
  .string({ error: VIAL_MESSAGES.day })
  .trim()
  .refine(isCalendarDay, { error: VIAL_MESSAGES.day, abort: true })
  .refine((day) => day >= '1950-01-01' && day <= '2199-12-31', { error: VIAL_MESSAGES.dayRange });

const reasonField = lineField(VIAL_MESSAGES.reason, MAX_REASON);

const costField = amountField(VIAL_MESSAGES.cost, { from: 0, most: MAX_COST });

const currencyField = z
  .string({ error: VIAL_MESSAGES.currency })
  .trim()
  .regex(/^[A-Za-z]{3}$/, { error: VIAL_MESSAGES.currency })
  .transform((code) => code.toUpperCase());

const amount = amountField(VIAL_MESSAGES.totalAmount, { above: 0, most: MAX_VIAL_MG }, MASS_UNITS);
const water = amountField(VIAL_MESSAGES.waterMl, { above: 0, most: MAX_VIAL_ML }, VOLUME_UNITS);
const concentration = amountField(
  VIAL_MESSAGES.concentration,
  { above: 0, most: MAX_VIAL_MG },
  CONCENTRATION_UNITS,
);
const displacement = amountField(VIAL_MESSAGES.displacement, { from: 0, most: 1000 });

/** An optional field: absent, null and blank all mean that nothing was entered. */
const optional = <S extends z.ZodType>(field: S) =>
  z.preprocess(
    (value) => (value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value),
    field.optional(),
  );

/** A component's amount has the same limits as a vial's. */
const COMPONENT_AMOUNT = {
  message: VIAL_MESSAGES.totalAmount,
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

type Facts = {
  totalAmount?: string | undefined;
  amountMg?: string | undefined;
  components?: readonly Component[] | undefined;
  waterMl?: string | undefined;
  concentration?: string | undefined;
  displacement?: string | undefined;
  reconstitutionDate?: string | undefined;
  expirationDate?: string | undefined;
};

/** Rules across several fields, each reported at the field that can fix it. */
function checkTogether(facts: Facts, context: z.RefinementCtx): void {
  const issue = (path: keyof Facts, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  const { totalAmount, amountMg, waterMl, concentration, displacement = '0' } = facts;
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
      displacement,
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

const vialFields = z.object({
  name: optional(nameField),
  totalAmount: optional(amount),
  amountMg: optional(amount),
  components: componentsField,
  ...optionalFields,
});

/** Rules for a new vial. Dry powder needs neither water nor concentration; a reconstituted vial needs one of them. */
function checkVial(value: Partial<z.output<typeof vialFields>>, context: z.RefinementCtx): void {
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

export type VialInput = z.input<typeof vialSchema>;
export type VialFacts = z.output<typeof vialSchema>;

/** A new vial over the API, which requires its strength. */
export const vialCallSchema = vialSchema.superRefine((value, context) => {
  if (!value.concentration && !value.waterMl)
    context.addIssue({ code: 'custom', path: ['concentration'], message: VIAL_MESSAGES.concentration });
});

/** Null or blank clears a value; an absent field keeps its value. */
const changed = <S extends z.ZodType>(field: S) =>
  z.preprocess((value) => (typeof value === 'string' && value.trim() === '' ? null : value), field.nullish());

/** An update of a vial: only the fields that are sent change. */
export const vialChangesSchema = z.object({
  name: nameField.optional(),
  components: changedComponentsField,
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

/** The measured remaining amount. The limit of the stored vial is checked later. */
export const remainingSchema = z.object({
  remainingAmount: amountField(VIAL_MESSAGES.remaining, { from: 0, most: MAX_VIAL_MG }, MASS_UNITS),
  reason: optional(reasonField),
});

export type RemainingInput = z.input<typeof remainingSchema>;

export const spillSchema = z.object({
  lostAmount: amountField(VIAL_MESSAGES.lost, { above: 0, most: MAX_VIAL_MG }, MASS_UNITS),
  reason: optional(reasonField),
});

export type SpillInput = z.input<typeof spillSchema>;

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

export const discardSchema = z.object({ reason: optional(reasonField) });

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

/** The vial's form: its fields and the hidden ones of the page. */
export const vialFormSchema = vialFields
  .omit({ components: true })
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

/** The form for reconstituting. `confirmedDay` is a future date that the user was asked to confirm. */
export const reconstituteFormSchema = reconstituteSchema.safeExtend({ confirmedDay: hidden(10) });

/** Initial values of the form's fields. */
export type VialFormValues = Partial<Record<string, string>>;

export const remainingFormSchema = remainingSchema.extend({ idempotencyKey: hidden(100) });
export const spillFormSchema = spillSchema.extend({ idempotencyKey: hidden(100) });
