import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Confirmation } from '#app/ui/confirmation.tsx';
import { done } from '#app/platform/http/forms.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { deleteProduct, getProduct } from '#app/features/vendors/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Delete product – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, params }) => {
  const { id, supplierId, name, mgPerVial } = await getProduct(ctx, params.id ?? '');
  return { id, supplierId, title: `Delete ${name}, ${mgPerVial} mg?` };
});

export const action = forPremiumUsers(async ({ ctx, params }) => {
  const { id, supplierId } = await getProduct(ctx, params.id ?? '');
  await deleteProduct(ctx, id);
  throw await done(`/dashboard/vendors/suppliers/${supplierId}`, 'Product deleted');
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function DeleteProduct() {
  const { id, supplierId, title } = useLoaderData<typeof loader>();
  return (
    <Confirmation
      title={title}
      action={`/dashboard/vendors/products/${id}/delete`}
      yes="Delete"
      noHref={`/dashboard/vendors/suppliers/${supplierId}`}
    >
      <p>Orders and vials of it are kept.</p>
    </Confirmation>
  );
}
