import { Form } from '@remix-run/react';
import { ErrorSummary, fieldsToFix } from '#app/ui/error-summary.tsx';
import { Field, NumberField } from '#app/ui/fields.tsx';
import { Submit } from '#app/ui/button.tsx';

const ACTION = '/dashboard/tracking/health';

/** A measure on the form. */
export interface MeasureField {
  key: string;
  name: string;
  unit: string;
  /** What was sent. */
  value?: string;
  error?: string;
}

interface QuickEntryProps {
  measures: readonly MeasureField[];
  measuredAt: string;
  measuredAtError?: string;
  saveKey: string;
  errors?: readonly string[];
  /** A blood pressure that is asked about; sending it again confirms it. */
  askedPressure?: string | null;
}

/** Logs all measures at one time; blank ones are left out. */
export function QuickEntry({
  measures,
  measuredAt,
  measuredAtError,
  saveKey,
  errors,
  askedPressure,
}: QuickEntryProps) {
  const ownErrors = measures.map(({ key, error }) => [`measure-${key}`, error]);
  const toFix = fieldsToFix({ measuredAt: measuredAtError, ...Object.fromEntries(ownErrors) });
  return (
    <Form method="post" action={ACTION} noValidate className="grid gap-4">
      <input type="hidden" name="saveKey" value={saveKey} />
      {askedPressure ? <input type="hidden" name="confirmedPressure" value={askedPressure} /> : null}
      <ErrorSummary errors={errors} fields={toFix} />
      <div className="number-grid">
        <Field
          name="measuredAt"
          label="Date and time"
          type="datetime-local"
          defaultValue={measuredAt}
          error={measuredAtError}
        />
        {measures.map(({ key, name, unit, value, error }) => (
          <NumberField
            key={key}
            id={`measure-${key}`}
            name={`value.${key}`}
            label={name}
            unit={unit}
            defaultValue={value}
            error={error}
          />
        ))}
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Submit label="Save measurements" action={ACTION} />
        <span className="text-sm text-soft">Fill in only what you measured.</span>
      </div>
    </Form>
  );
}
