import type { SubmissionResult } from '@conform-to/react';
import { Form, useNavigation } from '@remix-run/react';
import type { DoseWarning } from '#app/domain/doses/dose-warnings.ts';
import { takeDoseSchema } from '#app/domain/doses/dose-schema.ts';
import { SITES } from '#app/domain/tracking/sites.ts';
import { keptField } from '#app/ui/forms/conform-field.ts';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { Button } from '#app/ui/button.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Field, Select, TextArea } from '#app/ui/field.tsx';
import type { Option } from '#app/ui/options.tsx';
import { NumberField } from '#app/ui/number-field.tsx';
import { WarningsToConfirm } from './dose-warnings.tsx';

export const SITE_OPTIONS: readonly Option[] = [
  { value: '', label: 'Not noted' },
  ...SITES.map(({ id, name }) => ({ value: id, label: name })),
];

interface TakeFormProps {
  action: string;
  doseUnit: string;
  /** The dose as planned, which is what an empty field means. */
  planned: string;
  notes: string | null;
  vials: readonly Option[];
  /** What has to be looked at; sending the form says yes to it. */
  warnings: readonly DoseWarning[];
  lastResult?: SubmissionResult<string[]> | null;
}

/** Logging a dose with everything that can be said about it. All of it may be left as it is. */
export function TakeForm({ action, doseUnit, planned, notes, vials, warnings, lastResult }: TakeFormProps) {
  const [form, fields] = useSchemaForm('take', takeDoseSchema, {
    lastResult,
    defaultValue: { actualDose: planned, notes: notes ?? '' },
  });
  const { state, formAction } = useNavigation();
  const isBusy = state !== 'idle' && formAction === action;
  return (
    <Form method="post" action={action} id={form.id} onSubmit={form.onSubmit} noValidate>
      <ErrorSummary id={form.errorId} errors={form.errors} />
      <WarningsToConfirm warnings={warnings} />
      <div className="dose-fields">
        <NumberField {...keptField(fields.actualDose)} label="Dose taken" unit={doseUnit} />
        <Field
          {...keptField(fields.takenAt)}
          label="Taken at"
          type="datetime-local"
          hint="Empty means now."
        />
        <Select
          {...keptField(fields.compoundId)}
          label="Vial"
          options={[{ value: '', label: 'The schedule’s, else the earliest date' }, ...vials]}
        />
        <Select {...keptField(fields.site)} label="Injection site" options={SITE_OPTIONS} />
      </div>
      <TextArea {...keptField(fields.notes)} label="Notes" rows={2} maxLength={2000} />
      <div>
        <Button name="intent" value="taken" variant="primary" disabled={isBusy}>
          {isBusy ? 'Saving...' : warnings.length > 0 ? 'Log it anyway' : 'Taken'}
        </Button>
      </div>
    </Form>
  );
}
