import { Field } from '#app/ui/fields.tsx';
import { conformField, type FormField } from '#app/ui/forms/schema-form.tsx';
import { useNavigation } from '@remix-run/react';
import { Button } from '#app/ui/button.tsx';

interface NewPasswordFieldsProps {
  password: FormField;
  confirmPassword: FormField;
  /** True at registration, where there is no old password. */
  isFirst?: boolean;
}

/** A new password, typed twice. The server never sends either back. */
export function NewPasswordFields({ password, confirmPassword, isFirst = false }: NewPasswordFieldsProps) {
  return (
    <>
      <Field
        {...conformField(password)}
        label={isFirst ? 'Password' : 'New password'}
        type="password"
        autoComplete="new-password"
        hint="At least 6 characters. Longer is safer."
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

/** Field for a second-factor code, at sign-in and before security changes. */
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

interface SubmitButtonProps {
  label: string;
  /** While the form is being sent. */
  pendingLabel: string;
  /** Shown when the answer is slow (the CSS waits 3 s). */
  slowText?: string;
}

/** The full-width button of a page with a single form. */
export function SubmitButton({ label, pendingLabel, slowText }: SubmitButtonProps) {
  const pending = useNavigation().state !== 'idle';
  return (
    <>
      <Button variant="primary" disabled={pending} className="w-full">
        {pending ? pendingLabel : label}
      </Button>
      {pending && slowText ? (
        <p role="status" className="slow-text text-sm text-soft">
          {slowText}
        </p>
      ) : null}
    </>
  );
}
