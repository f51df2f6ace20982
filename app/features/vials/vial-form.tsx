import type { SubmissionResult } from '@conform-to/react';
import { Link } from '@remix-run/react';
import { fieldProps, SchemaForm, type FormField } from '#app/ui/forms/schema-form.tsx';
import { FORM_CHOICES, MEASURE_CHOICES } from '#app/domain/calculator/calculation.ts';
import { NumberField, Field, Select, TextArea } from '#app/ui/fields.tsx';
import { Disclosure } from '#app/ui/disclosure.tsx';
import { LinkButton, Submit } from '#app/ui/button.tsx';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import {
  isBlankRow,
  MAX_COMPONENTS,
  splitComponents,
  type TypedComponent,
} from '#app/domain/calculator/components.ts';
import {
  FORM_FIELDS,
  ROW_FIELDS,
  vialFormSchema,
  type VialFormInput,
  type VialFormValues,
} from '#app/domain/vials/vial-schema.ts';

interface VialFormProps {
  action: string;
  /** Absent when the page has its own way to cancel. */
  cancelHref?: string;
  /** Initial values. */
  values: VialFormValues;
  /** Identifies this rendering of the form, so that submitting it twice adds one vial. */
  idempotencyKey?: string;
  /** When editing: the initial values as JSON, so that only the changed fields are saved. */
  original?: string;
  submitLabel: string;
  lastResult?: SubmissionResult<string[]> | null;
}

/** The form for adding or editing a vial. */
export function VialForm({
  action,
  cancelHref,
  values,
  idempotencyKey,
  original,
  submitLabel,
  lastResult,
}: VialFormProps) {
  const [form, fields] = useSchemaForm('vial', vialFormSchema, { lastResult, defaultValue: values });
  const { form: kind = 'powder' } = values;
  return (
    <SchemaForm form={form} action={action}>
      {idempotencyKey ? <input type="hidden" name="idempotencyKey" value={idempotencyKey} /> : null}
      {original ? <input type="hidden" name="original" value={original} /> : null}
      <ConfirmedDay lastResult={lastResult} />
      <Field
        {...fieldProps(fields.name)}
        label="Name"
        autoComplete="off"
        hint="As on the label, for example BPC-157."
      />
      <div className="grid grid-cols-2 gap-4">
        <NumberField {...fieldProps(fields.totalAmount)} label="Amount in vial" />
        <Select {...fieldProps(fields.amountUnit)} label="Measured in" options={MEASURE_CHOICES} />
        <NumberField
          {...fieldProps(fields.waterMl)}
          label={kind === 'powder' ? 'Water added' : 'Volume'}
          unit="ml"
        />
        <Field
          {...fieldProps(fields.reconstitutionDate)}
          type="date"
          label="Reconstituted on"
          hint="Leave empty while the vial is sealed."
        />
      </div>
      <MoreDetails
        fields={fields}
        rows={rowsOf(values, lastResult)}
        errors={form.allErrors}
        formId={form.id}
      />
      <div className="flex flex-wrap gap-3">
        <Submit label={submitLabel} action={action} />
        {cancelHref ? <LinkButton to={cancelHref}>Cancel</LinkButton> : null}
      </div>
    </SchemaForm>
  );
}

/** Confirms a reconstitution date in the future when the form is submitted again with the same date. */
export function ConfirmedDay({ lastResult }: Pick<VialFormProps, 'lastResult'>) {
  const day = lastResult?.error?.['reconstitutionDate']
    ? lastResult.initialValue?.['reconstitutionDate']
    : null;
  return typeof day === 'string' ? <input type="hidden" name="confirmedDay" value={day} /> : null;
}

type VialFormFields = Readonly<Record<keyof VialFormInput, FormField>>;

/** The fields that everybody fills in. The schema's others are folded. */
const FIRST_FIELDS = ['name', 'totalAmount', 'amountUnit', 'waterMl', 'reconstitutionDate'];

/** What few people fill in. Open when one of its fields is filled in or wrong. */
function MoreDetails({ fields, ...rows }: { fields: VialFormFields } & RowsProps) {
  const isInUse = FORM_FIELDS.some((name) => {
    if (name === 'components' || FIRST_FIELDS.includes(name)) return false;
    const { error, defaultValue } = fieldProps(fields[name]);
    const isUsual = defaultValue === 'powder';
    return error !== undefined || (Boolean(defaultValue) && !isUsual);
  });
  return (
    <Disclosure summary="More details" open={isInUse || isBlend(rows.rows)}>
      <div className="grid gap-4">
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <Select {...fieldProps(fields.form)} label="Form" options={FORM_CHOICES} />
          <NumberField {...fieldProps(fields.clickMl)} label="One click of a pen" unit="ml" />
          <NumberField {...fieldProps(fields.sprayMl)} label="One spray" unit="ml" />
          <NumberField {...fieldProps(fields.pieces)} label="Number of capsules" />
          <NumberField
            {...fieldProps(fields.concentration)}
            label="Concentration"
            unit="per ml"
            hint="In place of the water. Of a solution, pen or spray: in place of the amount. Of capsules: in one."
          />
          <NumberField
            {...fieldProps(fields.displacement)}
            label="Powder displacement"
            unit="µl/mg"
            hint="Volume that each mg of powder adds to the water. Leave at 0 unless you know it."
          />
          <Field
            {...fieldProps(fields.expirationDate)}
            type="date"
            label="Last day of use"
            hint="Blank = 28 days after mixing."
          />
        </div>
        <ComponentRows {...rows} />
        <OtherFields fields={fields} />
      </div>
    </Disclosure>
  );
}

const isBlend = (rows: readonly TypedComponent[]): boolean => rows.some((row) => !isBlankRow(row));

interface RowsProps {
  rows: readonly TypedComponent[];
  errors: Readonly<Record<string, readonly string[] | null | undefined>>;
  formId: string;
}

/** The rows of components: as submitted, or those of the vial. */
function rowsOf(values: VialFormValues, lastResult: VialFormProps['lastResult']): readonly TypedComponent[] {
  const sent = lastResult?.initialValue;
  if (!sent) return splitComponents(values.components ?? '');
  const texts = (field: string): readonly unknown[] => [sent[field] ?? []].flat();
  const names = texts(ROW_FIELDS[0]);
  const amounts = texts(ROW_FIELDS[1]);
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return Array.from({ length: MAX_COMPONENTS }, (_, at) => ({
    name: text(names[at]),
    amount: text(amounts[at]),
  }));
}

/** Rows for the components of a blend, in place of the amount. */
function ComponentRows({ rows, errors, formId }: RowsProps) {
  const field = (name: string, at: number, defaultValue: string | undefined) => ({
    id: `${formId}-${name}[${at}]`,
    name,
    error: errors[`${name}[${at}]`]?.[0],
    defaultValue,
    autoComplete: 'off',
  });
  return (
    <Disclosure summary="Blend" open={isBlend(rows)}>
      <p className="text-sm text-soft">
        Enter each peptide with its amount, and leave the amount in the vial empty. The concentration is that
        of peptide 1. Leave the name blank to name a blend after its peptides.
      </p>
      {Array.from({ length: MAX_COMPONENTS }, (_, at) => (
        <div key={at} className="grid grid-cols-1 gap-4 pt-3 sm:grid-cols-2">
          <Field {...field(ROW_FIELDS[0], at, rows[at]?.name)} label={`Peptide ${at + 1}`} />
          <NumberField {...field(ROW_FIELDS[1], at, rows[at]?.amount)} label={`Amount ${at + 1}`} />
        </div>
      ))}
    </Disclosure>
  );
}

function OtherFields({ fields }: { fields: VialFormFields }) {
  return (
    <>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Field
          {...fieldProps(fields.storageTemp)}
          label="Storage"
          hint="For example 2–8 °C."
          autoComplete="off"
        />
        <Field {...fieldProps(fields.lot)} label="Lot" autoComplete="off" />
        <NumberField {...fieldProps(fields.cost)} label="Price paid" />
        <Field
          {...fieldProps(fields.currency)}
          label="Currency"
          hint="Three-letter code, for example USD."
          autoComplete="off"
        />
      </div>
      <TextArea {...fieldProps(fields.notes)} label="Notes" />
    </>
  );
}

/** Links that fill the form from a template. */
export function TemplateLinks({ templates }: { templates: readonly { name: string; href: string }[] }) {
  return (
    <nav aria-label="Templates" className="flex flex-wrap items-center gap-x-5">
      <span className="text-soft">Start from</span>
      {templates.map(({ name, href }) => (
        <Link key={name} to={href} className="inline-flex min-h-11 items-center">
          {name}
        </Link>
      ))}
    </nav>
  );
}
