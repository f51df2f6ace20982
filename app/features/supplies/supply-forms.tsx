import type { SubmissionResult } from '@conform-to/react';
import { supplyChangesSchema, supplyFormSchema } from '#app/domain/supplies/supply-schema.ts';
import { SUPPLY_KIND_NAMES, SUPPLY_KINDS } from '#app/domain/supplies/supply.ts';
import { LinkButton, Submit } from '#app/ui/button.tsx';
import { Field, Select, NumberField } from '#app/ui/fields.tsx';
import { fieldProps, SchemaForm } from '#app/ui/forms/schema-form.tsx';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';

const KINDS = SUPPLY_KINDS.map((kind) => ({ value: kind, label: SUPPLY_KIND_NAMES[kind] }));
const LIST = '/dashboard/supplies';

interface FormProps {
  lastResult?: SubmissionResult<string[]> | null;
}

export function SupplyForm({ idempotencyKey, lastResult }: FormProps & { idempotencyKey: string }) {
  const action = `${LIST}/new`;
  const [form, fields] = useSchemaForm('supply', supplyFormSchema, {
    lastResult,
    defaultValue: { kind: 'syringe', perInjection: '1' },
  });
  return (
    <SchemaForm form={form} action={action}>
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Select {...fieldProps(fields.kind)} label="Kind" options={KINDS} />
        <Field {...fieldProps(fields.name)} label="Name" autoComplete="off" hint="Such as 0.5 ml, 31G." />
        <NumberField {...fieldProps(fields.count)} label="Pieces you have now" />
        <NumberField {...fieldProps(fields.perInjection)} label="Used per injection" />
      </div>
      <div className="flex flex-wrap gap-3">
        <Submit label="Add supply" action={action} />
        <LinkButton to={LIST}>Cancel</LinkButton>
      </div>
    </SchemaForm>
  );
}

interface SupplyChangesProps extends FormProps {
  id: string;
  values: { kind: string; name: string; perInjection: string };
  version: number;
  left: number;
}

/** The form to count, restock or change a supply. */
export function SupplyChangesForm({ id, values, version, left, lastResult }: SupplyChangesProps) {
  const action = `${LIST}/${id}`;
  const [form, fields] = useSchemaForm('supply', supplyChangesSchema, { lastResult, defaultValue: values });
  return (
    <SchemaForm form={form} action={action}>
      <input type="hidden" name="version" value={version} />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <NumberField {...fieldProps(fields.received)} label="Pieces to add" hint="For example a new box." />
        <NumberField
          {...fieldProps(fields.counted)}
          label="Counted now"
          hint={`Leave empty unless you have counted; ${left > 0 ? left : 0} should be left.`}
        />
        <Select {...fieldProps(fields.kind)} label="Kind" options={KINDS} />
        <Field {...fieldProps(fields.name)} label="Name" autoComplete="off" />
        <NumberField
          {...fieldProps(fields.perInjection)}
          label="Used per injection"
          hint="Applies from now on."
        />
      </div>
      <div className="flex flex-wrap gap-3">
        <Submit label="Save changes" action={action} />
        <LinkButton to={LIST}>Cancel</LinkButton>
        <LinkButton variant="danger" to={`${action}/delete`} className="ms-auto">
          Delete
        </LinkButton>
      </div>
    </SchemaForm>
  );
}
