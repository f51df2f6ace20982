import type { SubmissionResult } from '@conform-to/react';
import { addPasskeySchema } from '#app/domain/accounts/passkey-schema.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Field } from '#app/ui/fields.tsx';
import { fieldProps, SchemaForm } from '#app/ui/forms/schema-form.tsx';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { PasskeyButton } from '../passkey-button.tsx';

const ADD = '/dashboard/profile/passkeys/new';

interface AddPasskeyFormProps {
  lastResult?: SubmissionResult<string[]> | null;
  /** The suggested name, such as the browser's. */
  name: string;
}

/** Names and creates a new passkey. */
export function AddPasskeyForm({ lastResult, name }: AddPasskeyFormProps) {
  const [form, fields] = useSchemaForm('passkey', addPasskeySchema, { lastResult, defaultValue: { name } });
  return (
    <SchemaForm form={form} action={ADD}>
      <ErrorSummary id={fields.passkey.id} errors={fields.passkey.errors} />
      <Field
        {...fieldProps(fields.name)}
        label="Name"
        autoComplete="off"
        hint="To recognise it in your profile, for example the name of the device."
      />
      <div className="flex flex-wrap items-center gap-3">
        <PasskeyButton
          use="add"
          label="Create a passkey"
          otherwise={
            <p>
              To create a passkey you need JavaScript and a browser that supports passkeys. Your password
              keeps working everywhere.
            </p>
          }
        />
        <LinkButton to="/dashboard/profile/security">Cancel</LinkButton>
      </div>
    </SchemaForm>
  );
}
