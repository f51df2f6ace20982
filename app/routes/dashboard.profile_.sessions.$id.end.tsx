import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { EndSession } from '#app/features/accounts/index.ts';
import { done } from '#app/platform/http/forms.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { getSession, revokeSession } from '#app/features/accounts/index.server.ts';
import { sessionRow } from '#app/features/accounts/profile-pages.server.ts';

export const meta: MetaFunction = () => [{ title: 'End session – Vialbook' }];

export const loader = forUsers(async ({ ctx, user, params, url }) => ({
  session: sessionRow(await getSession(ctx, params.id ?? ''), user.timeZone),
  path: url.pathname,
}));

export const action = forUsers(async ({ ctx, params }) => {
  await revokeSession(ctx, params.id ?? '');
  throw await done('/dashboard/profile/security', 'Session ended');
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function EndSessionPage() {
  const { session, path } = useLoaderData<typeof loader>();
  return <EndSession session={session} action={path} />;
}
