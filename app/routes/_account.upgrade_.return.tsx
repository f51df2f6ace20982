import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { PlanPage, ReturnStatus } from '#app/features/billing/index.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { upgradeView } from '#app/features/billing/pages.server.ts';

export const meta: MetaFunction = () => [{ title: 'After the payment – Vialbook' }];

/** Shows what the payment provider has reported; nothing in the address matters. */
export const loader = forUsers(async ({ ctx }) => {
  const { isPaid, words } = await upgradeView(ctx);
  return { isPaid, words };
});

export default function AfterThePayment() {
  return (
    <PlanPage title="After the payment">
      <ReturnStatus {...useLoaderData<typeof loader>()} />
    </PlanPage>
  );
}
