import type { SubmissionResult } from '@conform-to/react';
import { lotFormSchema, type LotFields } from '#app/domain/lots/lot-schema.ts';
import { LinkButton, Submit } from '#app/ui/button.tsx';
import { Field, Select, TextArea, NumberField } from '#app/ui/fields.tsx';
import { fieldProps, SchemaForm } from '#app/ui/forms/schema-form.tsx';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';

interface LotFormProps {
  action: string;
  cancelHref: string;
  values: { readonly [Name in keyof LotFields]?: string };
  suppliers: readonly { id: string; name: string }[];
  idempotencyKey?: string;
  submitLabel: string;
  lastResult?: SubmissionResult<string[]> | null;
}

/** The form of a lot with its certificate. */
export function LotForm(props: LotFormProps) {
  const { action, cancelHref, values, suppliers, idempotencyKey, submitLabel, lastResult } = props;
  const [form, fields] = useSchemaForm('lot', lotFormSchema, { lastResult, defaultValue: values });
  const field = (name: keyof typeof fields) => fieldProps(fields[name]);
  const options = [
    { value: '', label: 'Unknown' },
    ...suppliers.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <SchemaForm form={form} action={action}>
      {idempotencyKey ? <input type="hidden" name="idempotencyKey" value={idempotencyKey} /> : null}
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Field {...field('number')} label="Lot number" autoComplete="off" hint="As printed on the vial." />
        <Field {...field('product')} label="Compound" autoComplete="off" hint="As on the label." />
        {suppliers.length > 0 ? <Select {...field('supplierId')} label="Supplier" options={options} /> : null}
        <Field {...field('expirationDate')} type="date" label="Expiry of sealed vials" />
      </div>
      <h2 className="text-xl">Certificate</h2>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <NumberField
          {...field('purityPercent')}
          label="Purity"
          unit="%"
          hint="Share of the peptide mass that is this peptide."
        />
        <NumberField
          {...field('netContentMg')}
          label="Net content of one vial"
          hint="Measured in one vial; the printed amount may differ. In mg, or in IU for a vial in IU."
        />
        <Field
          {...field('identityMethod')}
          label="Identity tested by"
          hint="Such as LC-MS. Leave empty if identity was not tested."
        />
        <Field {...field('laboratory')} label="Laboratory" />
        <Field {...field('testedOn')} type="date" label="Tested on" />
        <Field
          {...field('reportKey')}
          label="Report key"
          hint="The code that the laboratory’s website asks for."
        />
      </div>
      <Field {...field('reportUrl')} label="Link to the report" inputMode="url" />
      <TextArea {...field('notes')} label="Notes" />
      <div className="flex flex-wrap gap-3">
        <Submit label={submitLabel} action={action} />
        <LinkButton to={cancelHref}>Cancel</LinkButton>
      </div>
    </SchemaForm>
  );
}
