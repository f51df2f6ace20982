import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ProfileSubPage, SecondFactorTurnOff } from '#app/features/accounts/index.ts';
import { turnOffSchema } from '#app/domain/accounts/second-factor.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { endSecondFactor, getSecondFactor, listPasskeys } from '#app/features/accounts/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Turn off two-step sign-in – Vialbook' }];

export const loader = forUsers(async ({ ctx }) => {
  await getSecondFactor(ctx);
  return { hasPasskeys: (await listPasskeys(ctx)).length > 0 };
});

export const action = forUsers(({ request, ctx }) =>
  submit(request, turnOffSchema, async (input) => {
    await endSecondFactor(ctx, input);
    return done('/dashboard/profile/security', 'Two-step sign-in is off');
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function TurnOff() {
  const { hasPasskeys } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <ProfileSubPage title="Turn off two-step sign-in?" above="security">
      <SecondFactorTurnOff lastResult={lastResult} hasPasskeys={hasPasskeys} />
    </ProfileSubPage>
  );
}
