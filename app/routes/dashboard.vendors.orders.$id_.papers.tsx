import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { OrderDetail } from '#app/components/vendors/order-view.tsx';
import { VendorPage } from '#app/components/vendors/vendor-page.tsx';
import { done } from '#app/http/done.server.ts';
import { submitFile } from '#app/http/file-form.server.ts';
import { forPremiumUsers } from '#app/http/page.server.ts';
import { readOrderPage } from '#app/http/vendor-views.server.ts';
import { addOrderPaper } from '#app/services/order-papers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Order – Vialbook' }];

export const loader = forPremiumUsers(readOrderPage);

export const action = forPremiumUsers(async ({ request, ctx, params }) => {
  const id = params.id ?? '';
  const refused = await submitFile(request, 'paper', (file) => addOrderPaper(ctx, id, file));
  if (refused !== null) return refused;
  throw await done(`/dashboard/vendors/orders/${id}`, 'Paper added');
});

/** The order again, with what was wrong with the paper. */
export default function AddPaper() {
  const { title, order } = useLoaderData<typeof loader>();
  const error = useActionData<typeof action>()?.error;
  return (
    <VendorPage tab="orders" title={title}>
      <OrderDetail order={order} paperError={error} />
    </VendorPage>
  );
}
