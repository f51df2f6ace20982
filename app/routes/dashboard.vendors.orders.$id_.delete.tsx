import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Confirmation } from '#app/ui/confirmation.tsx';
import { done } from '#app/platform/http/forms.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { orderRow } from '#app/features/vendors/pages.server.ts';
import { deleteOrder, getOrder } from '#app/features/vendors/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Delete order – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, user, params }) =>
  orderRow(await getOrder(ctx, params.id ?? ''), user.timeZone),
);

export const action = forPremiumUsers(async ({ ctx, params }) => {
  await deleteOrder(ctx, params.id ?? '');
  throw await done('/dashboard/vendors/orders', 'Order deleted');
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function DeleteOrder() {
  const { id, supplier, content, total } = useLoaderData<typeof loader>();
  const path = `/dashboard/vendors/orders/${id}`;
  return (
    <Confirmation title="Delete this order?" action={`${path}/delete`} yes="Delete" noHref={path}>
      <p>{`${supplier}: ${content}, ${total}.`}</p>
      <p>This cannot be undone.</p>
    </Confirmation>
  );
}
