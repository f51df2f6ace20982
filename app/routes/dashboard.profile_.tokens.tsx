import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { ApiTokenList } from '#app/components/profile/api-token-list.tsx';
import { ProfileSubPage } from '#app/components/profile/profile-sub-page.tsx';
import { MAX_API_TOKENS } from '#app/domain/api-tokens/token.ts';
import { apiTokenRow } from '#app/http/api-token-row.server.ts';
import { forUsers } from '#app/http/page.server.ts';
import { listApiTokens } from '#app/services/api-tokens.server.ts';

export const meta: MetaFunction = () => [{ title: 'API tokens – Vialbook' }];

export const loader = forUsers(async ({ ctx, user }) => ({
  tokens: (await listApiTokens(ctx)).map((token) => apiTokenRow(token, user.timeZone)),
}));

export default function ApiTokens() {
  const { tokens } = useLoaderData<typeof loader>();
  return (
    <ProfileSubPage title="API tokens">
      <ApiTokenList tokens={tokens} isFull={tokens.length >= MAX_API_TOKENS} />
    </ProfileSubPage>
  );
}
