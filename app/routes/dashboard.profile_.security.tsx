import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { PasskeyList, ProfileLinks, ProfileTitle, SessionList } from '#app/features/accounts/index.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { listPasskeys, listSessions } from '#app/features/accounts/index.server.ts';
import { passkeyRow, sessionRow } from '#app/features/accounts/profile-pages.server.ts';

export const meta: MetaFunction = () => [{ title: 'Security – Vialbook' }];

export const loader = forUsers(async ({ ctx, user }) => ({
  sessions: (await listSessions(ctx)).map((session) => sessionRow(session, user.timeZone)),
  passkeys: (await listPasskeys(ctx)).map((passkey) => passkeyRow(passkey, user.timeZone)),
}));

export default function Security() {
  const { sessions, passkeys } = useLoaderData<typeof loader>();
  return (
    <div className="max-w-2xl">
      <ProfileTitle>Security</ProfileTitle>
      <ProfileLinks about="security" />
      <section id="passkeys" aria-labelledby="passkeys-title" className="mt-8">
        <h2 id="passkeys-title">Passkeys</h2>
        <PasskeyList passkeys={passkeys} />
      </section>
      <section id="sessions" aria-labelledby="sessions-title" className="mt-8">
        <h2 id="sessions-title">Sessions</h2>
        <SessionList sessions={sessions} />
      </section>
    </div>
  );
}
