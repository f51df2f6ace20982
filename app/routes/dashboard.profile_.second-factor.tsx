import { data, redirect, type MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import {
  ProfileSubPage,
  RecoveryCodes,
  SecondFactorOff,
  SecondFactorOn,
  SecondFactorSetup,
} from '#app/features/accounts/index.ts';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { setupFormSchema } from '#app/domain/accounts/second-factor.ts';
import { shownInstant } from '#app/domain/time/zoned-time.ts';
import { submit } from '#app/platform/http/forms.server.ts';
import { forUsers, SECOND_FACTOR_PATH } from '#app/platform/http/route-handlers.server.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  getSecondFactor,
} from '#app/features/accounts/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Two-step sign-in – Vialbook' }];

export const loader = forUsers(async ({ ctx, user }) => {
  const { onSince, recoveryCodesLeft, isRequired, setup } = await getSecondFactor(ctx);
  return {
    since: onSince && shownInstant(onSince, user.timeZone),
    left: recoveryCodesLeft,
    isRequired,
    setup: setup && { secret: setup.secret, qr: setup.qr },
  };
});

/** Starts the setup, or completes it with the first code and shows the recovery codes. */
export const action = forUsers(({ request, ctx }) =>
  submit(request, setupFormSchema, async (input) => {
    if (input.intent !== 'begin') return data({ codes: await confirmSecondFactor(ctx, input) });
    await beginSecondFactor(ctx);
    return redirect(SECOND_FACTOR_PATH);
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

/** Shown for a code without a setup, which has expired or was never started. */
const NOT_BEGUN = 'The setup has expired or was never started. Nothing was changed.';

export default function SecondFactor() {
  const { since, left, isRequired, setup } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const codes = answer && 'codes' in answer ? answer.codes : null;
  const lastResult = answer && 'lastResult' in answer ? answer.lastResult : null;
  return (
    <ProfileSubPage title="Two-step sign-in" above="security">
      {lastResult && !setup ? <ErrorSummary errors={[NOT_BEGUN]} /> : null}
      {codes ? (
        <RecoveryCodes codes={codes} />
      ) : setup ? (
        <SecondFactorSetup {...setup} lastResult={lastResult} />
      ) : since ? (
        <SecondFactorOn since={since} left={left} isRequired={isRequired} />
      ) : (
        <SecondFactorOff isRequired={isRequired} />
      )}
    </ProfileSubPage>
  );
}
