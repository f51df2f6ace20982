import type { FieldMetadata, SubmissionResult } from '@conform-to/react';
import { Form } from '@remix-run/react';
import type { SubstanceUnit } from '#app/domain/calculator/calculation.ts';
import {
  inOneMeasure,
  reconstituteFormSchema,
  type VialFormValues,
  remainingFormSchema,
  spillFormSchema,
} from '#app/domain/vials/vial-schema.ts';
import { fieldProps, SchemaForm } from '#app/ui/forms/schema-form.tsx';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { ConfirmedDay } from './vial-form.tsx';
import { NumberField, Field } from '#app/ui/fields.tsx';
import { Submit, Button, LinkButton } from '#app/ui/button.tsx';

/** For a blend, names the component that an amount counts; the others change in proportion. */
const ofText = (of: string | null): string => (of === null ? '' : ` of ${of}`);
const proportionText = (of: string | null): string =>
  of === null ? '' : ' The other components change in proportion.';

interface AmountFormProps {
  action: string;
  idempotencyKey: string;
  lastResult?: SubmissionResult<string[]> | null;
}

/** Corrects the remaining amount. */
export function RemainingForm({
  action,
  idempotencyKey,
  lastResult,
  left,
  total,
  of,
  unit,
}: AmountFormProps & { left: string; total: string; of: string | null; unit: SubstanceUnit }) {
  const [form, fields] = useSchemaForm('remaining', inOneMeasure(remainingFormSchema, unit), {
    lastResult,
    defaultValue: { remainingAmount: left },
  });
  return (
    <SchemaForm form={form} action={action}>
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      <NumberField
        {...fieldProps(fields.remainingAmount)}
        label={`Remaining amount${ofText(of)}`}
        unit={unit}
        hint={`From 0 to ${total} ${unit}.${proportionText(of)}`}
      />
      <Field
        {...fieldProps(fields.reason)}
        label="Reason"
        hint="Optional. Shown beside the correction in the ledger."
        autoComplete="off"
      />
      <div>
        <Submit label="Correct the amount" action={action} />
      </div>
    </SchemaForm>
  );
}

/** Records a loss. */
export function SpillForm({
  action,
  idempotencyKey,
  lastResult,
  left,
  of,
  unit,
}: AmountFormProps & { left: string; of: string | null; unit: SubstanceUnit }) {
  const [form, fields] = useSchemaForm('spill', inOneMeasure(spillFormSchema, unit), { lastResult });
  return (
    <SchemaForm form={form} action={action}>
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      <NumberField
        {...fieldProps(fields.lostAmount)}
        label={`Lost amount${ofText(of)}`}
        unit={unit}
        hint={`At most ${left} ${unit}.${proportionText(of)}`}
      />
      <Field {...fieldProps(fields.reason)} label="What happened" hint="Optional." autoComplete="off" />
      <div>
        <Submit label="Record the loss" action={action} variant="quiet" />
      </div>
    </SchemaForm>
  );
}

interface ReconstituteFormProps {
  action: string;
  values: VialFormValues;
  unit: SubstanceUnit;
  lastResult?: SubmissionResult<string[]> | null;
}

/** Records that water was added to a sealed vial. */
export function ReconstituteForm({ action, values, unit, lastResult }: ReconstituteFormProps) {
  const [form, fields] = useSchemaForm('reconstitute', inOneMeasure(reconstituteFormSchema, unit), {
    lastResult,
    defaultValue: values,
  });
  const field = (name: keyof typeof fields) => fieldProps(fields[name] as FieldMetadata<unknown>);
  return (
    <SchemaForm form={form} action={action}>
      <ConfirmedDay lastResult={lastResult} />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <NumberField {...field('waterMl')} label="Water added" unit="ml" />
        <NumberField {...field('concentration')} label="or concentration" unit={`${unit}/ml`} />
        <Field {...field('reconstitutionDate')} type="date" label="Reconstituted on" />
        <Field
          {...field('expirationDate')}
          type="date"
          label="Last day of use"
          hint="Blank = 28 days after mixing."
        />
      </div>
      <div>
        <Submit label="Reconstitute" action={action} />
      </div>
    </SchemaForm>
  );
}

interface DiscardFormProps {
  name: string;
  /** With its unit. */
  left: string;
  action: string;
  cancelHref: string;
  error?: string;
}

/** Confirms discarding a vial. */
export function DiscardForm({ name, left, action, cancelHref, error }: DiscardFormProps) {
  return (
    <div className="margin-rule mt-6 max-w-2xl py-2 ps-6">
      <h1>{`Discard this vial of ${name}?`}</h1>
      <p className="mt-3 text-soft">
        {`The remaining ${left} will be written off. A discarded vial stays on record but cannot be used again.`}
      </p>
      <Form method="post" action={action} className="mt-4 grid gap-4">
        <Field name="reason" label="Reason" hint="Optional." error={error} autoComplete="off" />
        <div className="flex flex-wrap gap-3">
          <Button variant="danger">Discard</Button>
          <LinkButton to={cancelHref}>Keep it</LinkButton>
        </div>
      </Form>
    </div>
  );
}
