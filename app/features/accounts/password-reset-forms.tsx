import type { SubmissionResult } from '@conform-to/react';
import { Link } from '@remix-run/react';
import { LinkButton } from '#app/ui/button.tsx';
import { Field } from '#app/ui/fields.tsx';
import { keptField, SchemaForm, useAnsweredForm } from '#app/ui/forms/schema-form.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { AuthPage } from '#app/ui/shell/public-shell.tsx';
import { NewPasswordFields } from './new-password-fields.tsx';
import { SubmitButton } from './submit-button.tsx';

interface ForgotPasswordFormProps {
  lastResult?: SubmissionResult<string[]> | null;
  /** The answer, the same whether or not the address has an account. */
  answer?: string;
}

/** The request for a link to choose a new password. */
export function ForgotPasswordForm({ lastResult, answer }: ForgotPasswordFormProps) {
  const [form, fields] = useAnsweredForm('forgot-password', ['email'], lastResult);
  const footer = (
    <Link to="/login" className="inline-flex min-h-11 items-center">
      Back to sign in
    </Link>
  );
  const intro = answer ? (
    <Notice tone="success" role="status">
      {answer}
    </Notice>
  ) : (
    <p>Enter the email address of your account. We will send you a link to choose a new password.</p>
  );
  return (
    <AuthPage title="Forgot password" footer={footer}>
      <SchemaForm form={form} intro={intro}>
        <Field {...keptField(fields.email)} label="Email" type="email" autoComplete="username" />
        <SubmitButton label="Send link" pendingLabel="Sending..." />
      </SchemaForm>
    </AuthPage>
  );
}

/** The page behind the link in the mail. */
export function ResetPasswordForm({ lastResult }: { lastResult?: SubmissionResult<string[]> | null }) {
  const [form, { password, confirmPassword }] = useAnsweredForm(
    'reset-password',
    ['password', 'confirmPassword'],
    lastResult,
  );
  return (
    <AuthPage title="Choose a new password">
      <SchemaForm
        form={form}
        intro={<p>This ends all sessions of your account. You then sign in with the new password.</p>}
      >
        <NewPasswordFields password={password} confirmPassword={confirmPassword} />
        <SubmitButton label="Set password" pendingLabel="Setting password..." />
      </SchemaForm>
    </AuthPage>
  );
}

/** Where a link leads that was used, has expired, or was never ours. */
export function ResetLinkOver({ message }: { message: string }) {
  return (
    <AuthPage title="This link no longer works">
      <p className="mb-4">{message}</p>
      <LinkButton to="/forgot-password" variant="primary">
        Request a new link
      </LinkButton>
    </AuthPage>
  );
}
