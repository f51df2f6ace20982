import type { FieldMetadata, SubmissionResult } from '@conform-to/react';
import { Form } from '@remix-run/react';
import { reconstituteSchema } from '#app/domain/schemas/vial.ts';
import type { VialFormValues } from '#app/domain/schemas/vial-form.ts';
import { keptField } from '../forms/conform-field.ts';
import { useSchemaForm } from '../forms/use-schema-form.ts';
import { NumberField } from '../tracking/number-field.tsx';
import { Submit } from '../ui/submit.tsx';
import { ErrorSummary } from '../ui/error-summary.tsx';
import { Field } from '../ui/field.tsx';

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
