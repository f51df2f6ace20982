import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { RemovePasskey } from '#app/features/accounts/index.ts';
import { done } from '#app/platform/http/forms.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { getPasskey, removePasskey } from '#app/features/accounts/index.server.ts';
import { passkeyRow } from '#app/features/accounts/profile-pages.server.ts';

export const meta: MetaFunction = () => [{ title: 'Remove a passkey – Vialbook' }];

export const loader = forUsers(async ({ ctx, user, params, url }) => ({
  passkey: passkeyRow(await getPasskey(ctx, params.id ?? ''), user.timeZone),
  path: url.pathname,
}));

export const action = forUsers(async ({ ctx, params }) => {
  await removePasskey(ctx, params.id ?? '');
  throw await done('/dashboard/profile/security', 'Passkey removed');
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function RemovePasskeyPage() {
  const { passkey, path } = useLoaderData<typeof loader>();
  return <RemovePasskey passkey={passkey} action={path} />;
}
