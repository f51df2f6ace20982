import { Field } from '#app/ui/fields.tsx';
import { conformField, type FormField } from '#app/ui/forms/schema-form.tsx';

/** Takes a code of the second factor, at sign-in and before changes of the account's security. */
export function CodeField({ field }: { field: FormField }) {
  return (
    <Field
      {...conformField(field)}
      label="Code"
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      hint="The 6-digit code from your authenticator app, or one of your recovery codes."
    />
  );
}
