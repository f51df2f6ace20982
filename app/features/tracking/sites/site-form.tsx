import { DOSE_UNIT_CHOICES } from '#app/domain/calculator/calculation.ts';
import type { FieldMetadata, SubmissionResult } from '@conform-to/react';
import type { ReactNode } from 'react';
import { fieldProps, SchemaForm } from '#app/ui/forms/schema-form.tsx';
import { FieldError, Field, Select, TextArea, type Option, NumberField } from '#app/ui/fields.tsx';
import { injectionSchema } from '#app/domain/doses/injection-schema.ts';
import { logSiteSchema, type updateSiteSchema } from '#app/domain/tracking/injection-site-schema.ts';
import { changeToMcg } from '#app/ui/forms/change-to-mcg.ts';
import { McgQuestion } from '#app/ui/forms/mcg-question.tsx';
import type { SiteId } from '#app/domain/tracking/sites.ts';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import type { MappedSite } from './body-map.tsx';
import { SitePicker } from './site-picker.tsx';
import { Submit } from '#app/ui/button.tsx';

const PAIN = [
  { value: '', label: 'Not recorded' },
  ...Array.from({ length: 11 }, (_, level) => ({
    value: String(level),
    label: level === 0 ? '0 – none' : level === 10 ? '10 – worst' : String(level),
  })),
];

type Name = keyof typeof updateSiteSchema.shape;

interface SiteFieldsProps {
  fields: Readonly<Record<Name, FieldMetadata<unknown>>>;
  /** Suggested while typing. */
  names?: readonly string[];
  /** The vial field. */
  children: ReactNode;
}

/** All fields except the site. */
function SiteFields({ fields, names = [], children }: SiteFieldsProps) {
  return (
    <>
      <div className="pair">
        <NumberField
          {...fieldProps(fields.dose)}
          label="Dose"
          question={
            <McgQuestion
              errors={fields.dose.errors}
              onClick={changeToMcg({ amount: 'dose', unit: 'doseUnit' })}
            />
          }
        />
        <Select {...fieldProps(fields.doseUnit)} label="Dose unit" options={DOSE_UNIT_CHOICES} />
      </div>
      <Field {...fieldProps(fields.name)} label="Compound" list="known-names" autoComplete="off" />
      <datalist id="known-names">
        {names.map((known) => (
          <option key={known} value={known} />
        ))}
      </datalist>
      {children}
      <Field {...fieldProps(fields.takenAt)} label="Date and time" type="datetime-local" />
      <div className="pair">
        <NumberField {...fieldProps(fields.volume)} label="Volume" unit="ml" />
        <Select {...fieldProps(fields.pain)} label="Pain, 0 to 10" options={PAIN} />
      </div>
      <TextArea {...fieldProps(fields.notes)} label="Notes" rows={3} />
    </>
  );
}

/** The form's controls as texts. */
type SiteFormValues = Readonly<Record<Name, string>>;

interface SiteFormProps {
  action: string;
  sites: readonly MappedSite[];
  values: SiteFormValues;
  vials?: readonly Option[];
  lastResult?: SubmissionResult<string[]> | null;
}

/** The `id` of a control. The body map already uses "site". */
const idOf = (name: string) => (name === 'site' ? 'site' : `site-log-${name}`);

/** Edits an entry of the site log. */
export function SiteForm({ action, sites, values, vials = [], lastResult }: SiteFormProps) {
  const [form, fields] = useSchemaForm('site-log', logSiteSchema, { lastResult, defaultValue: values });
  const site = fieldProps(fields.site);
  return (
    <SchemaForm form={form} action={action} idOf={idOf} className="block">
      <div className="site-form">
        <SitePicker sites={sites} next={null} chosen={site.defaultValue} error={site.error} />
        <div className="mt-6 grid grid-cols-[minmax(0,1fr)] content-start gap-4 lg:mt-0">
          <SiteFields fields={fields}>
            {vials.length > 0 ? (
              <Select
                {...fieldProps(fields.compoundId)}
                label="Vial"
                options={[{ value: '', label: 'None' }, ...vials]}
              />
            ) : null}
          </SiteFields>
          <div>
            <Submit label="Save" action={action} />
          </div>
        </div>
      </div>
    </SchemaForm>
  );
}

const RECORDS = [
  {
    value: 'dose',
    label: 'A dose',
    hint: 'It is drawn from your vial and counted as taken, and its site is saved.',
  },
  {
    value: 'site',
    label: 'Only the site',
    hint: 'Nothing is drawn and no dose is counted. Use this if you have already logged the dose.',
  },
] as const;

function RecordChoice({ chosen, error }: { chosen: string | undefined; error: string | undefined }) {
  const id = idOf('record');
  return (
    <fieldset id={id} tabIndex={-1}>
      <legend className="mb-1 font-semibold">What to log</legend>
      {error ? <FieldError id={id} error={error} /> : null}
      {RECORDS.map(({ value, label, hint }) => (
        <label key={value} className="choice">
          <input
            type="radio"
            name="record"
            value={value}
            aria-label={label}
            aria-describedby={`record-${value}-hint`}
            defaultChecked={value === chosen}
          />
          <span>
            <span className="block font-semibold">{label}</span>
            <span id={`record-${value}-hint`} className="block text-sm text-soft">
              {hint}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** The props of a form control. */
type DoseOfControl = ReturnType<typeof fieldProps>;

interface InjectionFormProps extends Omit<SiteFormProps, 'values'> {
  next: SiteId | null;
  values: SiteFormValues & { record: string };
  /** Identifies one submission, so that a double click logs once. */
  saveKey: string;
  /** Names of compounds, suggested while typing. */
  names: readonly string[];
  /** Renders the field for the component of a blend that the dose is for. */
  doseOf: (field: DoseOfControl, chosen: { vialId: string; name: string }) => ReactNode;
  /** Shown above the form, to read before drawing a dose. */
  before: ReactNode;
  /** The button that shows what to draw for a dose. */
  showDraw: ReactNode;
  /** Asks about a dose in place of the form's buttons; null when there is nothing to ask. */
  question: ((buttons: ReactNode) => ReactNode) | null;
}

/** Logs a dose with its site, or only the site. */
export function InjectionForm(props: InjectionFormProps) {
  const { action, sites, next, values, saveKey, vials = [], names, lastResult } = props;
  const { before, showDraw, question, doseOf } = props;
  const [form, fields] = useSchemaForm('site-log', injectionSchema, { lastResult, defaultValue: values });
  const record = fieldProps(fields.record);
  const site = fieldProps(fields.site);
  const intro = <div className="for-dose">{before}</div>;
  const buttons = (
    <div className="flex flex-wrap gap-3">
      <Submit label="Log injection" action={action} />
      <span className="for-dose">{showDraw}</span>
    </div>
  );
  return (
    <SchemaForm form={form} action={action} idOf={idOf} className="block" intro={intro}>
      <input type="hidden" name="saveKey" value={saveKey} />
      <div className="site-form">
        <SitePicker sites={sites} next={next} chosen={site.defaultValue} error={site.error} />
        <div className="mt-6 grid grid-cols-[minmax(0,1fr)] content-start gap-4 lg:mt-0">
          <RecordChoice chosen={record.defaultValue} error={record.error} />
          <SiteFields fields={fields} names={names}>
            <div className="for-dose">
              <Select
                {...fieldProps(fields.compoundId)}
                label="Vial"
                options={[{ value: '', label: 'The first to expire' }, ...vials]}
              />
              {doseOf(fieldProps(fields.doseOf), {
                vialId: fields.compoundId.value ?? '',
                name: fields.name.value ?? '',
              })}
            </div>
          </SiteFields>
          {question === null ? (
            buttons
          ) : (
            <>
              <div className="for-dose">{question(buttons)}</div>
              <div className="for-site">
                <Submit label="Log injection" action={action} />
              </div>
            </>
          )}
        </div>
      </div>
    </SchemaForm>
  );
}
