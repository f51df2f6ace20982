import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { FirstPasswordForm, PasswordForm, ProfileSubPage } from '#app/features/accounts/index.ts';
import { fieldError, isAppError } from '#app/domain/errors.ts';
import { SECOND_FACTOR_MESSAGES } from '#app/domain/accounts/second-factor.ts';
import { changePasswordSchema, resetPasswordSchema } from '#app/domain/accounts/account-schema.ts';
import { deviceCookie } from '#app/platform/http/session.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import {
  changePassword,
  getAccount,
  listOpenLinks,
  listSignInWays,
  requirePasswords,
  setFirstPassword,
} from '#app/features/accounts/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Change password – Vialbook' }];

export const loader = forUsers(async ({ user, ctx }) => {
  requirePasswords(ctx, user.role);
  return {
    email: user.email,
    links: await listOpenLinks(ctx),
    asksCode: (await getAccount(ctx)).secondFactor,
    hasPassword: (await listSignInWays(ctx)).hasPassword,
  };
});

export const action = forUsers(async ({ request, ctx }) => {
  if (!(await listSignInWays(ctx)).hasPassword)
    return submit(request, resetPasswordSchema, async (input) => {
      const { deviceToken } = await setFirstPassword(ctx, input);
      return done('/dashboard/profile/security', 'You have a password now', [
        await deviceCookie(deviceToken),
      ]);
    });
  return submit(request, changePasswordSchema, async (input) => {
    const { deviceToken } = await changePassword(ctx, input).catch((error: unknown) => {
      // A form shows it like any other empty field.
      if (isAppError(error) && error.code === 'SECOND_FACTOR_REQUIRED')
        throw fieldError('code', SECOND_FACTOR_MESSAGES.code);
      throw error;
    });
    return done(
      '/dashboard/profile/security',
      'Password changed. All other sessions have ended; API tokens keep working.',
      [await deviceCookie(deviceToken)],
    );
  });
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function ChangePassword() {
  const { email, links, asksCode, hasPassword } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <ProfileSubPage title="Change password" above="security">
      {hasPassword ? (
        <PasswordForm email={email} links={links} asksCode={asksCode} lastResult={lastResult} />
      ) : (
        <FirstPasswordForm email={email} lastResult={lastResult} />
      )}
    </ProfileSubPage>
  );
}
