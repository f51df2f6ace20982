import { data, type MetaFunction } from '@remix-run/node';
import { useActionData } from '@remix-run/react';
import { ApiTokenForm, ApiTokenSecret, ProfileSubPage } from '#app/features/accounts/index.ts';
import { createApiTokenSchema } from '#app/domain/accounts/api-token.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { formAgain, submitForm } from '#app/platform/http/forms.server.ts';
import { createApiToken } from '#app/features/accounts/index.server.ts';
import { authoriseRecent } from '#app/platform/access/authorise.server.ts';

export const meta: MetaFunction = () => [{ title: 'New API token – Vialbook' }];

export const loader = forUsers(({ ctx }) => {
  authoriseRecent(ctx, 'api-token.create');
  return null;
});

/** The response itself shows the token: its secret is not stored, so no later page could. */
export const action = forUsers(async ({ request, ctx }) => {
  const submitted = await submitForm(request, createApiTokenSchema, (input) => createApiToken(ctx, input));
  if (!submitted.ok) return formAgain(submitted);
  const { secret, token } = submitted.value;
  return data({ created: { name: token.name, secret } });
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function NewApiToken() {
  const answer = useActionData<typeof action>();
  return (
    <ProfileSubPage title="New API token">
      {answer && 'created' in answer ? (
        <ApiTokenSecret {...answer.created} />
      ) : (
        <ApiTokenForm lastResult={answer?.lastResult} />
      )}
    </ProfileSubPage>
  );
}
