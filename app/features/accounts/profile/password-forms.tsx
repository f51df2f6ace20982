import type { SubmissionResult } from '@conform-to/react';
import {
  changePasswordSchema,
  confirmPasswordSchema,
  resetPasswordSchema,
} from '#app/domain/accounts/account-schema.ts';
import { Checkbox, Field } from '#app/ui/fields.tsx';
import { conformField, checkboxProps, SchemaForm } from '#app/ui/forms/schema-form.tsx';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { Submit } from '#app/ui/button.tsx';
import { CodeField, NewPasswordFields } from '#app/features/accounts/account-fields.tsx';
import { ProviderButtons } from '../provider-buttons.tsx';
import { PasskeyButton } from '../passkey-button.tsx';

interface PasswordFormProps {
  lastResult?: SubmissionResult<string[]> | null;
  /** Password managers store the password under it. */
  email: string;
}

function Username({ email }: { email: string }) {
  return <input type="text" name="username" value={email} autoComplete="username" readOnly hidden />;
}

const CHANGE = '/dashboard/profile/password';

/** Changes the password. */
export function PasswordForm({
  lastResult,
  email,
  links,
  asksCode,
}: PasswordFormProps & { links: readonly string[]; asksCode: boolean }) {
  const [form, fields] = useSchemaForm('password-change', changePasswordSchema, { lastResult });
  return (
    <SchemaForm form={form} action={CHANGE}>
      <Username email={email} />
      <Field
        {...conformField(fields.currentPassword)}
        label="Current password"
        type="password"
        autoComplete="current-password"
      />
      {asksCode ? <CodeField field={fields.code} /> : null}
      <NewPasswordFields password={fields.newPassword} confirmPassword={fields.confirmPassword} />
      {links.length === 0 ? null : (
        <fieldset className="grid gap-2">
          <legend className="mb-1 font-semibold">Links and messages that need no sign-in</legend>
          <ul className="list-disc ps-5 text-sm">
            {links.map((link, place) => (
              <li key={`${place} ${link}`}>{link}</li>
            ))}
          </ul>
          <Checkbox {...checkboxProps(fields.endLinks)} label="End these as well" />
        </fieldset>
      )}
      <p className="text-sm text-soft">
        This ends all your other sessions. This session, your passkeys and your API tokens keep working.
        Resetting the password by email ends those too, along with all links, webhooks and other messages.
      </p>
      <div>
        <Submit label="Change password" pendingLabel="Changing password..." action={CHANGE} variant="quiet" />
      </div>
    </SchemaForm>
  );
}

interface ConfirmFormProps extends PasswordFormProps {
  /** The requested path. */
  redirectTo: string;
  /** The account has two-step sign-in. */
  asksCode: boolean;
  /** The account has a passkey, which can be used instead. */
  hasPasskeys: boolean;
  hasPassword: boolean;
  /** Ids of the providers that the account is linked with. */
  providers: readonly string[];
}

/**
 * Asks again who somebody is, by their password and the second factor, a passkey or a provider, before anything that could
 * lock the owner out.
 */
export function ConfirmForm({
  lastResult,
  redirectTo,
  email,
  asksCode,
  hasPassword,
  hasPasskeys,
  providers,
}: ConfirmFormProps) {
  const action = `/dashboard/profile/confirm?redirectTo=${encodeURIComponent(redirectTo)}`;
  const [form, fields] = useSchemaForm('confirm', confirmPasswordSchema, { lastResult });
  const passkey = hasPasskeys ? <PasskeyButton use="confirm" label="Use a passkey instead" /> : null;
  return (
    <>
      <SchemaForm form={form} action={action}>
        {hasPassword ? (
          <>
            <p>
              {asksCode
                ? 'For your security, enter your password and a code again.'
                : 'For your security, enter your password again.'}
            </p>
            <Username email={email} />
            <Field
              {...conformField(fields.password)}
              label="Password"
              type="password"
              autoComplete="current-password"
            />
            {asksCode ? <CodeField field={fields.code} /> : null}
            <div className="flex flex-wrap items-center gap-3">
              <Submit label="Continue" pendingLabel="Checking..." action={action} />
              {passkey}
            </div>
          </>
        ) : (
          <>
            <p>For your security, confirm who you are again.</p>
            {passkey}
          </>
        )}
      </SchemaForm>
      <ProviderButtons use="confirm" fields={{ redirectTo }} only={providers} asksCode={asksCode} />
    </>
  );
}

/** Sets a password for an account that has none. */
export function FirstPasswordForm({ lastResult, email }: PasswordFormProps) {
  const [form, { password, confirmPassword }] = useSchemaForm('first-password', resetPasswordSchema, {
    lastResult,
  });
  return (
    <SchemaForm form={form} action={CHANGE}>
      <p>Your account has no password. With one, you can also sign in here alone.</p>
      <Username email={email} />
      <NewPasswordFields password={password} confirmPassword={confirmPassword} isFirst />
      <div>
        <Submit label="Set password" pendingLabel="Setting password..." action={CHANGE} variant="quiet" />
      </div>
    </SchemaForm>
  );
}
