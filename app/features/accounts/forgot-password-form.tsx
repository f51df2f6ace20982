import type { SubmissionResult } from '@conform-to/react';
import { Form, Link } from '@remix-run/react';
import { forgotPasswordSchema } from '#app/domain/accounts/password-reset-schema.ts';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Field } from '#app/ui/field.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { AuthPage } from '#app/ui/shell/auth-page.tsx';
import { keptField } from '#app/ui/forms/conform-field.ts';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { SubmitButton } from './submit-button.tsx';

interface ForgotPasswordFormProps {
  lastResult?: SubmissionResult<string[]> | null;
  /** The answer, the same whether or not the address has an account. */
  answer?: string;
}

const footer = (
  <Link to="/login" className="inline-flex min-h-11 items-center">
    Back to sign in
  </Link>
);

/** Asking for a link to a new password. */
export function ForgotPasswordForm({ lastResult, answer }: ForgotPasswordFormProps) {
  const [form, fields] = useSchemaForm('forgot-password', forgotPasswordSchema, { lastResult });
  return (
    <AuthPage title="Forgot password" footer={footer}>
      <Form method="post" id={form.id} onSubmit={form.onSubmit} noValidate className="grid gap-4">
        {answer ? (
          <Notice tone="success" role="status">
            {answer}
          </Notice>
        ) : (
          <p>Enter the address of your account. We send a link with which you choose a new password.</p>
        )}
        <ErrorSummary id={form.errorId} errors={form.errors} />
        <Field {...keptField(fields.email)} label="Email" type="email" autoComplete="username" />
        <SubmitButton label="Send the link" pendingLabel="Sending..." />
      </Form>
    </AuthPage>
  );
}
