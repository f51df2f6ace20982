import type { SubmissionResult } from '@conform-to/react';
import { measurementFormSchema, type updateMeasurementSchema } from '#app/domain/tracking/measurements.ts';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { fieldProps, SchemaForm } from '#app/ui/forms/schema-form.tsx';
import { LinkButton, Submit } from '#app/ui/button.tsx';
import { Field, TextArea, NumberField } from '#app/ui/fields.tsx';

interface MeasurementFormProps {
  action: string;
  name: string;
  /** The unit it was entered in. */
  unit: string;
  values: Readonly<Record<Exclude<keyof typeof updateMeasurementSchema.shape, 'unit'>, string>>;
  lastResult?: SubmissionResult<string[]> | null;
  /** A suspicious blood pressure, such as "80/120"; sending it again confirms it. */
  askedPressure?: string | null;
}

/** Edits a measurement. */
export function MeasurementForm({
  action,
  name,
  unit,
  values,
  lastResult,
  askedPressure,
}: MeasurementFormProps) {
  const [form, fields] = useSchemaForm('measurement', measurementFormSchema, {
    lastResult,
    defaultValue: values,
  });
  return (
    <SchemaForm form={form} action={action} className="grid max-w-md gap-4">
      {askedPressure ? <input type="hidden" name="confirmedPressure" value={askedPressure} /> : null}
      <NumberField {...fieldProps(fields.value)} label={name} unit={unit} />
      <Field {...fieldProps(fields.measuredAt)} label="Date and time" type="datetime-local" />
      <TextArea {...fieldProps(fields.notes)} label="Notes" />
      <div className="flex flex-wrap gap-3">
        <Submit label="Save" action={action} />
        <LinkButton to="/dashboard/tracking/health#measurements">Cancel</LinkButton>
      </div>
    </SchemaForm>
  );
}
