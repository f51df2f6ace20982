import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { LinkButton } from '#app/components/ui/button.tsx';
import { Pagination } from '#app/components/ui/pagination.tsx';
import { OrderList } from '#app/components/vendors/order-list.tsx';
import { ReorderList } from '#app/components/vendors/reorder-list.tsx';
import { VendorPage } from '#app/components/vendors/vendor-page.tsx';
import { forPremiumUsers } from '#app/http/page.server.ts';
import { orderRow, reorderRow } from '#app/http/vendor-views.server.ts';
import { listOrders } from '#app/services/orders.server.ts';
import { suggestReorders } from '#app/services/reorder.server.ts';

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
  const add = <LinkButton to={`${PATH}/new`}>Write an order</LinkButton>;
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
