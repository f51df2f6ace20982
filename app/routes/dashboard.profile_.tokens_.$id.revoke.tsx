import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Question } from '#app/features/accounts/index.ts';
import { apiTokenRow, getApiToken, revokeApiToken } from '#app/features/accounts/index.server.ts';
import { done } from '#app/platform/http/toast.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Revoke API token – Vialbook' }];

const LIST = '/dashboard/profile/tokens';

export const loader = forUsers(async ({ ctx, user, params }) => ({
  token: apiTokenRow(await getApiToken(ctx, params.id ?? ''), user.timeZone),
}));

export const action = forUsers(async ({ ctx, params }) => {
  await revokeApiToken(ctx, params.id ?? '');
  throw await done(LIST, 'Token revoked');
});

export default function RevokeApiToken() {
  const { id, name, may, made, lastUsed } = useLoaderData<typeof loader>().token;
  return (
    <Question
      title="Revoke this token?"
      action={`${LIST}/${id}/revoke`}
      yes="Revoke token"
      no="Keep it"
      noHref={LIST}
    >
      <p className="break-words font-semibold">{name}</p>
      <p className="text-soft">
        {`${may}. Made ${made}, ${lastUsed === null ? 'not used yet' : `last used ${lastUsed}`}.`}
      </p>
      <p className="text-soft">Whatever uses it is refused from its next call on.</p>
    </Question>
  );
}
