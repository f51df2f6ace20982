import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { AddPasskeyForm, ProfileSubPage } from '#app/features/accounts/index.ts';
import { browserName } from '#app/domain/accounts/browser-name.ts';
import { addPasskeySchema } from '#app/domain/accounts/passkey-schema.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { authoriseRecent } from '#app/platform/access/authorise.server.ts';
import { addPasskey } from '#app/features/accounts/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Add a passkey – Vialbook' }];

export const loader = forUsers(({ ctx }) => {
  authoriseRecent(ctx, 'passkey.manage');
  return { name: browserName(ctx.client.userAgent) };
});

export const action = forUsers(({ request, ctx }) =>
  submit(request, addPasskeySchema, async (input) => {
    await addPasskey(ctx, input);
    return done('/dashboard/profile/security', 'Passkey added');
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function NewPasskey() {
  const { name } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <ProfileSubPage title="Add a passkey" above="security">
      <AddPasskeyForm lastResult={lastResult} name={name} />
    </ProfileSubPage>
  );
}
