import type { SubmissionResult } from '@conform-to/react';
import { Form } from '@remix-run/react';
import { nutritionSchema, NUTRIENTS, type Nutrient } from '#app/domain/tracking/nutrition-schema.ts';
import { keptField } from '#app/ui/forms/conform-field.ts';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Field, TextArea } from '#app/ui/field.tsx';
import { NumberField } from '#app/ui/number-field.tsx';
import { Submit } from '#app/ui/submit.tsx';

const ACTION = '/dashboard/tracking/nutrition';

/** The form's controls as texts. */
export type NutritionFormValues = Record<Nutrient | 'date' | 'notes', string>;

interface NutritionFormProps {
  values: NutritionFormValues;
  /** The day has an entry already. */
  isThere: boolean;
  lastResult?: SubmissionResult<string[]> | null;
}

/** What was eaten and drunk on a day. */
export function NutritionForm({ values, isThere, lastResult }: NutritionFormProps) {
  const [form, fields] = useSchemaForm('nutrition', nutritionSchema, { lastResult, defaultValue: values });
  return (
    <Form
      method="post"
      action={ACTION}
      id={form.id}
      onSubmit={form.onSubmit}
      noValidate
      className="grid gap-4"
    >
      <ErrorSummary id={form.errorId} errors={form.errors} />
      <div className="number-grid">
        <Field {...keptField(fields.date)} label="Date" type="date" />
        {NUTRIENTS.map(({ key, label, unit }) => (
          <NumberField key={key} {...keptField(fields[key])} label={label} unit={unit} />
        ))}
      </div>
      <TextArea {...keptField(fields.notes)} label="Notes" />
      <div className="flex flex-wrap items-center gap-3">
        <Submit label={isThere ? 'Save this day' : 'Add this day'} action={ACTION} />
        <span className="text-sm text-soft">One entry a day; saving it again changes it.</span>
      </div>
    </Form>
  );
}
