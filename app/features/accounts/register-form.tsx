import type { SubmissionResult } from '@conform-to/react';
import { Link } from '@remix-run/react';
import { useSite } from '#app/ui/site.ts';
import { pageAddress } from '#app/platform/http/addresses.ts';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Checkbox, Field } from '#app/ui/fields.tsx';
import {
  checkboxProps,
  fieldProps,
  type FormField,
  SchemaForm,
  useAnsweredForm,
} from '#app/ui/forms/schema-form.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { AuthPage } from '#app/ui/shell/public-shell.tsx';
import { useTimeZone } from '#app/ui/use-time-zone.ts';
import { ProviderButtons } from './provider-buttons.tsx';
import { NewPasswordFields, SubmitButton } from './account-fields.tsx';

interface RegisterFormProps {
  lastResult?: SubmissionResult<string[]> | null;
  /** From `?plan=trial`: the trial starts with the account. */
  plan?: 'trial';
  /** From `?ref=CODE`. */
  referral?: string;
  redirectTo?: string;
  /** Of a server that wants one. */
  invitation?: { token: string; email: string } | undefined;
}

/** Says why there is no form. */
export function NoSignUp({ reason }: { reason: string }) {
  const footer = (
    <Link to="/login" className="inline-flex min-h-11 items-center">
      Have an account? Sign in
    </Link>
  );
  return (
    <AuthPage title="Create an account" footer={footer}>
      <p>{reason}</p>
    </AuthPage>
  );
}

export function Hidden({ name, value }: { name: string; value: string | undefined }) {
  return value ? <input type="hidden" name={name} value={value} /> : null;
}

const TERMS_LABEL = (
  <>
    I agree to the <Link to="/terms">Terms of Service</Link> and the <Link to="/privacy">Privacy Policy</Link>
  </>
);

const CONTROLS = ['email', 'password', 'confirmPassword', 'ageVerification', 'agreeToTerms'] as const;

/** What everybody confirms who creates an account. */
export function RegistrationTerms({ age, terms }: { age: FormField; terms: FormField }) {
  return (
    <>
      <Notice tone="warning" role="note" title="Research use only">
        <p>
          Vialbook is a research reference. It gives no medical advice and does not check whether a dose is
          safe.
        </p>
      </Notice>
      <div>
        <Checkbox {...checkboxProps(age)} label="I am 18 or older" />
        <Checkbox {...checkboxProps(terms)} label={TERMS_LABEL} />
      </div>
    </>
  );
}

/** Registration, checked by the server. */
export function RegisterForm({ lastResult, plan, referral, redirectTo, invitation }: RegisterFormProps) {
  const timeZone = useTimeZone();
  const [form, fields] = useAnsweredForm('register', CONTROLS, lastResult);
  const { hasPasswords } = useSite();
  const isTrial = plan === 'trial';
  const trial = isTrial ? (
    <p>14 days of Premium. No card needed. After that you are on the free plan.</p>
  ) : null;
  const footer = (
    <Link
      to={pageAddress('/login', new URLSearchParams(redirectTo ? { redirectTo } : {}))}
      className="inline-flex min-h-11 items-center"
    >
      Have an account? Sign in
    </Link>
  );
  return (
    <AuthPage title={isTrial ? 'Start free trial' : 'Create an account'} footer={footer}>
      {hasPasswords ? (
        <SchemaForm form={form} intro={trial}>
          <Hidden name="plan" value={plan} />
          <Hidden name="invite" value={invitation?.token} />
          <Hidden name="ref" value={referral} />
          <Hidden name="redirectTo" value={redirectTo} />
          <Hidden name="timeZone" value={timeZone} />
          <Field
            {...fieldProps(fields.email)}
            {...(invitation ? { defaultValue: invitation.email, readOnly: true } : {})}
            label="Email"
            type="email"
            autoComplete="username"
          />
          <NewPasswordFields password={fields.password} confirmPassword={fields.confirmPassword} isFirst />
          <RegistrationTerms age={fields.ageVerification} terms={fields.agreeToTerms} />
          <SubmitButton
            label={isTrial ? 'Start free trial' : 'Create account'}
            pendingLabel="Creating your account..."
          />
        </SchemaForm>
      ) : (
        <>
          <ErrorSummary errors={lastResult?.error?.[''] ?? undefined} />
          {trial}
        </>
      )}
      <ProviderButtons
        use="sign-in"
        fields={{ plan, ref: referral, invite: invitation?.token, redirectTo }}
      />
    </AuthPage>
  );
}
