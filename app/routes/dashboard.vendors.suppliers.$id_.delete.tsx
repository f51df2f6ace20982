import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Confirmation } from '#app/ui/confirmation.tsx';
import { done } from '#app/platform/http/forms.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { deleteSupplier, getSupplier } from '#app/features/vendors/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Delete supplier – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, params }) => {
  const { id, name } = await getSupplier(ctx, params.id ?? '');
  return { id, name };
});

export const action = forPremiumUsers(async ({ ctx, params }) => {
  await deleteSupplier(ctx, params.id ?? '');
  throw await done('/dashboard/vendors', 'Supplier deleted');
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function DeleteSupplier() {
  const { id, name } = useLoaderData<typeof loader>();
  const path = `/dashboard/vendors/suppliers/${id}`;
  return (
    <Confirmation title={`Delete ${name}?`} action={`${path}/delete`} yes="Delete" noHref={path}>
      <p>Its products will be deleted too. Orders and vials are kept.</p>
    </Confirmation>
  );
}
