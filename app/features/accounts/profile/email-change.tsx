import type { SubmissionResult } from '@conform-to/react';
import { Form } from '@remix-run/react';
import { changeEmailSchema } from '#app/domain/accounts/account-schema.ts';
import { LinkButton, Submit } from '#app/ui/button.tsx';
import { Field } from '#app/ui/fields.tsx';
import { fieldProps, SchemaForm } from '#app/ui/forms/schema-form.tsx';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { AuthPage } from '#app/ui/shell/public-shell.tsx';
import { SubmitButton } from '#app/features/accounts/account-fields.tsx';

const ACTION = '/dashboard/profile/email';

interface EmailFormProps {
  lastResult?: SubmissionResult<string[]> | null;
  /** The address the account has now. */
  current: string;
}

/** The first step of an address change: entering the new address. */
export function EmailForm({ lastResult, current }: EmailFormProps) {
  const [form, fields] = useSchemaForm('email-change', changeEmailSchema, { lastResult });
  return (
    <SchemaForm
      form={form}
      action={ACTION}
      intro={<p className="break-words">{`Your current address is ${current}.`}</p>}
    >
      <Field
        {...fieldProps(fields.email)}
        label="New email"
        type="email"
        autoComplete="email"
        hint="We will send a link there, and a notice to your old address."
      />
      <div>
        <Submit label="Send link" pendingLabel="Sending..." action={ACTION} />
      </div>
    </SchemaForm>
  );
}

/** The page behind a link in a mail. Opening it changes nothing yet, because mail programs open links too. */
export function ConfirmEmail({ isNew }: { isNew: boolean }) {
  const { title, text, label } = isNew
    ? {
        title: 'Confirm your new email address',
        text: 'From now on you will sign in with this address, and our mails will go to it.',
        label: 'Use this address',
      }
    : {
        title: 'Confirm your email address',
        text: 'This shows us that your mail reaches you at this address.',
        label: 'Confirm address',
      };
  return (
    <AuthPage title={title}>
      <Form method="post" className="grid gap-4">
        <p>{text}</p>
        <SubmitButton label={label} pendingLabel="Confirming..." />
      </Form>
    </AuthPage>
  );
}

/** Says what needs a confirmed address, and resends the link. */
export function ConfirmOwnEmail({ email, action }: { email: string; action: string }) {
  return (
    <Form method="post" action={action} className="grid gap-4">
      <p className="break-words">
        {`We mailed a link to ${email}. Open it to confirm that this email address is yours.`}
      </p>
      <p>Until then you cannot refer friends or share reports. Everything else works.</p>
      <div>
        <Submit label="Send the link again" pendingLabel="Sending..." action={action} />
      </div>
    </Form>
  );
}

/** The page for a link that was used or has expired. */
export function EmailLinkOver({ message }: { message: string }) {
  return (
    <AuthPage title="This link no longer works">
      <p className="mb-4">{message}</p>
      <LinkButton to="/dashboard/profile">Open your profile</LinkButton>
    </AuthPage>
  );
}
