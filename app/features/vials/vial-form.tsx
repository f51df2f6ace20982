import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import type { SubmissionResult } from '@conform-to/react';
import { Form } from '@remix-run/react';
import { vialFormSchema, type VialFormValues } from '#app/domain/vials/vial-schema.ts';
import { Submit } from '#app/ui/submit.tsx';
import { LinkButton } from '#app/ui/button.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { ContentFields, DateFields, OtherFields, type VialFormFields } from './vial-fields.tsx';

interface VialFormProps {
  action: string;
  cancelHref: string;
  /** What the fields begin with. */
  values: VialFormValues;
  /** Names this showing of the form, so that sending it twice adds one vial. */
  idempotencyKey?: string;
  /** Editing: what the form was shown with, so that only what was changed in it is changed. */
  original?: string;
  submitLabel: string;
  lastResult?: SubmissionResult<string[]> | null;
}

/** A vial's description, for a new one and for changing one. */
export function VialForm({
  action,
  cancelHref,
  values,
  idempotencyKey,
  original,
  submitLabel,
  lastResult,
}: VialFormProps) {
  const [form, fields] = useSchemaForm('vial', vialFormSchema, { lastResult, defaultValue: values });
  const known = fields as unknown as VialFormFields;
  return (
    <Form
      method="post"
      action={action}
      id={form.id}
      onSubmit={form.onSubmit}
      noValidate
      className="grid gap-4"
    >
      {idempotencyKey ? <input type="hidden" name="idempotencyKey" value={idempotencyKey} /> : null}
      {original ? <input type="hidden" name="original" value={original} /> : null}
      <ErrorSummary id={form.errorId} errors={form.errors} />
      <ContentFields fields={known} />
      <DateFields fields={known} />
      <OtherFields fields={known} />
      <div className="flex flex-wrap gap-3">
        <Submit label={submitLabel} action={action} />
        <LinkButton to={cancelHref}>Cancel</LinkButton>
      </div>
    </Form>
  );
}
