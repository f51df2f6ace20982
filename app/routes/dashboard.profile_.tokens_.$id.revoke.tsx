import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { RevokeToken } from '#app/features/accounts/index.ts';
import { getApiToken, revokeApiToken } from '#app/features/accounts/index.server.ts';
import { apiTokenRow } from '#app/features/accounts/profile-pages.server.ts';
import { done } from '#app/platform/http/forms.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Revoke API token – Vialbook' }];

export const loader = forUsers(async ({ ctx, user, params }) => ({
  token: apiTokenRow(await getApiToken(ctx, params.id ?? ''), user.timeZone),
}));

export const action = forUsers(async ({ ctx, params }) => {
  await revokeApiToken(ctx, params.id ?? '');
  throw await done('/dashboard/profile/tokens', 'Token revoked');
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function RevokeApiToken() {
  return <RevokeToken token={useLoaderData<typeof loader>().token} />;
}
