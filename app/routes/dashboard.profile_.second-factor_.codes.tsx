import { data, type MetaFunction } from '@remix-run/node';
import { useActionData } from '@remix-run/react';
import { ProfileSubPage, Question, RecoveryCodes } from '#app/features/accounts/index.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { getSecondFactor, renewRecoveryCodes } from '#app/features/accounts/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Recovery codes – Vialbook' }];

export const loader = forUsers(async ({ ctx }) => {
  await getSecondFactor(ctx);
  return null;
});

/** Shown in the answer itself, since they are shown once. */
export const action = forUsers(async ({ ctx }) => data({ codes: await renewRecoveryCodes(ctx) }));

export default function NewRecoveryCodes() {
  const answer = useActionData<typeof action>();
  if (answer)
    return (
      <ProfileSubPage title="Recovery codes">
        <RecoveryCodes codes={answer.codes} />
      </ProfileSubPage>
    );
  return (
    <Question
      title="Make new recovery codes?"
      action="/dashboard/profile/second-factor/codes"
      yes="Make new codes"
      no="Keep the old ones"
      noHref="/dashboard/profile/second-factor"
    >
      <p>The old ones no longer work, also those you have printed.</p>
    </Question>
  );
}
