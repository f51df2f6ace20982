import { data, type MetaFunction } from '@remix-run/node';
import { useActionData } from '@remix-run/react';
import { ApiTokenForm, ApiTokenSecret, ProfileSubPage } from '#app/features/accounts/index.ts';
import { createApiTokenSchema } from '#app/domain/accounts/api-token.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { submit } from '#app/platform/http/forms.server.ts';
import { createApiToken } from '#app/features/accounts/index.server.ts';
import { authoriseRecent } from '#app/platform/access/authorise.server.ts';

export const meta: MetaFunction = () => [{ title: 'New API token – Vialbook' }];

export const loader = forUsers(({ ctx }) => {
  authoriseRecent(ctx, 'api-token.create');
  return null;
});

/** The response itself shows the token: its secret is not stored, so no later page could. */
export const action = forUsers(({ request, ctx }) =>
  submit(request, createApiTokenSchema, async (input) => {
    const { secret, token } = await createApiToken(ctx, input);
    return data({ created: { name: token.name, secret } });
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function NewApiToken() {
  const answer = useActionData<typeof action>();
  return (
    <ProfileSubPage title="New API token" above="developer">
      {answer && 'created' in answer ? (
        <ApiTokenSecret {...answer.created} />
      ) : (
        <ApiTokenForm lastResult={answer?.lastResult} />
      )}
    </ProfileSubPage>
  );
}
