import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { OrderDetail, VendorPage } from '#app/features/vendors/index.ts';
import { submitFile, done } from '#app/platform/http/forms.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { readOrderPage } from '#app/features/vendors/pages.server.ts';
import { addOrderPaper } from '#app/features/vendors/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Order – Vialbook' }];

export const loader = forPremiumUsers(readOrderPage);

export const action = forPremiumUsers(async ({ request, ctx, params }) => {
  const id = params.id ?? '';
  const refused = await submitFile(request, 'paper', (file) => addOrderPaper(ctx, id, file));
  if (refused !== null) return refused;
  throw await done(`/dashboard/vendors/orders/${id}`, 'Document added');
});

export { clientAction } from '#app/ui/connection/client-action.ts';

/** The page of the order, with the error of a document that was refused. */
export default function AddPaper() {
  const { title, order } = useLoaderData<typeof loader>();
  const error = useActionData<typeof action>()?.error;
  return (
    <VendorPage tab="orders" title={title}>
      <OrderDetail order={order} paperError={error} />
    </VendorPage>
  );
}
