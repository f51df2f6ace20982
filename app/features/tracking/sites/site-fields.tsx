import type { FieldMetadata } from '@conform-to/react';
import { keptField } from '#app/ui/forms/conform-field.ts';
import { Field, Select, TextArea } from '#app/ui/field.tsx';
import { NumberField } from '#app/ui/number-field.tsx';

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

/** What is noted beside the site. */
export function SiteFields({ fields, vials = [] }: SiteFieldsProps) {
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
