import { Fragment } from 'react';
import type { MetaFunction } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { DetailsForm, ProfileLinks } from '#app/features/accounts/index.ts';
import { PageTitle } from '#app/ui/page-head.tsx';
import { getPlanTexts } from '#app/features/billing/index.server.ts';
import { detailsSchema } from '#app/domain/accounts/profile.ts';
import { timeZoneChoices } from '#app/domain/time/zoned-time.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { changeProfile, getAccount } from '#app/features/accounts/index.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';

export const meta: MetaFunction = () => [{ title: 'Profile – Vialbook' }];

export const loader = forUsers(async ({ ctx }) => {
  const { email, name, timeZone } = await getAccount(ctx);
  return {
    email,
    profile: { name, timeZone },
    plan: ctx.isSelling ? (await getPlanTexts(ctx)).join(' ') : null,
    timeZones: timeZoneChoices(ctx.now()),
  };
});

/** Saves name and time zone. */
export const action = forUsers(({ request, ctx }) =>
  submit(request, detailsSchema, async (input) => {
    await changeProfile(ctx, { ...input, name: input.name ?? '' });
    return done('/dashboard/profile', 'Profile saved');
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

/** Who one is here, and the list of the pages with settings. */
export default function ProfilePage() {
  const { email, profile, plan, timeZones } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <>
      <PageTitle>Profile</PageTitle>
      <div className="grid max-w-2xl grid-cols-1 gap-6">
        <div>
          <p className="font-semibold wrap-anywhere">
            {/* A long address breaks after its signs, not inside a word. */}
            {(email.match(/[^@.+_-]+[@.+_-]?|[@.+_-]/g) ?? []).map((part, at) => (
              <Fragment key={at}>
                {part}
                <wbr />
              </Fragment>
            ))}
          </p>
          {plan === null ? null : (
            <p className="flex flex-wrap items-center gap-x-3">
              {plan}
              <Link to="/upgrade" className="inline-flex min-h-11 items-center">
                Plan and billing
              </Link>
            </p>
          )}
        </div>
        <ProfileLinks about="profile" />
        <section aria-labelledby="details-heading" className="sheet grid gap-4 p-5">
          <h2 id="details-heading" className="text-xl">
            Details
          </h2>
          <DetailsForm
            key={JSON.stringify(profile)}
            profile={profile}
            timeZones={timeZones}
            lastResult={lastResult}
          />
        </section>
      </div>
    </>
  );
}
