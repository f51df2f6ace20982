import { data, type MetaFunction } from '@remix-run/node';
import { useActionData } from '@remix-run/react';
import { Confirmation } from '#app/ui/confirmation.tsx';
import { ProfileSubPage, RecoveryCodes } from '#app/features/accounts/index.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { getSecondFactor, renewRecoveryCodes } from '#app/features/accounts/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Recovery codes – Vialbook' }];

export const loader = forUsers(async ({ ctx }) => {
  await getSecondFactor(ctx);
  return null;
});

/** The response itself shows the codes: they are stored only as hashes, so no later page could. */
export const action = forUsers(async ({ ctx }) => data({ codes: await renewRecoveryCodes(ctx) }));

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function NewRecoveryCodes() {
  const answer = useActionData<typeof action>();
  if (answer)
    return (
      <ProfileSubPage title="Recovery codes" above="security">
        <RecoveryCodes codes={answer.codes} />
      </ProfileSubPage>
    );
  return (
    <Confirmation
      title="Create new recovery codes?"
      action="/dashboard/profile/second-factor/codes"
      yes="Create new codes"
      no="Keep the old ones"
      noHref="/dashboard/profile/second-factor"
    >
      <p>Your old codes will stop working, including any you have printed.</p>
    </Confirmation>
  );
}
