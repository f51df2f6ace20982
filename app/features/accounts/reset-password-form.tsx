import type { SubmissionResult } from '@conform-to/react';
import { Form } from '@remix-run/react';
import { resetPasswordSchema } from '#app/domain/accounts/password-reset-schema.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Field } from '#app/ui/field.tsx';
import { AuthPage } from '#app/ui/shell/auth-page.tsx';
import { conformField } from '#app/ui/forms/conform-field.ts';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { PASSWORD_HINT } from './password-hint.ts';
import { SubmitButton } from './submit-button.tsx';

/** Choosing a new password by a link from a mail. */
export function ResetPasswordForm({ lastResult }: { lastResult?: SubmissionResult<string[]> | null }) {
  const [form, fields] = useSchemaForm('reset-password', resetPasswordSchema, { lastResult });
  return (
    <AuthPage title="Choose a new password">
      <Form method="post" id={form.id} onSubmit={form.onSubmit} noValidate className="grid gap-4">
        <p>All sessions of your account end. Afterwards you sign in with the new password.</p>
        <ErrorSummary id={form.errorId} errors={form.errors} />
        <Field
          {...conformField(fields.password)}
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
        <SubmitButton label="Set the password" pendingLabel="Setting the password..." />
      </Form>
    </AuthPage>
  );
}

/** What a link that was used, is too old, or never was ours leads to. */
export function ResetLinkOver({ message }: { message: string }) {
  return (
    <AuthPage title="This link no longer works">
      <p className="mb-4">{message}</p>
      <LinkButton to="/forgot-password" variant="primary">
        Ask for a new link
      </LinkButton>
    </AuthPage>
  );
}
