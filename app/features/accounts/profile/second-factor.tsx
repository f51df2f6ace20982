import type { SubmissionResult } from '@conform-to/react';
import { Form } from '@remix-run/react';
import { codeSchema } from '#app/domain/accounts/second-factor-schema.ts';
import { conformField } from '#app/ui/forms/conform-field.ts';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { CopyButton } from '#app/ui/copy-button.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Field } from '#app/ui/field.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { QrCode, type QrCodeProps } from '#app/ui/qr-code.tsx';
import { Submit } from '#app/ui/submit.tsx';

const ACTION = '/dashboard/profile/second-factor';

/** What it is, and the button that begins the setup. */
export function SecondFactorOff({ isRequired }: { isRequired: boolean }) {
  return (
    <>
      {isRequired ? (
        <Notice tone="warning" role="status">
          Administrators need two-step sign-in. The administration opens once it is set up.
        </Notice>
      ) : null}
      <p>
        With two-step sign-in a stolen password is not enough: signing in also asks for a code that an
        authenticator app on your phone shows.
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
  /** Base 32, as it is typed into an app that cannot scan. */
  secret: string;
  qr: Omit<QrCodeProps, 'label'>;
  lastResult?: SubmissionResult<string[]> | null;
}

/** Scan, then the first code. */
export function SecondFactorSetup({ secret, qr, lastResult }: SetupProps) {
  const [form, fields] = useSchemaForm('second-factor', codeSchema, { lastResult });
  const spaced = secret.match(/.{1,4}/g)?.join(' ') ?? secret;
  return (
    <>
      <p>Scan this with your authenticator app, or type the key into it. Then enter the code it shows.</p>
      <QrCode {...qr} label="QR code for your authenticator app" />
      <p>
        <span className="block text-sm text-soft">Key</span>
        <code className="figure break-all whitespace-normal">{spaced}</code>
      </p>
      <Form
        method="post"
        action={ACTION}
        id={form.id}
        onSubmit={form.onSubmit}
        noValidate
        className="grid gap-4"
      >
        <input type="hidden" name="intent" value="confirm" />
        <ErrorSummary id={form.errorId} errors={form.errors} />
        <Field
          {...conformField(fields.code)}
          label="Code"
          inputMode="numeric"
          autoComplete="one-time-code"
          hint="Six figures; a new one every 30 seconds."
        />
        <div>
          <Submit label="Switch on" pendingLabel="Checking..." action={ACTION} />
        </div>
      </Form>
    </>
  );
}

/** How it stands, and what can be done about it. */
export function SecondFactorOn({
  since,
  left,
  isRequired,
}: {
  /** As text. */
  since: string;
  /** Recovery codes that were not used. */
  left: number;
  isRequired: boolean;
}) {
  return (
    <>
      <Notice tone="success" role="status">
        {`Two-step sign-in is on since ${since}. ${left} of your recovery codes are left.`}
      </Notice>
      <div className="flex flex-wrap gap-3">
        <LinkButton to={`${ACTION}/codes`}>New recovery codes</LinkButton>
        {isRequired ? null : <LinkButton to={`${ACTION}/off`}>Switch off</LinkButton>}
      </div>
      {isRequired ? <p className="text-soft">Administrators cannot switch it off.</p> : null}
    </>
  );
}

/** The recovery codes, this once. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <>
      <Notice tone="warning" role="status" title="Keep these recovery codes now">
        <p>
          Each signs you in once when your phone is not at hand. They are not shown again: print them, or put
          them where you keep passwords.
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
          I have kept them
        </LinkButton>
      </div>
    </>
  );
}
