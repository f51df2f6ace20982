import type { FieldMetadata, SubmissionResult } from '@conform-to/react';
import { Form } from '@remix-run/react';
import { reconstituteSchema, type VialFormValues } from '#app/domain/vials/vial-schema.ts';
import { keptField } from '#app/ui/forms/conform-field.ts';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { NumberField } from '#app/ui/number-field.tsx';
import { Submit } from '#app/ui/submit.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Field } from '#app/ui/field.tsx';

interface ReconstituteFormProps {
  action: string;
  values: VialFormValues;
  lastResult?: SubmissionResult<string[]> | null;
}

/** Water into a sealed vial. */
export function ReconstituteForm({ action, values, lastResult }: ReconstituteFormProps) {
  const [form, fields] = useSchemaForm('reconstitute', reconstituteSchema, {
    lastResult,
    defaultValue: values,
  });
  const field = (name: keyof typeof fields) => keptField(fields[name] as FieldMetadata<unknown>);
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
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField {...field('waterMl')} label="Water added" unit="ml" />
        <NumberField {...field('concentration')} label="or Concentration" unit="mg/ml" />
        <Field {...field('reconstitutionDate')} type="date" label="Reconstituted on" />
        <Field
          {...field('expirationDate')}
          type="date"
          label="Last day of use"
          hint="Empty: 28 days after reconstitution."
        />
      </div>
      <div>
        <Submit label="Reconstitute" action={action} />
      </div>
    </Form>
  );
}
