import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { PasswordForm, ProfileSubPage } from '#app/features/accounts/index.ts';
import { changePasswordSchema } from '#app/domain/accounts/account-schema.ts';
import { deviceCookie } from '#app/platform/http/session.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { formAgain, submitForm, done } from '#app/platform/http/forms.server.ts';
import { changePassword, listOpenLinks } from '#app/features/accounts/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Change password – Vialbook' }];

export const loader = forUsers(async ({ user, ctx }) => ({
  email: user.email,
  links: await listOpenLinks(ctx),
}));

export const action = forUsers(async ({ request, ctx }) => {
  const submitted = await submitForm(request, changePasswordSchema, (input) => changePassword(ctx, input));
  if (!submitted.ok) return formAgain(submitted);
  throw await done(
    '/dashboard/profile',
    'Password changed. All other sessions have ended; API tokens keep working.',
    [await deviceCookie(submitted.value.deviceToken)],
  );
});

export default function ChangePassword() {
  const { email, links } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <ProfileSubPage title="Change password">
      <PasswordForm email={email} links={links} lastResult={lastResult} />
    </ProfileSubPage>
  );
}
