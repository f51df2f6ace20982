import type { SubmissionResult } from '@conform-to/react';
import { Form } from '@remix-run/react';
import { codeSchema } from '#app/domain/accounts/second-factor.ts';
import { plural } from '#app/domain/text/plural.ts';
import { conformField, SchemaForm } from '#app/ui/forms/schema-form.tsx';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { Button, LinkButton, Submit, CopyButton } from '#app/ui/button.tsx';
import { Field } from '#app/ui/fields.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { QrCode, type QrCodeProps } from '#app/ui/qr-code.tsx';
import { CodeField } from '#app/features/accounts/account-fields.tsx';
import { PasskeyButton } from '../passkey-button.tsx';

const ACTION = '/dashboard/profile/second-factor';

/** Explains two-step sign-in and starts the setup. */
export function SecondFactorOff({ isRequired }: { isRequired: boolean }) {
  return (
    <>
      {isRequired ? (
        <Notice tone="warning" role="status">
          Administrators need two-step sign-in. The admin area opens once you have set it up.
        </Notice>
      ) : null}
      <p>
        With two-step sign-in a stolen password is not enough: signing in also takes a code from an
        authenticator app on your phone.
      </p>
      <Form method="post" action={ACTION}>
        <Button variant="primary" name="intent" value="begin">
          Set up two-step sign-in
        </Button>
      </Form>
    </>
  );
}

interface SetupProps {
  /** Base 32, to type into an app that cannot scan. */
  secret: string;
  qr: Omit<QrCodeProps, 'label'>;
  lastResult?: SubmissionResult<string[]> | null;
}

/** The setup: scan the secret, then enter the first code. */
export function SecondFactorSetup({ secret, qr, lastResult }: SetupProps) {
  const [form, fields] = useSchemaForm('second-factor', codeSchema, { lastResult });
  const spaced = secret.match(/.{1,4}/g)?.join(' ') ?? secret;
  return (
    <>
      <p>Scan this with your authenticator app, or enter the key there. Then enter the code it shows.</p>
      <QrCode {...qr} label="QR code for your authenticator app" />
      <p>
        <span className="block text-sm text-soft">Key</span>
        <code className="figure break-all whitespace-normal">{spaced}</code>
      </p>
      <SchemaForm form={form} action={ACTION}>
        <input type="hidden" name="intent" value="confirm" />
        <Field
          {...conformField(fields.code)}
          label="Code"
          inputMode="numeric"
          autoComplete="one-time-code"
          hint="6 digits. There is a new code every 30 seconds."
        />
        <div>
          <Submit label="Turn on" pendingLabel="Checking..." action={ACTION} />
        </div>
      </SchemaForm>
    </>
  );
}

/** Two-step sign-in is on: since when, and what can be changed. */
export function SecondFactorOn({
  since,
  left,
  isRequired,
}: {
  /** As text. */
  since: string;
  /** Unused recovery codes. */
  left: number;
  isRequired: boolean;
}) {
  return (
    <>
      <Notice tone="success" role="status">
        {`Two-step sign-in has been on since ${since}. You have ${plural(left, 'recovery code')} left.`}
      </Notice>
      <div className="flex flex-wrap gap-3">
        <LinkButton to={`${ACTION}/codes`}>New recovery codes</LinkButton>
        {isRequired ? null : <LinkButton to={`${ACTION}/off`}>Turn off</LinkButton>}
      </div>
      {isRequired ? <p className="text-soft">Administrators cannot turn it off.</p> : null}
    </>
  );
}

/** Turns two-step sign-in off, with one more code. */
export function SecondFactorTurnOff({
  lastResult,
  hasPasskeys,
}: {
  lastResult?: SubmissionResult<string[]> | null;
  /** The account has a passkey, which can be used instead. */
  hasPasskeys: boolean;
}) {
  const action = `${ACTION}/off`;
  const [form, fields] = useSchemaForm('second-factor-off', codeSchema, { lastResult });
  return (
    <SchemaForm form={form} action={action}>
      <p>You will sign in with your password alone. Your recovery codes will be deleted.</p>
      <CodeField field={fields.code} />
      <div className="flex flex-wrap gap-3">
        <Submit label="Turn off" pendingLabel="Checking..." action={action} variant="danger" />
        {hasPasskeys ? <PasskeyButton use="confirm" label="Use a passkey instead" /> : null}
        <LinkButton to={ACTION}>Keep it on</LinkButton>
      </div>
    </SchemaForm>
  );
}

/** New recovery codes, which are never shown again. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <>
      <Notice tone="warning" role="status" title="Save these recovery codes now">
        <p>
          Each code signs you in once when you do not have your phone. They will not be shown again: print
          them, or keep them with your passwords.
        </p>
      </Notice>
      <ul className="figure grid gap-2 sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="no-print flex flex-wrap gap-3">
        <CopyButton text={codes.join('\n')} label="Copy all" />
        <LinkButton to={ACTION} variant="primary">
          I have saved them
        </LinkButton>
      </div>
    </>
  );
}
