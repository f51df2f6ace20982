import type { SubmissionResult } from '@conform-to/react';
import { Form } from '@remix-run/react';
import { Button, Submit } from '#app/ui/button.tsx';
import { Field } from '#app/ui/fields.tsx';
import { fieldProps, SchemaForm, useAnsweredForm } from '#app/ui/forms/schema-form.tsx';

const ACTION = '/dashboard/tracking/health/measures';

interface OwnMeasuresProps {
  own: readonly { key: string; name: string; unit: string }[];
  lastResult: SubmissionResult<string[]> | undefined;
}

/** The user's own measures. */
export function OwnMeasures({ own, lastResult }: OwnMeasuresProps) {
  const [form, fields] = useAnsweredForm('own-measure', ['name', 'unit'], lastResult);
  return (
    <div className="grid max-w-2xl gap-6">
      <SchemaForm key={own.length} form={form} action={ACTION}>
        <input type="hidden" name="intent" value="add" />
        <div className="pair">
          <Field {...fieldProps(fields.name)} label="Name" maxLength={60} />
          <Field {...fieldProps(fields.unit)} label="Unit" maxLength={20} hint="For example cm. Optional." />
        </div>
        <div>
          <Submit label="Add measure" action={ACTION} />
        </div>
      </SchemaForm>
      <section aria-labelledby="own-measures">
        <h2 id="own-measures">Your own</h2>
        {own.length === 0 ? (
          <p className="text-soft">
            None yet. Track any number over time, such as waist, steps or a lab value.
          </p>
        ) : (
          <ul className="sheet mt-2 divide-y divide-line">
            {own.map(({ key, name, unit }) => (
              <li key={key} className="flex items-center justify-between gap-3 px-4">
                <span className="min-w-0 break-words">{unit ? `${name}, ${unit}` : name}</span>
                <Form method="post" action={ACTION}>
                  <input type="hidden" name="intent" value="remove" />
                  <input type="hidden" name="key" value={key} />
                  <Button variant="plain" className="text-danger" aria-label={`Remove ${name}`}>
                    Remove
                  </Button>
                </Form>
              </li>
            ))}
          </ul>
        )}
        <p className="mt-2 text-sm text-soft">Removing a measure keeps its measurements.</p>
      </section>
    </div>
  );
}
