import type { SubmissionResult } from '@conform-to/react';
import { Form } from '@remix-run/react';
import { supplierSchema } from '#app/domain/vendors/vendor-schema.ts';
import { keptField } from '#app/ui/forms/conform-field.ts';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { Submit } from '#app/ui/submit.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Field, Select, TextArea } from '#app/ui/field.tsx';

const RATINGS = [
  { value: '', label: 'Not rated' },
  ...[5, 4, 3, 2, 1].map((stars) => ({ value: String(stars), label: `${stars} of 5` })),
];

/** A supplier's details as the form holds them. */
export interface SupplierValues {
  name: string;
  site: string;
  contact: string;
  rating: string;
  notes: string;
}

interface SupplierFormProps {
  action: string;
  /** Names this press of the button. */
  idempotencyKey?: string;
  values?: SupplierValues;
  lastResult?: SubmissionResult<string[]> | null;
}

/** Adding or changing a supplier. */
export function SupplierForm({ action, idempotencyKey, values, lastResult }: SupplierFormProps) {
  const [form, fields] = useSchemaForm('supplier', supplierSchema, { lastResult, defaultValue: values });
  return (
    <Form
      method="post"
      action={action}
      id={form.id}
      onSubmit={form.onSubmit}
      noValidate
      className="grid gap-4"
    >
      <ErrorSummary id={form.errorId} errors={form.errors} />
      {idempotencyKey ? <input type="hidden" name="idempotencyKey" value={idempotencyKey} /> : null}
      <Field {...keptField(fields.name)} label="Name" required />
      <Field {...keptField(fields.site)} label="Website" type="url" inputMode="url" hint="Optional." />
      <Field
        {...keptField(fields.contact)}
        label="Contact"
        hint="A person, an address or a number. Optional."
      />
      <Select {...keptField(fields.rating)} label="Your rating" options={RATINGS} />
      <TextArea {...keptField(fields.notes)} label="Notes" />
      <div>
        <Submit label="Save supplier" pendingLabel="Saving..." action={action} />
      </div>
    </Form>
  );
}
