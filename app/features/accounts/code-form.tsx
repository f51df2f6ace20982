import type { SubmissionResult } from '@conform-to/react';
import { Form, Link } from '@remix-run/react';
import { codeSchema } from '#app/domain/accounts/second-factor-schema.ts';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Field } from '#app/ui/field.tsx';
import { AuthPage } from '#app/ui/shell/auth-page.tsx';
import { conformField } from '#app/ui/forms/conform-field.ts';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { SubmitButton } from './submit-button.tsx';

interface CodeFormProps {
  lastResult?: SubmissionResult<string[]> | null;
  /** Where the password is asked for. */
  startHref?: string;
}

/** The second step of a sign-in. */
export function CodeForm({ lastResult, startHref = '/login' }: CodeFormProps) {
  const [form, fields] = useSchemaForm('sign-in-code', codeSchema, { lastResult });
  const footer = (
    <Link to={startHref} className="inline-flex min-h-11 items-center">
      Start again
    </Link>
  );
  return (
    <AuthPage title="Enter your code" footer={footer}>
      <Form method="post" id={form.id} onSubmit={form.onSubmit} noValidate className="grid gap-4">
        <ErrorSummary id={form.errorId} errors={form.errors} />
        <Field
          {...conformField(fields.code)}
          label="Code"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          hint="The six figures of your authenticator app, or one of your recovery codes."
        />
        <SubmitButton label="Sign in" pendingLabel="Signing in..." />
      </Form>
    </AuthPage>
  );
}
