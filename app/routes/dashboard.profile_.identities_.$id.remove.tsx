import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { RemoveIdentity } from '#app/features/accounts/index.ts';
import { done } from '#app/platform/http/forms.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { getIdentity, unlinkIdentity } from '#app/features/accounts/index.server.ts';
import { identityRow } from '#app/features/accounts/profile-pages.server.ts';

export const meta: MetaFunction = () => [{ title: 'Remove a link – Vialbook' }];

export const loader = forUsers(async ({ ctx, user, params, url }) => ({
  identity: identityRow(await getIdentity(ctx, params.id ?? ''), user.timeZone),
  path: url.pathname,
}));

export const action = forUsers(async ({ ctx, params }) => {
  await unlinkIdentity(ctx, params.id ?? '');
  throw await done('/dashboard/profile/security', 'Link removed');
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function RemoveIdentityPage() {
  const { identity, path } = useLoaderData<typeof loader>();
  return <RemoveIdentity identity={identity} action={path} />;
}
