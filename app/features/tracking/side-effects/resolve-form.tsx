import { useForm, type SubmissionResult } from '@conform-to/react';
import { Form } from '@remix-run/react';
import { keptField } from '#app/ui/forms/conform-field.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Field } from '#app/ui/field.tsx';
import { Submit } from '#app/ui/submit.tsx';

interface ResolveFormProps {
  action: string;
  cancelHref: string;
  /** Now, as the control holds it. */
  resolvedDate: string;
  lastResult?: SubmissionResult<string[]> | null;
}

/** When a side effect was over. */
export function ResolveForm({ action, cancelHref, resolvedDate, lastResult }: ResolveFormProps) {
  const [form, fields] = useForm<{ resolvedDate: string }>({
    id: 'resolve',
    lastResult,
    defaultValue: { resolvedDate },
  });
  return (
    <Form method="post" action={action} id={form.id} noValidate className="grid max-w-md gap-4">
      <ErrorSummary id={form.errorId} errors={form.errors} />
      <Field {...keptField(fields.resolvedDate)} label="Ended" type="datetime-local" />
      <div className="flex flex-wrap gap-3">
        <Submit label="Save" action={action} />
        <LinkButton to={cancelHref}>Cancel</LinkButton>
      </div>
    </Form>
  );
}
