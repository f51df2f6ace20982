import type { SubmissionResult } from '@conform-to/react';
import { Form } from '@remix-run/react';
import { changeEmailSchema } from '#app/domain/accounts/email-change-schema.ts';
import { keptField } from '#app/ui/forms/conform-field.ts';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Field } from '#app/ui/field.tsx';
import { Submit } from '#app/ui/submit.tsx';

const ACTION = '/dashboard/profile/email';

interface EmailFormProps {
  lastResult?: SubmissionResult<string[]> | null;
  /** The present address. */
  current: string;
}

/** Asking for another address. */
export function EmailForm({ lastResult, current }: EmailFormProps) {
  const [form, fields] = useSchemaForm('email-change', changeEmailSchema, { lastResult });
  return (
    <Form
      method="post"
      action={ACTION}
      id={form.id}
      onSubmit={form.onSubmit}
      noValidate
      className="grid gap-4"
    >
      <p className="break-words">{`Your account has the address ${current}.`}</p>
      <ErrorSummary id={form.errorId} errors={form.errors} />
      <Field
        {...keptField(fields.email)}
        label="New email"
        type="email"
        autoComplete="email"
        hint="We send a link there. The old address is told, too."
      />
      <div>
        <Submit label="Send the link" pendingLabel="Sending..." action={ACTION} />
      </div>
    </Form>
  );
}
