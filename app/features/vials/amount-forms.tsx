import type { SubmissionResult } from '@conform-to/react';
import { Form } from '@remix-run/react';
import { remainingFormSchema, spillFormSchema } from '#app/domain/vials/vial-schema.ts';
import { keptField } from '#app/ui/forms/conform-field.ts';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { NumberField } from '#app/ui/number-field.tsx';
import { Submit } from '#app/ui/submit.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Field } from '#app/ui/field.tsx';

interface AmountFormProps {
  action: string;
  idempotencyKey: string;
  lastResult?: SubmissionResult<string[]> | null;
}

/** Counting anew how much is left. */
export function RemainingForm({
  action,
  idempotencyKey,
  lastResult,
  left,
  total,
}: AmountFormProps & { left: string; total: string }) {
  const [form, fields] = useSchemaForm('remaining', remainingFormSchema, {
    lastResult,
    defaultValue: { remainingAmount: left },
  });
  return (
    <Form
      method="post"
      action={action}
      id={form.id}
      onSubmit={form.onSubmit}
      noValidate
      className="grid gap-4"
    >
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      <ErrorSummary id={form.errorId} errors={form.errors} />
      <NumberField
        {...keptField(fields.remainingAmount)}
        label="Remaining amount"
        unit="mg"
        hint={`From 0 to ${total} mg.`}
      />
      <Field
        {...keptField(fields.reason)}
        label="Reason"
        hint="Optional. It stands in the ledger beside the correction."
        autoComplete="off"
      />
      <div>
        <Submit label="Correct the amount" action={action} />
      </div>
    </Form>
  );
}

/** Noting what was lost. */
export function SpillForm({ action, idempotencyKey, lastResult, left }: AmountFormProps & { left: string }) {
  const [form, fields] = useSchemaForm('spill', spillFormSchema, { lastResult });
  return (
    <Form
      method="post"
      action={action}
      id={form.id}
      onSubmit={form.onSubmit}
      noValidate
      className="grid gap-4"
    >
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      <ErrorSummary id={form.errorId} errors={form.errors} />
      <NumberField
        {...keptField(fields.lostAmount)}
        label="Lost amount"
        unit="mg"
        hint={`At most ${left} mg.`}
      />
      <Field {...keptField(fields.reason)} label="What happened" hint="Optional." autoComplete="off" />
      <div>
        <Submit label="Note the loss" action={action} variant="quiet" />
      </div>
    </Form>
  );
}
