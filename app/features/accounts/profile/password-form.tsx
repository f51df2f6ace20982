import type { SubmissionResult } from '@conform-to/react';
import { Form } from '@remix-run/react';
import { changePasswordSchema } from '#app/domain/accounts/profile-schema.ts';
import { conformField } from '#app/ui/forms/conform-field.ts';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Field } from '#app/ui/field.tsx';
import { PASSWORD_HINT } from '#app/features/accounts/password-hint.ts';
import { Submit } from '#app/ui/submit.tsx';

const ACTION = '/dashboard/profile/password';

interface PasswordFormProps {
  lastResult?: SubmissionResult<string[]> | null;
  /** For password managers, which file the new password under it. */
  email: string;
}

/** Changing the password. A refusal is shown on the form's own page. */
export function PasswordForm({ lastResult, email }: PasswordFormProps) {
  const [form, fields] = useSchemaForm('password-change', changePasswordSchema, { lastResult });
  return (
    <Form
      method="post"
      action={ACTION}
      id={form.id}
      onSubmit={form.onSubmit}
      noValidate
      className="grid gap-4"
    >
      <ErrorSummary id={form.errorId} errors={form.errors} />
      <input type="text" name="username" value={email} autoComplete="username" readOnly hidden />
      <Field
        {...conformField(fields.currentPassword)}
        label="Current password"
        type="password"
        autoComplete="current-password"
      />
      <Field
        {...conformField(fields.newPassword)}
        label="New password"
        type="password"
        autoComplete="new-password"
        hint={PASSWORD_HINT}
      />
      <Field
        {...conformField(fields.confirmPassword)}
        label="Confirm new password"
        type="password"
        autoComplete="new-password"
      />
      <p className="text-sm text-soft">
        All your other sessions end; this one and your API tokens go on. A reset by mail ends the tokens, too.
      </p>
      <div>
        <Submit
          label="Change password"
          pendingLabel="Changing the password..."
          action={ACTION}
          variant="quiet"
        />
      </div>
    </Form>
  );
}
