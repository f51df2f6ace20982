import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Confirmation } from '#app/ui/confirmation.tsx';
import { done } from '#app/platform/http/forms.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { orderRow } from '#app/features/vendors/pages.server.ts';
import { getOrder, stepOrder } from '#app/features/vendors/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Cancel order – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, user, params }) =>
  orderRow(await getOrder(ctx, params.id ?? ''), user.timeZone),
);

export const action = forPremiumUsers(async ({ ctx, params }) => {
  await stepOrder(ctx, params.id ?? '', 'cancelled');
  throw await done(`/dashboard/vendors/orders/${params.id}`, 'Order cancelled');
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function CancelOrder() {
  const { id, supplier, content, total } = useLoaderData<typeof loader>();
  const path = `/dashboard/vendors/orders/${id}`;
  return (
    <Confirmation title="Cancel this order?" action={`${path}/cancel`} yes="Cancel the order" noHref={path}>
      <p>{`${supplier}: ${content}, ${total}.`}</p>
      <p>It stays in the list as cancelled. The supplier is not notified.</p>
    </Confirmation>
  );
}
