import { Form } from '@remix-run/react';
import { Button, Submit } from '#app/ui/button.tsx';
import { ErrorSummary, fieldsToFix } from '#app/ui/error-summary.tsx';
import { Field } from '#app/ui/fields.tsx';

const ACTION = '/dashboard/tracking/health/measures';

interface OwnMeasuresProps {
  own: readonly { key: string; name: string; unit: string }[];
  errors: { name?: string; unit?: string };
  sent: { name: string; unit: string };
}

/** The user's own measures. */
export function OwnMeasures({ own, errors, sent }: OwnMeasuresProps) {
  return (
    <div className="grid max-w-2xl gap-6">
      <Form key={own.length} method="post" action={ACTION} className="grid gap-3">
        <input type="hidden" name="intent" value="add" />
        <ErrorSummary errors={[]} fields={fieldsToFix({ ...errors })} />
        <div className="pair">
          <Field name="name" label="Name" maxLength={60} defaultValue={sent.name} error={errors.name} />
          <Field
            name="unit"
            label="Unit"
            maxLength={20}
            defaultValue={sent.unit}
            error={errors.unit}
            hint="For example cm. Optional."
          />
        </div>
        <div>
          <Submit label="Add measure" action={ACTION} />
        </div>
      </Form>
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
