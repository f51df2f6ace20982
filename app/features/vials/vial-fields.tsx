import type { FieldMetadata } from '@conform-to/react';
import { keptField } from '#app/ui/forms/conform-field.ts';
import { NumberField } from '#app/ui/number-field.tsx';
import { Disclosure } from '#app/ui/disclosure.tsx';
import { Field, TextArea } from '#app/ui/field.tsx';

export type VialFormFields = Readonly<Record<string, FieldMetadata<unknown>>>;

const field = (fields: VialFormFields, name: string) => keptField(fields[name] as FieldMetadata<unknown>);

/** What is in the vial. */
export function ContentFields({ fields }: { fields: VialFormFields }) {
  const displacement = field(fields, 'displacement');
  return (
    <>
      <Field
        {...field(fields, 'name')}
        label="Name"
        autoComplete="off"
        hint="As on the label, for example BPC-157."
      />
      <div className="grid gap-4 sm:grid-cols-3">
        <NumberField {...field(fields, 'totalAmount')} label="Amount in the vial" unit="mg" />
        <NumberField {...field(fields, 'waterMl')} label="Water added" unit="ml" />
        <NumberField {...field(fields, 'concentration')} label="or Concentration" unit="mg/ml" />
      </div>
      <p className="text-sm text-soft">
        Enter the water or the concentration; the other follows. Dry powder has neither yet: leave both empty.
      </p>
      <Disclosure
        summary="Powder displacement"
        open={displacement.error !== undefined || displacement.defaultValue !== undefined}
      >
        <NumberField
          {...displacement}
          label="Displacement"
          unit="µl/mg"
          hint="Room that the powder takes up in the water. 0 unless you know it."
        />
      </Disclosure>
    </>
  );
}

/** Its dates. */
export function DateFields({ fields }: { fields: VialFormFields }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        {...field(fields, 'reconstitutionDate')}
        type="date"
        label="Reconstituted on"
        hint="Empty while it is sealed."
      />
      <Field
        {...field(fields, 'expirationDate')}
        type="date"
        label="Last day of use"
        hint="Empty: 28 days after reconstitution."
      />
    </div>
  );
}

/** What else is known about it. */
export function OtherFields({ fields }: { fields: VialFormFields }) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          {...field(fields, 'storageTemp')}
          label="Storage"
          hint="For example 2–8 °C."
          autoComplete="off"
        />
        <Field {...field(fields, 'lot')} label="Lot" autoComplete="off" />
        <NumberField {...field(fields, 'cost')} label="What you paid for it" />
        <Field
          {...field(fields, 'currency')}
          label="Currency"
          hint="Three letters, for example USD."
          maxLength={3}
          autoComplete="off"
        />
      </div>
      <TextArea {...field(fields, 'notes')} label="Notes" />
    </>
  );
}
