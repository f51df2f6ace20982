import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { DeleteForm, ProfileSubPage } from '#app/features/accounts/index.ts';
import { deleteAccountSchema } from '#app/domain/accounts/account-schema.ts';
import { shownInstant } from '#app/domain/time/zoned-time.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { scheduleDeletion, findDeletion } from '#app/features/accounts/index.server.ts';
import { authoriseRecent } from '#app/platform/access/authorise.server.ts';

export const meta: MetaFunction = () => [{ title: 'Delete account – Vialbook' }];

export const loader = forUsers(async ({ ctx }) => {
  const deletion = await findDeletion(ctx);
  // Ask for the password before showing the form, not after it is filled in.
  if (deletion === null) authoriseRecent(ctx, 'account.delete');
  return { isPlanned: deletion !== null };
});

export const action = forUsers(({ request, ctx, user }) =>
  submit(request, deleteAccountSchema, async (input) => {
    const at = shownInstant(await scheduleDeletion(ctx, input), user.timeZone);
    return done('/dashboard/profile', `This account will be deleted on ${at}`);
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function DeleteAccount() {
  const { isPlanned } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <ProfileSubPage title="Delete account" above="your-data">
      {isPlanned ? (
        <p>This account is already scheduled for deletion. Until then you can choose to keep it.</p>
      ) : (
        <DeleteForm lastResult={lastResult} />
      )}
    </ProfileSubPage>
  );
}
