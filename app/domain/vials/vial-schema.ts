import * as z from 'zod';
import type { Component } from '#app/domain/calculator/calculation.ts';
import {
  blendName,
  findComponent,
  isBlankRow,
  readComponents,
  splitComponents,
  typedComponents,
  type ComponentIssue,
  type TypedComponent,
} from '#app/domain/calculator/components.ts';
import { Decimal, plainText } from '#app/domain/decimal/decimal.ts';
import { lineField } from '#app/domain/forms/fields.ts';
import { withoutControls } from '#app/domain/forms/text-fields.ts';
import { shownDay } from '#app/domain/time/calendar.ts';
import {
  namesUnit,
  readQuantity,
  SUBSTANCE_AMOUNT_UNITS,
  type AmountUnit,
} from '#app/domain/units/quantity.ts';
import { isReadyMade } from './vial.ts';
import { changedVialComponentsField, VIAL_COMPONENT, vialComponentsField } from './components-field.ts';
import { concentrationMatches } from './contents.ts';
import {
  amountField,
  areDaysReversed,
  clearable,
  containerFields,
  dayField,
  dayFields,
  MAX_NAME,
  MAX_REASON,
  MAX_VIAL_MG,
  noteFields,
  strengthFields,
  VIAL_MESSAGES,
} from './vial-fields.ts';

/** The compound's name; blank counts as missing. */
const nameField = z
  .string({ error: VIAL_MESSAGES.name })
  .transform((text) => withoutControls(text.replace(/\s+/g, ' ')).trim())
  .pipe(z.string().min(1, { error: VIAL_MESSAGES.name }).max(MAX_NAME, { error: VIAL_MESSAGES.nameLong }))
  .meta({ maxLength: MAX_NAME });

const reason = lineField(VIAL_MESSAGES.reason, MAX_REASON).nullish();

const amount = amountField(
  VIAL_MESSAGES.totalAmountRange,
  { above: 0, most: MAX_VIAL_MG },
  SUBSTANCE_AMOUNT_UNITS,
);
const displacement = amountField(VIAL_MESSAGES.displacement, { from: 0, most: 1000 });

/** The fields that hold an amount or a concentration, in the unit that another field names. */
const MEASURED_FIELDS = [
  'totalAmount',
  'amountMg',
  'concentration',
  'remainingAmount',
  'lostAmount',
] as const;

const TYPED_UNITS = [...SUBSTANCE_AMOUNT_UNITS, 'mg/ml', 'IU/ml'] as const satisfies readonly AmountUnit[];

/** What a typed amount is measured in; null without a unit. */
const typedMeasure = (typed: unknown): 'mg' | 'IU' | null => {
  if (typeof typed !== 'string' || !namesUnit(typed)) return null;
  const unit = readQuantity(typed, TYPED_UNITS)?.unit;
  return unit === undefined ? null : unit.startsWith('IU') ? 'IU' : 'mg';
};

/** The amounts of a sent record with the paths of their fields. */
function* typedAmounts(sent: Readonly<Record<string, unknown>>): Generator<[unknown, (string | number)[]]> {
  for (const field of MEASURED_FIELDS) yield [sent[field], [field]];
  const { components, componentAmount: rows } = sent;
  const list: unknown = typeof components === 'string' ? splitComponents(components) : components;
  if (Array.isArray(list))
    for (const [at, row] of (list as ({ amount?: unknown } | null)[]).entries())
      yield [row?.amount, ['components', at, 'amount']];
  if (Array.isArray(rows))
    for (const [at, text] of (rows as unknown[]).entries()) yield [text, ['componentAmount', at]];
}

/**
 * Settles what a vial is measured in: "5000 IU" typed as its amount makes it one in IU; after that, every typed unit has to be
 * of that measure.
 * @param sent a form, a call or a row
 * @param known of the stored vial, if there is one
 */
function settleMeasure(sent: unknown, context: z.RefinementCtx, known?: 'mg' | 'IU'): unknown {
  if (typeof sent !== 'object' || sent === null) return sent;
  const fields = sent as Record<string, unknown>;
  const own = ['mg', 'IU'].find((unit) => unit === fields['amountUnit']) ?? known;
  const typed = [...typedAmounts(fields)].map(([text, path]) => ({ measure: typedMeasure(text), path }));
  const measure = own ?? typed.find((one) => one.measure !== null)?.measure ?? 'mg';
  for (const one of typed)
    if (one.measure !== null && one.measure !== measure)
      context.addIssue({ code: 'custom', message: VIAL_MESSAGES.otherMeasure, path: one.path });
  return own === undefined && measure === 'IU' ? { ...fields, amountUnit: 'IU' } : fields;
}

/** A schema whose amounts are all in one measure; see {@link settleMeasure}. @param known of the stored vial */
export const inOneMeasure = <S extends z.ZodType>(schema: S, known?: 'mg' | 'IU') =>
  z.preprocess((sent: z.input<S>, context) => settleMeasure(sent, context, known), schema);

/** True if a stated concentration contradicts the amounts. */
function contradictsAmounts(whole: string | null | undefined, facts: Partial<VialFacts>): boolean {
  const { waterMl = null, concentration, displacement, components = [], form = null, pieces = null } = facts;
  const parts = form === 'capsule' ? pieces : waterMl;
  if (!whole || !parts || !concentration) return false;
  return !concentrationMatches(concentration, {
    ...{ totalAmount: whole, waterMl, form, pieces, displacement: displacement ?? '0' },
    ...(components.length > 1 && { components }),
  });
}

/** Rules across several fields, each reported at the field that can fix it. */
function checkTogether(facts: Partial<VialFacts>, context: z.RefinementCtx): void {
  const issue = (path: keyof VialFacts, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  const { totalAmount, amountMg } = facts;
  if (totalAmount && amountMg && !new Decimal(totalAmount).eq(amountMg))
    issue('amountMg', VIAL_MESSAGES.amountsDiffer);
  const { components = [] } = facts;
  const [first] = components;
  if (first && totalAmount && !new Decimal(totalAmount).eq(first.amount))
    issue('totalAmount', VIAL_MESSAGES.contradicts);
  const whole = first?.amount ?? totalAmount ?? amountMg;
  if (contradictsAmounts(whole, facts)) issue('concentration', VIAL_MESSAGES.strengthDiffers);
  if (areDaysReversed(facts)) issue('expirationDate', VIAL_MESSAGES.order);
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
  totalAmount: clearable(amount).describe(
    'Required without amountMg or components; for anything but powder, concentration × ml (or pieces) will do',
  ),
  amountMg: clearable(amount),
  components: vialComponentsField,
  ...strengthFields,
  displacement: clearable(displacement).describe('µl that one mg of powder takes up'),
  ...containerFields,
  ...dayFields,
  ...noteFields,
});

/** Rules for a new vial. Dry powder needs neither water nor concentration; a reconstituted vial needs one of them. */
function checkVial(value: Partial<VialFacts>, context: z.RefinementCtx): void {
  checkTogether(value, context);
  checkContainer(value, context);
  const issue = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  if (value.components === undefined) {
    if (!value.name) issue('name', VIAL_MESSAGES.name);
    if (!value.totalAmount && !value.amountMg && amountFromStrength(value) === null)
      issue('totalAmount', VIAL_MESSAGES.totalAmount);
  } else {
    const problem = nameProblem(value.name, value.components);
    if (problem !== null) issue('name', problem);
  }
  if (value.reconstitutionDate && !value.waterMl && !value.concentration)
    issue('waterMl', VIAL_MESSAGES.noStrength);
}

/**
 * The amount in a container that is used as bought, from its concentration and its ml or pieces.
 * @returns decimal text; null if one of them is missing, and for powder
 */
export function amountFromStrength({
  form,
  concentration,
  waterMl,
  pieces,
}: Partial<VialFacts>): string | null {
  const parts = form === 'capsule' ? pieces : waterMl;
  if (!isReadyMade({ form: form ?? null }) || !concentration || !parts) return null;
  return plainText(new Decimal(concentration).times(parts).toFixed());
}

/** Rules for what is not powder. */
function checkContainer(value: Partial<VialFacts>, context: z.RefinementCtx): void {
  const issue = (path: keyof VialFacts, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  const { form, reconstitutionDate, displacement, clickMl, sprayMl, pieces, waterMl, concentration } = value;
  if (!isReadyMade({ form: form ?? null })) return;
  if (reconstitutionDate) issue('reconstitutionDate', VIAL_MESSAGES.notMixed);
  if (displacement && !new Decimal(displacement).eq(0)) issue('displacement', VIAL_MESSAGES.noPowder);
  if (form === 'pen' && !clickMl) issue('clickMl', VIAL_MESSAGES.clickMl);
  if (form === 'spray' && !sprayMl) issue('sprayMl', VIAL_MESSAGES.sprayMl);
  if (form === 'capsule' && !pieces) issue('pieces', VIAL_MESSAGES.pieces);
  if (form !== 'capsule' && !waterMl && !concentration) issue('waterMl', VIAL_MESSAGES.containerMl);
}

/** A new vial: a name and an amount, or the components of a blend. */
export const vialSchema = inOneMeasure(vialFields.superRefine(checkVial));

export type VialInput = z.input<typeof vialFields>;
export type VialFacts = z.output<typeof vialFields>;

/** A new vial over the API, which requires its strength. */
export const vialCallSchema = vialSchema.superRefine((value, context) => {
  if (!value.concentration && !value.waterMl && value.form !== 'capsule')
    context.addIssue({ code: 'custom', path: ['concentration'], message: VIAL_MESSAGES.concentration });
});

/** An update of a vial: only the fields that are sent change. Null or blank clears a value. */
export const vialChangesSchema = vialFields.extend({
  name: nameField.optional(),
  totalAmount: amount.optional().describe('The remaining amount changes with it'),
  amountMg: amount.optional(),
  components: changedVialComponentsField,
  concentration: strengthFields.concentration.describe('Replaces waterMl'),
});

export type VialChangesInput = z.input<typeof vialChangesSchema>;
export type VialChanges = z.output<typeof vialChangesSchema>;

/** The measured remaining amount. The limit of the stored vial is checked later. */
export const remainingSchema = z.object({
  remainingAmount: amountField(
    VIAL_MESSAGES.remaining,
    { from: 0, most: MAX_VIAL_MG },
    SUBSTANCE_AMOUNT_UNITS,
  ),
  reason,
});

export type RemainingInput = z.input<typeof remainingSchema>;

export const spillSchema = z.object({
  lostAmount: amountField(VIAL_MESSAGES.lost, { above: 0, most: MAX_VIAL_MG }, SUBSTANCE_AMOUNT_UNITS),
  reason,
});

export type SpillInput = z.input<typeof spillSchema>;

export const reconstituteSchema = z
  .object({
    reconstitutionDate: dayField,
    ...strengthFields,
    expirationDate: dayFields.expirationDate,
  })
  .superRefine((value, context) => {
    checkTogether(value, context);
    if (!value.waterMl && !value.concentration)
      context.addIssue({ code: 'custom', path: ['waterMl'], message: VIAL_MESSAGES.noStrength });
  });

export type ReconstituteInput = z.input<typeof reconstituteSchema>;

export const discardSchema = z.object({ reason });

export type DiscardInput = z.input<typeof discardSchema>;

/** Codes of likely mistakes in a vial. Pages ask for confirmation; every other door saves the vial and returns the warning. */
export const VIAL_WARNINGS = ['RECONSTITUTED_IN_FUTURE'] as const;
export type VialWarningCode = (typeof VIAL_WARNINGS)[number];

/** The warning about a day of reconstitution that is yet to come. */
export const futureDayWarning = (day: string): { code: VialWarningCode; message: string } => ({
  code: 'RECONSTITUTED_IN_FUTURE',
  message: `Reconstituted on ${shownDay(day)}, which is in the future.`,
});

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
export const vialFormSchema = inOneMeasure(
  shownFields
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
      const components = rows.length === 0 ? undefined : readComponents(rows, VIAL_COMPONENT, issues);
      for (const { message, path } of issues) {
        const [at = 0, part] = path;
        context.addIssue({
          code: 'custom',
          message,
          path: [part === 'name' ? ROW_FIELDS[0] : ROW_FIELDS[1], at],
        });
      }
      if (issues.length === 0) checkVial({ ...value, components }, context);
    }),
);

export type VialFormInput = z.input<typeof vialFormSchema>;

/** The form for reconstituting. `confirmedDay` is a future date that the user was asked to confirm. */
export const reconstituteFormSchema = reconstituteSchema.safeExtend({ confirmedDay: hidden(10) });

/** Initial values of the form's fields; the components as text, as in a file. */
export type VialFormValues = Partial<Record<(typeof FORM_FIELDS)[number], string>>;

export const remainingFormSchema = remainingSchema.extend({ idempotencyKey: hidden(100) });
export const spillFormSchema = spillSchema.extend({ idempotencyKey: hidden(100) });
