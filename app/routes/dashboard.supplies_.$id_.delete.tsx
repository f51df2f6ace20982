import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { deleteSupply, getSupply } from '#app/features/supplies/index.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { done } from '#app/platform/http/forms.server.ts';
import { Confirmation } from '#app/ui/confirmation.tsx';

export const meta: MetaFunction = () => [{ title: 'Delete supply – Vialbook' }];

export const loader = forUsers(async ({ ctx, params }) => {
  const { supply } = await getSupply(ctx, params['id'] ?? '');
  return { id: supply.id, name: supply.name };
});

export const action = forUsers(async ({ ctx, params }) => {
  await deleteSupply(ctx, params['id'] ?? '');
  throw await done('/dashboard/supplies', 'Supply deleted');
});

export { clientAction } from '#app/ui/connection/client-action.ts';

/** Confirms deleting a supply. */
export default function DeleteSupply() {
  const { id, name } = useLoaderData<typeof loader>();
  const path = `/dashboard/supplies/${id}`;
  return (
    <Confirmation title={`Delete ${name}?`} action={`${path}/delete`} yes="Delete" noHref={path}>
      <p>It will no longer be counted. This cannot be undone.</p>
    </Confirmation>
  );
}
