import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import {
  IdentityList,
  PasskeyList,
  ProfileLinks,
  ProfileTitle,
  SessionList,
} from '#app/features/accounts/index.ts';
import { useSite } from '#app/ui/site.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import {
  listPasskeys,
  listSessions,
  listSignInWays,
  mayUsePassword,
} from '#app/features/accounts/index.server.ts';
import { identityRow, passkeyRow, sessionRow } from '#app/features/accounts/profile-pages.server.ts';

export const meta: MetaFunction = () => [{ title: 'Security – Vialbook' }];

export const loader = forUsers(async ({ ctx, user }) => ({
  hasPasswords: mayUsePassword(ctx, user.role),
  sessions: (await listSessions(ctx)).map((session) => sessionRow(session, user.timeZone)),
  passkeys: (await listPasskeys(ctx)).map((passkey) => passkeyRow(passkey, user.timeZone)),
  identities: (await listSignInWays(ctx)).identities.map((identity) => identityRow(identity, user.timeZone)),
}));

export default function Security() {
  const { hasPasswords, sessions, passkeys, identities } = useLoaderData<typeof loader>();
  const hasProviders = useSite().providers.length > 0;
  return (
    <div className="max-w-2xl">
      <ProfileTitle>Security</ProfileTitle>
      <ProfileLinks about="security" hasPasswords={hasPasswords} />
      <section id="passkeys" aria-labelledby="passkeys-title" className="mt-8">
        <h2 id="passkeys-title">Passkeys</h2>
        <PasskeyList passkeys={passkeys} />
      </section>
      {hasProviders || identities.length > 0 ? (
        <section id="identities" aria-labelledby="identities-title" className="mt-8">
          <h2 id="identities-title">Sign-in with other services</h2>
          <IdentityList identities={identities} />
        </section>
      ) : null}
      <section id="sessions" aria-labelledby="sessions-title" className="mt-8">
        <h2 id="sessions-title">Sessions</h2>
        <SessionList sessions={sessions} />
      </section>
    </div>
  );
}
