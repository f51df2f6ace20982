import type { SubmissionResult } from '@conform-to/react';
import { Form } from '@remix-run/react';
import type { Profile } from '#app/domain/accounts/profile.ts';
import { profileSchema } from '#app/domain/accounts/profile-schema.ts';
import { keptField } from '#app/ui/forms/conform-field.ts';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Field, Select } from '#app/ui/field.tsx';
import { Submit } from '#app/ui/submit.tsx';

const DOSE_UNITS = [
  { value: 'mg', label: 'mg' },
  { value: 'mcg', label: 'mcg' },
];
const UNITS = [
  { value: 'metric', label: 'Metric (kg, cm)' },
  { value: 'imperial', label: 'Imperial (lb, in)' },
];

interface DetailsFormProps {
  profile: Profile;
  /** IANA names to choose from. */
  timeZones: readonly string[];
  lastResult?: SubmissionResult<string[]> | null;
}

/** Name, time zone and units. */
export function DetailsForm({ profile, timeZones, lastResult }: DetailsFormProps) {
  const [form, fields] = useSchemaForm('details', profileSchema, {
    lastResult,
    defaultValue: { ...profile, name: profile.name ?? '' },
  });
  return (
    <Form
      method="post"
      action="/dashboard/profile"
      id={form.id}
      onSubmit={form.onSubmit}
      noValidate
      className="grid gap-4"
    >
      <ErrorSummary id={form.errorId} errors={form.errors} />
      <Field
        {...keptField(fields.name)}
        label="Name"
        autoComplete="name"
        hint="How mails greet you. Optional."
      />
      <Select
        {...keptField(fields.timeZone)}
        label="Time zone"
        options={timeZones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
        hint="Days begin and end in this zone."
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Select {...keptField(fields.doseUnit)} label="Dose unit" options={DOSE_UNITS} />
        <Select {...keptField(fields.units)} label="Body measurements" options={UNITS} />
      </div>
      <div>
        <Submit label="Save profile" pendingLabel="Saving..." action="/dashboard/profile" />
      </div>
    </Form>
  );
}
