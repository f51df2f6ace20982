import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Question } from '#app/components/profile/question.tsx';
import { done } from '#app/http/done.server.ts';
import { forPremiumUsers } from '#app/http/page.server.ts';
import { orderRow } from '#app/http/vendor-views.server.ts';
import { getOrder, stepOrder } from '#app/services/orders.server.ts';

export const meta: MetaFunction = () => [{ title: 'Cancel order – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, user, params }) =>
  orderRow(await getOrder(ctx, params.id ?? ''), user.timeZone),
);

export const action = forPremiumUsers(async ({ ctx, params }) => {
  await stepOrder(ctx, params.id ?? '', 'cancelled');
  throw await done(`/dashboard/vendors/orders/${params.id}`, 'Order cancelled');
});

export default function Asked() {
  const { id, supplier, content, total } = useLoaderData<typeof loader>();
  const path = `/dashboard/vendors/orders/${id}`;
  return (
    <Question
      title="Cancel this order?"
      action={`${path}/cancel`}
      yes="Cancel the order"
      no="Keep it"
      noHref={path}
    >
      <p>{`${supplier}: ${content}, ${total}.`}</p>
      <p>It stays in the list as cancelled. Nothing is sent to the supplier.</p>
    </Question>
  );
}
