import { redirect, type MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ConfirmForm, ProfileSubPage } from '#app/features/accounts/index.ts';
import { confirmFormSchema } from '#app/domain/accounts/sign-in-form-schema.ts';
import { forUsers, type UserPageArgs } from '#app/platform/http/route-handlers.server.ts';
import { safeRedirect } from '#app/platform/http/addresses.ts';
import { readSessionToken, sessionCookie } from '#app/platform/http/session.server.ts';
import { submit } from '#app/platform/http/forms.server.ts';
import {
  confirmPassword,
  confirmWithPasskey,
  getAccount,
  listSignInWays,
} from '#app/features/accounts/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Enter your password – Vialbook' }];

const target = (url: URL) => safeRedirect(url.searchParams.get('redirectTo'), '/dashboard/profile');

/** What can confirm who somebody is. */
async function listWays(ctx: UserPageArgs['ctx']) {
  const { hasPassword, passkeys, identities } = await listSignInWays(ctx);
  return {
    hasPassword,
    hasPasskeys: passkeys.length > 0,
    providers: identities.flatMap(({ provider }) => provider ?? []),
  };
}

export const loader = forUsers(async ({ ctx, url, user }) => ({
  redirectTo: target(url),
  email: user.email,
  asksCode: (await getAccount(ctx)).secondFactor,
  ways: await listWays(ctx),
}));

export const action = forUsers(({ request, ctx, url }) =>
  submit(request, confirmFormSchema, async (input) => {
    const token = (await readSessionToken(request)) ?? '';
    const { token: next, session } =
      input.intent === 'passkey'
        ? await confirmWithPasskey(ctx, input, token)
        : await confirmPassword(ctx, input, token);
    return redirect(target(url), { headers: { 'Set-Cookie': await sessionCookie(next, session) } });
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

/** Pages that need a recent sign-in redirect here when the last one is too old. */
export default function ConfirmPassword() {
  const { redirectTo, email, asksCode, ways } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <ProfileSubPage title="Enter your password">
      <ConfirmForm
        lastResult={lastResult}
        redirectTo={redirectTo}
        email={email}
        asksCode={asksCode}
        {...ways}
      />
    </ProfileSubPage>
  );
}
