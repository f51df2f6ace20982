import type { MetaFunction } from '@remix-run/node';
import { useLoaderData, useRouteError } from '@remix-run/react';
import { AdminDataError, EventFilter, EventTable, SubscriptionPage } from '#app/features/admin/index.ts';
import { Pagination } from '#app/ui/list-controls.tsx';
import { eventViews, figureViews } from '#app/features/admin/subscriptions/subscription-pages.server.ts';
import { pageAddress } from '#app/platform/http/addresses.ts';
import { forAdmins } from '#app/platform/http/route-handlers.server.ts';
import { thrownMessage } from '#app/ui/errors/error-pages.tsx';
import {
  eventTypeOf,
  listSubscriptionEvents,
  subscriptionFigures,
} from '#app/features/admin/index.server.ts';

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
      <EventFilter type={type} />
      <EventTable events={events} isNarrowed={type !== ''} />
      <Pagination label="Events" previousHref={newest} nextHref={older} />
    </SubscriptionPage>
  );
}

export function ErrorBoundary() {
  return <AdminDataError message={thrownMessage(useRouteError())} />;
}
