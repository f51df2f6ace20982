import { redirect, type MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ConfirmForm, ProfileSubPage } from '#app/features/accounts/index.ts';
import { passkeySchema } from '#app/domain/accounts/passkey-schema.ts';
import { confirmPasswordSchema } from '#app/domain/accounts/account-schema.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { safeRedirect } from '#app/platform/http/addresses.ts';
import { readSessionToken, sessionCookie } from '#app/platform/http/session.server.ts';
import { formAgain, formText, readForm, runForm } from '#app/platform/http/forms.server.ts';
import {
  confirmPassword,
  confirmWithPasskey,
  getAccount,
  listPasskeys,
} from '#app/features/accounts/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Enter your password – Vialbook' }];

const target = (url: URL) => safeRedirect(url.searchParams.get('redirectTo'), '/dashboard/profile');

export const loader = forUsers(async ({ ctx, url, user }) => ({
  redirectTo: target(url),
  email: user.email,
  asksCode: (await getAccount(ctx)).secondFactor,
  hasPasskeys: (await listPasskeys(ctx)).length > 0,
}));

export const action = forUsers(async ({ request, ctx, url }) => {
  const token = (await readSessionToken(request)) ?? '';
  const form = await readForm(request);
  const submitted =
    formText(form, 'passkey') === ''
      ? await runForm(form, confirmPasswordSchema, (input) => confirmPassword(ctx, input, token))
      : await runForm(form, passkeySchema, (input) => confirmWithPasskey(ctx, input, token));
  if (!submitted.ok) return formAgain(submitted);
  const { token: next, session } = submitted.value;
  throw redirect(target(url), { headers: { 'Set-Cookie': await sessionCookie(next, session) } });
});

export { clientAction } from '#app/ui/connection/client-action.ts';

/** Pages that need a recent sign-in redirect here when the last one is too old. */
export default function ConfirmPassword() {
  const { redirectTo, email, asksCode, hasPasskeys } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <ProfileSubPage title="Enter your password">
      <ConfirmForm
        lastResult={lastResult}
        redirectTo={redirectTo}
        email={email}
        asksCode={asksCode}
        hasPasskeys={hasPasskeys}
      />
    </ProfileSubPage>
  );
}
