import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { LinkButton } from '#app/ui/button.tsx';
import { Pagination } from '#app/ui/list-controls.tsx';
import { OrderList, ReorderList, VendorPage } from '#app/features/vendors/index.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { orderRow, reorderRow } from '#app/features/vendors/pages.server.ts';
import { listOrders, suggestReorders } from '#app/features/vendors/index.server.ts';

const PATH = '/dashboard/vendors/orders';

export const meta: MetaFunction = () => [{ title: 'Orders – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, user, url }) => {
  const after = url.searchParams.get('after') ?? undefined;
  const isFirst = after === undefined;
  const [{ orders, next }, suggestions] = await Promise.all([
    listOrders(ctx, after),
    isFirst ? suggestReorders(ctx) : [],
  ]);
  return {
    suggestions: suggestions.map(reorderRow),
    orders: orders.map((order) => orderRow(order, user.timeZone)),
    next,
    isFirst,
  };
});

export default function Orders() {
  const { suggestions, orders, next, isFirst } = useLoaderData<typeof loader>();
  const add = <LinkButton to={`${PATH}/new`}>New order</LinkButton>;
  return (
    <VendorPage tab="orders" title="Orders" actions={orders.length > 0 ? add : null}>
      <ReorderList rows={suggestions} />
      <OrderList orders={orders} />
      <Pagination
        label="Orders"
        previousHref={isFirst ? undefined : PATH}
        nextHref={next === null ? undefined : `${PATH}?after=${next}`}
      />
    </VendorPage>
  );
}
