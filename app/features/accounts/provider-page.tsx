import type { SubmissionResult } from '@conform-to/react';
import { Link } from '@remix-run/react';
import { SchemaForm, useAnsweredForm } from '#app/ui/forms/schema-form.tsx';
import { LinkButton } from '#app/ui/button.tsx';
import { AuthPage } from '#app/ui/shell/public-shell.tsx';
import { useTimeZone } from '#app/ui/use-time-zone.ts';
import { SubmitButton } from './account-fields.tsx';
import { Hidden, RegistrationTerms } from './register-form.tsx';

/** Shown for a moment while the browser goes to the provider, and longer where it does not go by itself. */
export function LeaveForProvider({ name, address }: { name: string; address: string }) {
  return (
    <AuthPage title={`Continue at ${name}`}>
      <p className="mb-4">{`You are being sent to ${name}.`}</p>
      <a href={address} className="btn btn-primary">
        {`Continue at ${name}`}
      </a>
    </AuthPage>
  );
}

/** Where somebody lands who has nothing under way with the provider. */
export function NothingUnderWay({ name }: { name: string }) {
  return (
    <AuthPage title={`Sign in with ${name}`}>
      <p className="mb-4">This took too long or was done already.</p>
      <LinkButton to="/login" variant="primary">
        Sign in
      </LinkButton>
    </AuthPage>
  );
}

interface ProviderRegistrationProps {
  name: string;
  /** What the account begins with. */
  registration: {
    email: string;
    plan?: 'trial' | undefined;
    ref?: string | undefined;
    invite?: string | undefined;
    redirectTo?: string | undefined;
  };
  lastResult?: SubmissionResult<string[]> | null;
}

/** The last step of an account that is created with a provider. */
export function ProviderRegistration({ name, registration, lastResult }: ProviderRegistrationProps) {
  const timeZone = useTimeZone();
  const [form, fields] = useAnsweredForm(
    'register',
    ['ageVerification', 'agreeToTerms'] as const,
    lastResult,
  );
  const { email, plan, ref, invite, redirectTo } = registration;
  const footer = (
    <Link to="/login" className="inline-flex min-h-11 items-center">
      Have an account? Sign in
    </Link>
  );
  return (
    <AuthPage title={plan === 'trial' ? 'Start free trial' : 'Create an account'} footer={footer}>
      <SchemaForm
        form={form}
        intro={<p className="wrap-anywhere">{`With ${name}, for ${email}. You need no password.`}</p>}
      >
        <Hidden name="use" value="register" />
        <Hidden name="plan" value={plan} />
        <Hidden name="ref" value={ref} />
        <Hidden name="invite" value={invite} />
        <Hidden name="redirectTo" value={redirectTo} />
        <Hidden name="timeZone" value={timeZone} />
        <RegistrationTerms age={fields.ageVerification} terms={fields.agreeToTerms} />
        <SubmitButton label="Create account" pendingLabel="Creating your account..." />
      </SchemaForm>
    </AuthPage>
  );
}
