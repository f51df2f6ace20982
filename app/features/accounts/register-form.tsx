import type { SubmissionResult } from '@conform-to/react';
import { Form, Link } from '@remix-run/react';
import { registerSchema } from '#app/domain/accounts/account-schema.ts';
import { Checkbox } from '#app/ui/choice.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Field } from '#app/ui/field.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { AuthPage } from '#app/ui/shell/auth-page.tsx';
import { conformField, keptCheckbox, keptField } from '#app/ui/forms/conform-field.ts';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { PASSWORD_HINT } from './password-hint.ts';
import { SubmitButton } from './submit-button.tsx';
import { useTimeZone } from '#app/ui/use-time-zone.ts';

interface RegisterFormProps {
  lastResult?: SubmissionResult<string[]> | null;
  /** From `?plan=trial`: the trial begins with the account. */
  plan?: 'trial';
  /** From `?ref=CODE`. */
  referral?: string;
  redirectTo?: string;
}

function Hidden({ name, value }: { name: string; value: string | undefined }) {
  return value ? <input type="hidden" name={name} value={value} /> : null;
}

const terms = (
  <>
    I agree to the <Link to="/terms">Terms of Service</Link> and the <Link to="/privacy">Privacy Policy</Link>
  </>
);

/** Registration, checked by the same schema here and on the server. */
export function RegisterForm({ lastResult, plan, referral, redirectTo }: RegisterFormProps) {
  const timeZone = useTimeZone();
  const [form, fields] = useSchemaForm('register', registerSchema, { lastResult });
  return (
    <AuthPage
      title={plan === 'trial' ? 'Start free trial' : 'Create an account'}
      footer={
        <Link to="/login" className="inline-flex min-h-11 items-center">
          Have an account? Sign in
        </Link>
      }
    >
      <Form method="post" id={form.id} onSubmit={form.onSubmit} noValidate className="grid gap-4">
        {plan === 'trial' ? <p>14 days of Premium. No card needed; afterwards the account is free.</p> : null}
        <ErrorSummary id={form.errorId} errors={form.errors} />
        <Hidden name="plan" value={plan} />
        <Hidden name="ref" value={referral} />
        <Hidden name="redirectTo" value={redirectTo} />
        <Hidden name="timeZone" value={timeZone} />
        <Field {...keptField(fields.email)} label="Email" type="email" autoComplete="username" />
        <Field
          {...conformField(fields.password)}
          label="Password"
          type="password"
          autoComplete="new-password"
          hint={PASSWORD_HINT}
        />
        <Field
          {...conformField(fields.confirmPassword)}
          label="Confirm password"
          type="password"
          autoComplete="new-password"
        />
        <Notice tone="warning" role="note" title="Research use only">
          <p>
            Vialbook is a reference for research. It gives no medical advice and checks no dose for safety.
          </p>
        </Notice>
        <div>
          <Checkbox {...keptCheckbox(fields.ageVerification)} label="I am 18 or older" />
          <Checkbox {...keptCheckbox(fields.agreeToTerms)} label={terms} />
        </div>
        <SubmitButton
          label={plan === 'trial' ? 'Start free trial' : 'Create account'}
          pendingLabel="Creating the account..."
        />
      </Form>
    </AuthPage>
  );
}
