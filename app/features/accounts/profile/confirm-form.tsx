import type { SubmissionResult } from '@conform-to/react';
import { Form } from '@remix-run/react';
import { confirmPasswordSchema } from '#app/domain/accounts/profile-schema.ts';
import { conformField } from '#app/ui/forms/conform-field.ts';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Field } from '#app/ui/field.tsx';
import { Submit } from '#app/ui/submit.tsx';

const ACTION = '/dashboard/profile/confirm';

interface ConfirmFormProps {
  lastResult?: SubmissionResult<string[]> | null;
  /** The path that was asked for. */
  redirectTo: string;
  email: string;
}

/** The password once more, before something delicate. */
export function ConfirmForm({ lastResult, redirectTo, email }: ConfirmFormProps) {
  const action = `${ACTION}?redirectTo=${encodeURIComponent(redirectTo)}`;
  const [form, fields] = useSchemaForm('confirm', confirmPasswordSchema, { lastResult });
  return (
    <Form
      method="post"
      action={action}
      id={form.id}
      onSubmit={form.onSubmit}
      noValidate
      className="grid gap-4"
    >
      <ErrorSummary id={form.errorId} errors={form.errors} />
      <p>
        You signed in a while ago. So that nobody else changes this account at an open screen, please enter
        your password again.
      </p>
      <input type="text" name="username" value={email} autoComplete="username" readOnly hidden />
      <Field
        {...conformField(fields.password)}
        label="Password"
        type="password"
        autoComplete="current-password"
      />
      <div>
        <Submit label="Go on" pendingLabel="Checking..." action={action} />
      </div>
    </Form>
  );
}
