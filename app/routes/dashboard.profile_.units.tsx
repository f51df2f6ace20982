import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ProfileSubPage, SyringeList, UnitsForm } from '#app/features/accounts/index.ts';
import { unitsSchema } from '#app/domain/accounts/profile.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { changeProfile, getAccount } from '#app/features/accounts/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Units and syringe – Vialbook' }];

export const loader = forUsers(async ({ ctx }) => {
  const { doseUnit, units, syringe, syringes, deadSpaceMl } = await getAccount(ctx);
  return { profile: { doseUnit, units, syringe, syringes, deadSpaceMl } };
});

export const action = forUsers(({ request, ctx }) =>
  submit(request, unitsSchema, async (input) => {
    await changeProfile(ctx, input);
    return done('/dashboard/profile/units', 'Units and syringe saved');
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function Units() {
  const { profile } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <ProfileSubPage title="Units and syringe">
      <UnitsForm key={JSON.stringify(profile)} profile={profile} lastResult={lastResult} />
      <SyringeList syringes={profile.syringes} />
    </ProfileSubPage>
  );
}
