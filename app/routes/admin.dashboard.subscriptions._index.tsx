import type { MetaFunction } from '@remix-run/node';
import { useLoaderData, useRouteError } from '@remix-run/react';
import { AdminDataError } from '#app/components/admin/admin-data-error.tsx';
import { EventFilter, EventTable } from '#app/components/admin/subscriptions/event-table.tsx';
import { SubscriptionPage } from '#app/components/admin/subscriptions/subscription-page.tsx';
import { Pagination } from '#app/components/ui/pagination.tsx';
import { EVENT_TYPES } from '#app/http/event-words.ts';
import { eventViews, figureViews } from '#app/http/admin-subscriptions.server.ts';
import { pageAddress } from '#app/http/page-address.ts';
import { forAdmins } from '#app/http/page.server.ts';
import { thrownMessage } from '#app/http/thrown-message.ts';
import { eventTypeOf, listSubscriptionEvents } from '#app/services/billing-desk.server.ts';
import { subscriptionFigures } from '#app/services/subscription-figures.server.ts';

export const meta: MetaFunction = () => [{ title: 'Subscriptions – Vialbook Admin' }];

export const loader = forAdmins(async ({ ctx, user, url }) => {
  const after = url.searchParams.get('after') ?? undefined;
  const type = eventTypeOf(url.searchParams.get('type'));
  const [figures, { rows, next }] = await Promise.all([
    subscriptionFigures(ctx),
    listSubscriptionEvents(ctx, after, type),
  ]);
  const to = (place: string | null) =>
    pageAddress(url.pathname, new URLSearchParams(type && { type }), { after: place });
  return {
    figures: figureViews(figures),
    type: type ?? '',
    events: eventViews(rows, user.timeZone),
    newest: after === undefined ? undefined : to(null),
    older: next === null ? undefined : to(next),
  };
});

export default function AdminSubscriptions() {
  const { figures, type, events, newest, older } = useLoaderData<typeof loader>();
  return (
    <SubscriptionPage tab="events" figures={figures}>
      <EventFilter types={EVENT_TYPES} type={type} />
      <EventTable events={events} isNarrowed={type !== ''} />
      <Pagination label="Events" previousHref={newest} nextHref={older} />
    </SubscriptionPage>
  );
}

export function ErrorBoundary() {
  return <AdminDataError message={thrownMessage(useRouteError())} />;
}
