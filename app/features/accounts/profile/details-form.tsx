import type { SubmissionResult } from '@conform-to/react';
import { syringeOptions } from '#app/domain/calculator/calculation.ts';
import { detailsSchema, unitsSchema, type Profile } from '#app/domain/accounts/profile.ts';
import { Field, Select, NumberField } from '#app/ui/fields.tsx';
import { fieldProps, SchemaForm } from '#app/ui/forms/schema-form.tsx';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { TimeZoneField } from '#app/ui/time-zone-field.tsx';
import type { ZoneChoice } from '#app/domain/time/zoned-time.ts';
import { Submit } from '#app/ui/button.tsx';

const DETAILS = '/dashboard/profile';
const UNITS = '/dashboard/profile/units';

const DOSE_UNITS = [
  { value: 'mg', label: 'mg' },
  { value: 'mcg', label: 'mcg' },
];
const MEASUREMENTS = [
  { value: 'metric', label: 'Metric (kg, cm)' },
  { value: 'imperial', label: 'Imperial (lb, in)' },
];

interface DetailsFormProps {
  profile: Pick<Profile, 'name' | 'timeZone'>;
  timeZones: readonly ZoneChoice[];
  lastResult?: SubmissionResult<string[]> | null;
}

/** Name and time zone. */
export function DetailsForm({ profile, timeZones, lastResult }: DetailsFormProps) {
  const [form, fields] = useSchemaForm('details', detailsSchema, {
    lastResult,
    defaultValue: { ...profile, name: profile.name ?? '' },
  });
  return (
    <SchemaForm form={form} action={DETAILS}>
      <Field
        {...fieldProps(fields.name)}
        label="Name"
        autoComplete="name"
        hint="Optional. Used to greet you in emails."
      />
      <TimeZoneField
        {...fieldProps(fields.timeZone)}
        choices={timeZones}
        hint="Your days start and end in this time zone."
      />
      <div>
        <Submit label="Save profile" pendingLabel="Saving..." action={DETAILS} />
      </div>
    </SchemaForm>
  );
}

interface UnitsFormProps {
  profile: Pick<Profile, 'doseUnit' | 'units' | 'syringe' | 'syringes' | 'deadSpaceMl'>;
  lastResult?: SubmissionResult<string[]> | null;
}

/** Units and syringe. */
export function UnitsForm({ profile: { syringes, ...profile }, lastResult }: UnitsFormProps) {
  const [form, fields] = useSchemaForm('units', unitsSchema, { lastResult, defaultValue: profile });
  return (
    <SchemaForm form={form} action={UNITS}>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Select {...fieldProps(fields.doseUnit)} label="Dose unit" options={DOSE_UNITS} />
        <Select {...fieldProps(fields.units)} label="Body measurements" options={MEASUREMENTS} />
      </div>
      <Select
        {...fieldProps(fields.syringe)}
        label="Syringe"
        hint="Units of your doses are shown for this syringe."
        options={syringeOptions(syringes)}
      />
      <NumberField
        {...fieldProps(fields.deadSpaceMl)}
        label="Dead space"
        unit="ml"
        hint="What stays in the syringe and needle after each injection; 0 to ignore it. It affects stock forecasts, not what you draw."
      />
      <div>
        <Submit label="Save units and syringe" pendingLabel="Saving..." action={UNITS} />
      </div>
    </SchemaForm>
  );
}
