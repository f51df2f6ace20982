import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { EmailForm, ProfileSubPage } from '#app/features/accounts/index.ts';
import { changeEmailSchema, EMAIL_MESSAGES } from '#app/domain/accounts/account-schema.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { askForEmailChange } from '#app/features/accounts/index.server.ts';
import { authoriseRecent } from '#app/platform/access/authorise.server.ts';

export const meta: MetaFunction = () => [{ title: 'Change email – Vialbook' }];

export const loader = forUsers(({ ctx, user }) => {
  authoriseRecent(ctx, 'account.change-email');
  return { current: user.email };
});

export const action = forUsers(({ request, ctx }) =>
  submit(request, changeEmailSchema, async (input) => {
    await askForEmailChange(ctx, input);
    return done('/dashboard/profile', EMAIL_MESSAGES.linkSent);
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function ChangeEmail() {
  const { current } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <ProfileSubPage title="Change email" above="security">
      <EmailForm current={current} lastResult={lastResult} />
    </ProfileSubPage>
  );
}
