import type { FieldMetadata, SubmissionResult } from '@conform-to/react';
import { keptField } from '#app/ui/forms/conform-field.ts';
import { Field, Select, TextArea } from '#app/ui/field.tsx';
import { NumberField } from '#app/ui/number-field.tsx';
import { logSiteSchema } from '#app/domain/tracking/injection-site-schema.ts';
import type { SiteId } from '#app/domain/tracking/sites.ts';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import type { MappedSite } from './body-map.tsx';
import { SitePicker } from './site-picker.tsx';
import { Submit } from '#app/ui/submit.tsx';
import { SchemaForm } from '#app/ui/forms/schema-form.tsx';

const PAIN = [
  { value: '', label: 'Not noted' },
  ...Array.from({ length: 11 }, (_, level) => ({
    value: String(level),
    label: level === 0 ? '0 – none' : level === 10 ? '10 – worst' : String(level),
  })),
];

const UNITS = [
  { value: 'mg', label: 'mg' },
  { value: 'mcg', label: 'mcg' },
];

type Name = 'takenAt' | 'name' | 'compoundId' | 'dose' | 'doseUnit' | 'volume' | 'pain' | 'notes';

interface SiteFieldsProps {
  fields: Readonly<Record<Name, FieldMetadata<unknown>>>;
  /** Vials to choose from; without any there is only the name. */
  vials?: readonly { value: string; label: string }[];
}

/** The fields besides the site. */
function SiteFields({ fields, vials = [] }: SiteFieldsProps) {
  return (
    <>
      <Field {...keptField(fields.takenAt)} label="Date and time" type="datetime-local" />
      <Field {...keptField(fields.name)} label="Compound" maxLength={100} autoComplete="off" />
      {vials.length > 0 ? (
        <Select
          {...keptField(fields.compoundId)}
          label="Vial"
          options={[{ value: '', label: 'None' }, ...vials]}
        />
      ) : null}
      <div className="pair">
        <NumberField {...keptField(fields.dose)} label="Dose" />
        <Select {...keptField(fields.doseUnit)} label="Dose unit" options={UNITS} />
      </div>
      <div className="pair">
        <NumberField {...keptField(fields.volume)} label="Volume" unit="ml" />
        <Select {...keptField(fields.pain)} label="Pain, 0 to 10" options={PAIN} />
      </div>
      <TextArea {...keptField(fields.notes)} label="Notes" rows={3} />
    </>
  );
}

/** The form's controls as texts. */
interface SiteFormValues {
  site: string;
  takenAt: string;
  name: string;
  compoundId: string;
  dose: string;
  doseUnit: string;
  volume: string;
  pain: string;
  notes: string;
}

interface SiteFormProps {
  action: string;
  label: string;
  sites: readonly MappedSite[];
  next: SiteId | null;
  values: SiteFormValues;
  /** Identifies one submission, so that a double click logs once. */
  saveKey?: string;
  vials?: readonly { value: string; label: string }[];
  lastResult?: SubmissionResult<string[]> | null;
}

/** Logs or edits an injection. */
export function SiteForm({ action, label, sites, next, values, saveKey, vials, lastResult }: SiteFormProps) {
  const [form, fields] = useSchemaForm('site-log', logSiteSchema, { lastResult, defaultValue: values });
  const site = keptField(fields.site);
  return (
    <SchemaForm form={form} action={action} className="block">
      {saveKey ? <input type="hidden" name="saveKey" value={saveKey} /> : null}
      <div className="site-form">
        <SitePicker sites={sites} next={next} chosen={site.defaultValue} error={site.error} />
        <div className="mt-6 grid content-start gap-4 lg:mt-0">
          <SiteFields fields={fields} vials={vials} />
          <div>
            <Submit label={label} action={action} />
          </div>
        </div>
      </div>
    </SchemaForm>
  );
}
