import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Question } from '#app/components/profile/question.tsx';
import { done } from '#app/http/done.server.ts';
import { forPremiumUsers } from '#app/http/page.server.ts';
import { orderRow } from '#app/http/vendor-views.server.ts';
import { deleteOrder, getOrder } from '#app/services/orders.server.ts';

export const meta: MetaFunction = () => [{ title: 'Delete order – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, user, params }) =>
  orderRow(await getOrder(ctx, params.id ?? ''), user.timeZone),
);

export const action = forPremiumUsers(async ({ ctx, params }) => {
  await deleteOrder(ctx, params.id ?? '');
  throw await done('/dashboard/vendors/orders', 'Order deleted');
});

export default function Asked() {
  const { id, supplier, content, total } = useLoaderData<typeof loader>();
  const path = `/dashboard/vendors/orders/${id}`;
  return (
    <Question title="Delete this order?" action={`${path}/delete`} yes="Delete" no="Keep it" noHref={path}>
      <p>{`${supplier}: ${content}, ${total}.`}</p>
      <p>Deleting cannot be undone.</p>
    </Question>
  );
}
