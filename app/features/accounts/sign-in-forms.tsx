import type { SubmissionResult } from '@conform-to/react';
import { Form, Link } from '@remix-run/react';
import { useEffect, useState } from 'react';
import { pageAddress } from '#app/platform/http/addresses.ts';
import { useSite } from '#app/ui/site.ts';
import { Checkbox, Field } from '#app/ui/fields.tsx';
import { ErrorSummary, fieldsToFix } from '#app/ui/error-summary.tsx';
import {
  conformField,
  checkboxProps,
  fieldProps,
  SchemaForm,
  useAnsweredForm,
} from '#app/ui/forms/schema-form.tsx';
import { AuthPage } from '#app/ui/shell/public-shell.tsx';
import { CodeField, SubmitButton, NewPasswordFields } from './account-fields.tsx';
import { hasAttempted } from './sign-in-connection.client.ts';
import { ProviderButtons } from './provider-buttons.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { LinkButton } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';

const FOOTER_LINK = 'inline-flex min-h-11 items-center';

const CONNECTING = 'Connecting to server... This may take up to 60 seconds on first load.';

interface LoginFormProps {
  lastResult?: SubmissionResult<string[]> | null;
  /** Path on this site to open after signing in. */
  redirectTo?: string;
  /** The address of whoever last asked this browser to remember it. */
  rememberedEmail?: string;
  forgotHref?: string;
}

/** Sign-in, checked by the server. */
export function LoginForm({ lastResult, redirectTo, rememberedEmail, forgotHref }: LoginFormProps) {
  const [form, fields] = useAnsweredForm('login', ['email', 'password', 'remember'], lastResult);
  const { hasSignUp, hasPasswords } = useSite();
  const [isFirst, setFirst] = useState(false);
  useEffect(() => setFirst(!hasAttempted()), [lastResult]);
  const isRemembered = !lastResult && rememberedEmail !== undefined;
  const footer = (
    <p className="flex flex-wrap justify-between gap-x-6">
      {hasSignUp ? (
        <Link
          to={pageAddress('/register', new URLSearchParams(redirectTo ? { redirectTo } : {}))}
          className={FOOTER_LINK}
        >
          Sign up
        </Link>
      ) : null}
      {forgotHref && hasPasswords ? (
        <Link to={forgotHref} className={FOOTER_LINK}>
          Forgot password?
        </Link>
      ) : null}
    </p>
  );
  return (
    <AuthPage title="Sign in" footer={footer}>
      <SchemaForm form={form}>
        {redirectTo ? <input type="hidden" name="redirectTo" value={redirectTo} /> : null}
        {hasPasswords ? (
          <>
            <Field
              {...fieldProps(fields.email)}
              {...(isRemembered && { defaultValue: rememberedEmail })}
              label="Email"
              type="email"
              autoComplete="username"
            />
            <Field
              {...conformField(fields.password)}
              label="Password"
              type="password"
              autoComplete="current-password"
            />
            <Checkbox
              {...checkboxProps(fields.remember)}
              {...(isRemembered && { defaultChecked: true })}
              label="Remember me"
            />
            <SubmitButton
              label="Sign in"
              pendingLabel="Signing in..."
              {...(isFirst && { slowText: CONNECTING })}
            />
          </>
        ) : null}
        <PasskeyButton use="sign-in" label="Sign in with a passkey" />
      </SchemaForm>
      <ProviderButtons use="sign-in" fields={{ redirectTo }} />
    </AuthPage>
  );
}

interface CodeFormProps {
  lastResult?: SubmissionResult<string[]> | null;
  /** Where to enter the password again. */
  startHref?: string;
  /** The account has a passkey, which can be used instead. */
  hasPasskeys: boolean;
}

/** The second step of a sign-in. */
export function CodeForm({ lastResult, hasPasskeys, startHref = '/login' }: CodeFormProps) {
  const [form, fields] = useAnsweredForm('sign-in-code', ['code'], lastResult);
  const footer = (
    <Link to={startHref} className={FOOTER_LINK}>
      Start again
    </Link>
  );
  return (
    <AuthPage title="Enter your code" footer={footer}>
      <SchemaForm form={form}>
        <CodeField field={fields.code} />
        <SubmitButton label="Sign in" pendingLabel="Signing in..." />
        {hasPasskeys ? <PasskeyButton use="second-step" label="Use a passkey instead" /> : null}
      </SchemaForm>
    </AuthPage>
  );
}

interface AdminLoginFormProps {
  lastResult?: SubmissionResult<string[]> | null;
  redirectTo?: string;
}

/** Admin sign-in. The browser requires both fields. */
export function AdminLoginForm({ lastResult, redirectTo }: AdminLoginFormProps) {
  const errors = lastResult?.error ?? {};
  const email = lastResult?.initialValue?.['email'];
  const footer = (
    <Link to="/" className={FOOTER_LINK}>
      Back to the home page
    </Link>
  );
  return (
    <AuthPage title="Admin sign-in" footer={footer}>
      <Form method="post" className="grid gap-4">
        <ErrorSummary errors={errors[''] ?? undefined} fields={fieldsToFix(errors)} />
        {redirectTo ? <input type="hidden" name="redirectTo" value={redirectTo} /> : null}
        <Field
          name="email"
          label="Email"
          type="email"
          autoComplete="username"
          required
          defaultValue={typeof email === 'string' ? email : undefined}
          error={errors['email']?.[0]}
        />
        <Field
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          error={errors['password']?.[0]}
        />
        <SubmitButton label="Sign in to Admin" pendingLabel="Signing in..." />
        <PasskeyButton use="sign-in" label="Sign in with a passkey" />
      </Form>
      <ProviderButtons use="sign-in" fields={{ redirectTo: redirectTo ?? '/admin/dashboard' }} />
    </AuthPage>
  );
}

interface ForgotPasswordFormProps {
  lastResult?: SubmissionResult<string[]> | null;
  /** The confirmation, the same whether or not the address has an account. */
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
        <Field {...fieldProps(fields.email)} label="Email" type="email" autoComplete="username" />
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
        intro={<p>This signs you out everywhere. Then sign in with the new password.</p>}
      >
        <NewPasswordFields password={password} confirmPassword={confirmPassword} />
        <SubmitButton label="Set password" pendingLabel="Setting password..." />
      </SchemaForm>
    </AuthPage>
  );
}

/** The page for a link that was used, has expired, or was never ours. */
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
