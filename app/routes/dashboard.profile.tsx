import type { MetaFunction } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { MarginSection } from '#app/ui/margin-section.tsx';
import {
  DetailsForm,
  PasskeyList,
  PasswordForm,
  ProfileLinks,
  SessionList,
} from '#app/features/accounts/index.ts';
import { PageTitle } from '#app/ui/page-head.tsx';
import { getPlanTexts } from '#app/features/billing/index.server.ts';
import { profileSchema } from '#app/domain/accounts/profile.ts';
import { timeZoneChoices } from '#app/domain/time/zoned-time.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import {
  getAccount,
  updateProfile,
  listOpenLinks,
  listPasskeys,
  listSessions,
} from '#app/features/accounts/index.server.ts';
import { passkeyRow, sessionRow } from '#app/features/accounts/profile-pages.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';

export const meta: MetaFunction = () => [{ title: 'Profile – Vialbook' }];

export const loader = forUsers(async ({ ctx, user }) => {
  const account = await getAccount(ctx);
  const { email, name, timeZone, doseUnit, units, syringe, deadSpaceMl } = account;
  const sessions = await listSessions(ctx);
  return {
    email,
    profile: { name, timeZone, doseUnit, units, syringe, deadSpaceMl },
    plan: (await getPlanTexts(ctx)).join(' '),
    timeZones: timeZoneChoices(ctx.now()),
    sessions: sessions.map((session) => sessionRow(session, user.timeZone)),
    passkeys: (await listPasskeys(ctx)).map((passkey) => passkeyRow(passkey, user.timeZone)),
    links: await listOpenLinks(ctx),
    asksCode: account.secondFactor,
  };
});

/** Saves name, time zone and units. */
export const action = forUsers(({ request, ctx }) =>
  submit(request, profileSchema, async (input) => {
    await updateProfile(ctx, input);
    return done('/dashboard/profile', 'Profile saved');
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function ProfilePage() {
  const { email, profile, plan, timeZones, sessions, passkeys, links, asksCode } =
    useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <>
      <PageTitle>Profile</PageTitle>
      <MarginSection id="details" title="Details">
        <DetailsForm
          key={JSON.stringify(profile)}
          profile={profile}
          timeZones={timeZones}
          lastResult={lastResult}
        />
      </MarginSection>
      <MarginSection id="plan" title="Plan">
        <p>{plan}</p>
        <p>
          <Link to="/upgrade" className="inline-flex min-h-11 items-center">
            See the plans
          </Link>
        </p>
      </MarginSection>
      <MarginSection id="reminders" title="Reminders">
        <ProfileLinks about="reminders" />
      </MarginSection>
      <MarginSection id="password" title="Password">
        <PasswordForm email={email} links={links} asksCode={asksCode} />
      </MarginSection>
      <MarginSection id="security" title="Security">
        <ProfileLinks about="security" />
      </MarginSection>
      <MarginSection id="passkeys" title="Passkeys">
        <PasskeyList passkeys={passkeys} />
      </MarginSection>
      <MarginSection id="sessions" title="Sessions">
        <SessionList sessions={sessions} />
      </MarginSection>
      <MarginSection id="data" title="Your data">
        <ProfileLinks about="data" />
      </MarginSection>
    </>
  );
}
