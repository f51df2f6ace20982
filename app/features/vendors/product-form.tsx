import type { SubmissionResult } from '@conform-to/react';
import { productSchema, type ProductFields } from '#app/domain/vendors/vendor-schema.ts';
import { fieldProps, SchemaForm } from '#app/ui/forms/schema-form.tsx';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { Submit } from '#app/ui/button.tsx';
import { Field, Select } from '#app/ui/fields.tsx';
import { FORM_LABELS } from './vendor-texts.ts';

const FORMS = Object.entries(FORM_LABELS).map(([value, label]) => ({ value, label }));

export type ProductValues = ProductFields;

interface ProductFormProps {
  action: string;
  /** Identifies this rendering of the form. */
  idempotencyKey?: string;
  values: ProductValues;
  lastResult?: SubmissionResult<string[]> | null;
}

/** The form to add or edit a product of a supplier. */
export function ProductForm({ action, idempotencyKey, values, lastResult }: ProductFormProps) {
  const [form, fields] = useSchemaForm('product', productSchema, { lastResult, defaultValue: values });
  return (
    <SchemaForm form={form} action={action}>
      {idempotencyKey ? <input type="hidden" name="idempotencyKey" value={idempotencyKey} /> : null}
      <Field
        {...fieldProps(fields.name)}
        label="Compound"
        required
        hint="As on the label, such as BPC-157."
      />
      <Select {...fieldProps(fields.form)} label="Form" options={FORMS} />
      <Field {...fieldProps(fields.mgPerVial)} label="Amount per vial (mg)" inputMode="decimal" />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Field {...fieldProps(fields.price)} label="Price per vial" inputMode="decimal" />
        <Field
          {...fieldProps(fields.currency)}
          label="Currency"
          hint="Three-letter code, such as USD."
          autoCapitalize="characters"
        />
      </div>
      <div>
        <Submit label="Save product" pendingLabel="Saving..." action={action} />
      </div>
    </SchemaForm>
  );
}
