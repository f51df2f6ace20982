import { Field } from '#app/ui/fields.tsx';
import { conformField, type FormField } from '#app/ui/forms/schema-form.tsx';

interface NewPasswordFieldsProps {
  password: FormField;
  confirmPassword: FormField;
  /** At registration there is no old password to tell it from. */
  isFirst?: boolean;
}

/** A new password, typed twice. Neither ever comes back from the server. */
export function NewPasswordFields({ password, confirmPassword, isFirst = false }: NewPasswordFieldsProps) {
  return (
    <>
      <Field
        {...conformField(password)}
        label={isFirst ? 'Password' : 'New password'}
        type="password"
        autoComplete="new-password"
        hint="At least 6 characters. 8 or more are better, and a few words are best."
      />
      <Field
        {...conformField(confirmPassword)}
        label={isFirst ? 'Confirm password' : 'Confirm new password'}
        type="password"
        autoComplete="new-password"
      />
    </>
  );
}
