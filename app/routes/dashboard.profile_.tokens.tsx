import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { ApiTokenList, ProfileSubPage } from '#app/features/accounts/index.ts';
import { MAX_API_TOKENS } from '#app/domain/accounts/api-token.ts';
import { listApiTokens } from '#app/features/accounts/index.server.ts';
import { apiTokenRow } from '#app/features/accounts/profile-pages.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'API tokens – Vialbook' }];

export const loader = forUsers(async ({ ctx, user }) => ({
  tokens: (await listApiTokens(ctx)).map((token) => apiTokenRow(token, user.timeZone)),
}));

export default function ApiTokens() {
  const { tokens } = useLoaderData<typeof loader>();
  return (
    <ProfileSubPage title="API tokens" above="developer">
      <ApiTokenList tokens={tokens} isFull={tokens.length >= MAX_API_TOKENS} />
    </ProfileSubPage>
  );
}
