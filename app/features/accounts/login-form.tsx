import type { SubmissionResult } from '@conform-to/react';
import { Form, Link } from '@remix-run/react';
import { signInSchema } from '#app/domain/accounts/account-schema.ts';
import { CONNECTION_MESSAGES } from '#app/domain/accounts/sign-in-messages.ts';
import { Checkbox } from '#app/ui/choice.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Field } from '#app/ui/field.tsx';
import { AuthPage } from '#app/ui/shell/auth-page.tsx';
import { conformField, keptCheckbox, keptField } from '#app/ui/forms/conform-field.ts';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { SubmitButton } from './submit-button.tsx';

interface LoginFormProps {
  lastResult?: SubmissionResult<string[]> | null;
  /** A path of this site to go on to. */
  redirectTo?: string;
  forgotHref?: string;
  registerHref?: string;
}

function Footer({ registerHref, forgotHref }: { registerHref: string; forgotHref?: string }) {
  const link = 'inline-flex min-h-11 items-center';
  return (
    <p className="flex flex-wrap justify-between gap-x-6">
      <Link to={registerHref} className={link}>
        Sign up
      </Link>
      {forgotHref ? (
        <Link to={forgotHref} className={link}>
          Forgot password?
        </Link>
      ) : null}
    </p>
  );
}

/** Sign-in, checked by the same schema here and on the server. */
export function LoginForm({
  lastResult,
  redirectTo,
  forgotHref,
  registerHref = '/register',
}: LoginFormProps) {
  const [form, fields] = useSchemaForm('login', signInSchema, { lastResult });
  return (
    <AuthPage title="Sign in" footer={<Footer registerHref={registerHref} forgotHref={forgotHref} />}>
      <Form method="post" id={form.id} onSubmit={form.onSubmit} noValidate className="grid gap-4">
        <ErrorSummary id={form.errorId} errors={form.errors} />
        {redirectTo ? <input type="hidden" name="redirectTo" value={redirectTo} /> : null}
        <Field {...keptField(fields.email)} label="Email" type="email" autoComplete="username" />
        <Field
          {...conformField(fields.password)}
          label="Password"
          type="password"
          autoComplete="current-password"
        />
        <Checkbox {...keptCheckbox(fields.remember)} label="Remember me" />
        <SubmitButton
          label="Sign in"
          pendingLabel="Signing in..."
          slowText={CONNECTION_MESSAGES.connecting}
        />
      </Form>
    </AuthPage>
  );
}
