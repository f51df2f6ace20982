import type { SubmissionResult } from '@conform-to/react';
import { Form, useNavigation } from '@remix-run/react';
import type { DoseWarning } from '#app/domain/doses/dose-warnings.ts';
import { logDoseSchema } from '#app/domain/doses/dose-schema.ts';
import { keptField } from '#app/ui/forms/conform-field.ts';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { NumberField } from '#app/ui/number-field.tsx';
import { Button } from '#app/ui/button.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Field, Select, TextArea } from '#app/ui/field.tsx';
import type { Option } from '#app/ui/options.tsx';
import { WarningsToConfirm } from './dose-warnings.tsx';
import { SITE_OPTIONS } from './take-form.tsx';

const ACTION = '/dashboard/schedule/log';

const UNITS = [
  { value: 'mg', label: 'mg' },
  { value: 'mcg', label: 'mcg' },
];

interface LogFormProps {
  /** To begin with. */
  name: string;
  doseUnit: string;
  /** Names to choose from while typing. */
  names: readonly string[];
  vials: readonly Option[];
  /** Names one press of the button. */
  idempotencyKey: string;
  warnings: readonly DoseWarning[];
  lastResult?: SubmissionResult<string[]> | null;
}

/** Logging a dose that no schedule has. */
export function LogForm({
  name,
  doseUnit,
  names,
  vials,
  idempotencyKey,
  warnings,
  lastResult,
}: LogFormProps) {
  const [form, fields] = useSchemaForm('log', logDoseSchema, {
    lastResult,
    defaultValue: { doseUnit, name },
  });
  const { state, formAction } = useNavigation();
  const isBusy = state !== 'idle' && formAction === ACTION;
  return (
    <Form method="post" action={ACTION} id={form.id} onSubmit={form.onSubmit} noValidate>
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      <ErrorSummary id={form.errorId} errors={form.errors} />
      <WarningsToConfirm warnings={warnings} />
      <Field
        {...keptField(fields.name)}
        label="Compound"
        list="known-names"
        maxLength={100}
        autoComplete="off"
      />
      <datalist id="known-names">
        {names.map((known) => (
          <option key={known} value={known} />
        ))}
      </datalist>
      <div className="dose-fields">
        <NumberField {...keptField(fields.actualDose)} label="Dose taken" />
        <Select {...keptField(fields.doseUnit)} label="Dose unit" options={UNITS} />
        <Field
          {...keptField(fields.takenAt)}
          label="Taken at"
          type="datetime-local"
          hint="Empty means now."
        />
        <Select
          {...keptField(fields.compoundId)}
          label="Vial"
          options={[{ value: '', label: 'Of this name, earliest date first' }, ...vials]}
        />
        <Select {...keptField(fields.site)} label="Injection site" options={SITE_OPTIONS} />
        <Field {...keptField(fields.route)} label="Route" maxLength={60} autoComplete="off" />
      </div>
      <TextArea {...keptField(fields.notes)} label="Notes" rows={2} maxLength={2000} />
      <div>
        <Button variant="primary" disabled={isBusy}>
          {isBusy ? 'Saving...' : warnings.length > 0 ? 'Log it anyway' : 'Log dose'}
        </Button>
      </div>
    </Form>
  );
}
