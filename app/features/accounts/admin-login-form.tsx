import type { SubmissionResult } from '@conform-to/react';
import { Form, Link } from '@remix-run/react';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Field } from '#app/ui/field.tsx';
import { AuthPage } from '#app/ui/shell/auth-page.tsx';
import { SubmitButton } from './submit-button.tsx';

interface AdminLoginFormProps {
  lastResult?: SubmissionResult<string[]> | null;
  redirectTo?: string;
}

/** Admin sign-in. The browser itself asks for both fields. */
export function AdminLoginForm({ lastResult, redirectTo }: AdminLoginFormProps) {
  const errors = lastResult?.error ?? {};
  const email = lastResult?.initialValue?.['email'];
  return (
    <AuthPage
      title="Admin sign-in"
      footer={
        <Link to="/" className="inline-flex min-h-11 items-center">
          Back to the home page
        </Link>
      }
    >
      <Form method="post" className="grid gap-4">
        <ErrorSummary errors={errors[''] ?? undefined} />
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
      </Form>
    </AuthPage>
  );
}
