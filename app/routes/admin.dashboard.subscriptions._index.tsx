import type { MetaFunction } from '@remix-run/node';
import { useLoaderData, useRouteError } from '@remix-run/react';
import { AdminDataError } from '#app/components/admin/index.ts';
import { EventTable, SubscriptionPage } from '#app/components/admin/subscriptions/index.ts';
import { Pagination } from '#app/components/ui/index.ts';
import { eventViews, figureViews } from '#app/http/admin-subscriptions.server.ts';
import { pageAddress } from '#app/http/page-address.ts';
import { forAdmins } from '#app/http/page.server.ts';
import { thrownMessage } from '#app/http/thrown-message.ts';
import { listSubscriptionEvents } from '#app/services/billing-desk.server.ts';
import { subscriptionFigures } from '#app/services/subscription-figures.server.ts';

export const meta: MetaFunction = () => [{ title: 'Subscriptions – Vialbook Admin' }];

export const loader = forAdmins(async ({ ctx, user, url }) => {
  const after = url.searchParams.get('after') ?? undefined;
  const [figures, { rows, next }] = await Promise.all([
    subscriptionFigures(ctx),
    listSubscriptionEvents(ctx, after),
  ]);
  const to = (place: string | null) => pageAddress(url.pathname, new URLSearchParams(), { after: place });
  return {
    figures: figureViews(figures),
    events: eventViews(rows, user.timeZone),
    newest: after === undefined ? undefined : to(null),
    older: next === null ? undefined : to(next),
  };
});

export default function AdminSubscriptions() {
  const { figures, events, newest, older } = useLoaderData<typeof loader>();
  return (
    <SubscriptionPage tab="events" figures={figures}>
      <EventTable events={events} />
      <Pagination label="Events" previousHref={newest} nextHref={older} />
    </SubscriptionPage>
  );
}

export function ErrorBoundary() {
  return <AdminDataError message={thrownMessage(useRouteError())} />;
}
