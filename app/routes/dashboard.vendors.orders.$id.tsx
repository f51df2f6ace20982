import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { OrderDetail, VendorPage } from '#app/features/vendors/index.ts';
import { stepOrderSchema } from '#app/domain/vendors/order-schema.ts';
import { submit, toErrorPage, done } from '#app/platform/http/forms.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { readOrderPage } from '#app/features/vendors/pages.server.ts';
import { stepOrder } from '#app/features/vendors/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Order – Vialbook' }];

export const loader = forPremiumUsers(readOrderPage);

const DONE = { sent: 'Order marked as sent', confirmed: 'Order marked as confirmed' } as const;

/** Marks the order as sent or confirmed. */
export const action = forPremiumUsers(({ request, ctx, params, url }) =>
  submit(
    request,
    stepOrderSchema,
    async ({ to }) => {
      await stepOrder(ctx, params.id ?? '', to);
      return done(url.pathname, DONE[to]);
    },
    { refused: toErrorPage },
  ),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function Order() {
  const { title, order } = useLoaderData<typeof loader>();
  return (
    <VendorPage tab="orders" title={title}>
      <OrderDetail order={order} />
    </VendorPage>
  );
}
