import { Link } from '@remix-run/react';
import { billingLabel, SUBSCRIPTION_EVENT_TYPES } from '#app/domain/billing/subscription-events.ts';
import type { ReactNode } from 'react';
import { FilterForm } from '#app/ui/list-controls.tsx';
import { Badge, type BadgeTone } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { DataTable } from '#app/ui/data-table.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Select } from '#app/ui/fields.tsx';
import { PageTitle, Tabs, type Tab } from '#app/ui/page-head.tsx';
import { OverviewFigures, type OverviewFigure } from '#app/features/admin/overview-page.tsx';

type SubscriptionTab = 'events' | 'issues' | 'analytics';

const BASE = '/admin/dashboard/subscriptions';

const TABS: readonly Tab<SubscriptionTab>[] = [
  { tab: 'events', to: BASE, label: 'Recent Events' },
  { tab: 'issues', to: `${BASE}/issues`, label: 'Billing Issues' },
  { tab: 'analytics', to: `${BASE}/analytics`, label: 'Analytics' },
];

interface SubscriptionPageProps {
  tab: SubscriptionTab;
  figures: readonly OverviewFigure[];
  children: ReactNode;
}

/** A page about subscriptions: figures, tabs and the current tab's content. */
export function SubscriptionPage({ tab, figures, children }: SubscriptionPageProps) {
  return (
    <>
      <PageTitle>Subscriptions</PageTitle>
      <OverviewFigures figures={figures} />
      <Tabs label="Subscriptions" tabs={TABS} current={tab} />
      <div className="grid gap-6">{children}</div>
    </>
  );
}

/** A subscription event as the page shows it. */
interface EventRow {
  id: string;
  user: string;
  userHref: string | null;
  type: string;
  amount: string;
  status: 'success' | 'failed' | 'pending';
  at: string;
  details: string;
}

const TONE: Readonly<Record<EventRow['status'], BadgeTone>> = {
  success: 'good',
  failed: 'danger',
  pending: 'warn',
};

/** The owner's email, as a link while the account exists. */
export function Whose({ user, userHref }: { user: string; userHref: string | null }) {
  return userHref === null ? (
    <span className="text-soft">{user}</span>
  ) : (
    <Link to={userHref} className="wrap-anywhere">
      {user}
    </Link>
  );
}

const EVENT_TYPES = [
  { value: '', label: 'All' },
  ...SUBSCRIPTION_EVENT_TYPES.map((value) => ({ value, label: billingLabel(value) })).sort((a, b) =>
    a.label.localeCompare(b.label),
  ),
];

/** Filters the list by type of event, as a GET form. */
export function EventFilter({ type }: { type: string }) {
  return (
    <FilterForm action="/admin/dashboard/subscriptions" role="search" className="no-print admin-filter">
      <Select name="type" label="Event" options={EVENT_TYPES} defaultValue={type} />
      <Button>Show</Button>
    </FilterForm>
  );
}

/** The payment provider's events, newest first. */
export function EventTable({ events, isNarrowed }: { events: readonly EventRow[]; isNarrowed: boolean }) {
  if (events.length === 0 && isNarrowed)
    return (
      <EmptyState title="No such events" level={2}>
        There are no events of this type yet.
      </EmptyState>
    );
  if (events.length === 0)
    return (
      <EmptyState title="No events yet" level={2}>
        Every subscription, payment, refund and dispute that the payment provider reports is listed here.
      </EmptyState>
    );
  return (
    <DataTable
      caption="Recent events"
      rows={events}
      rowKey={({ id }) => id}
      columns={[
        { key: 'type', label: 'Event', cell: ({ type }) => type },
        { key: 'user', label: 'User', cell: (event) => <Whose {...event} /> },
        { key: 'amount', label: 'Amount', numeric: true, cell: ({ amount }) => amount },
        { key: 'status', label: 'Status', cell: ({ status }) => <Badge tone={TONE[status]}>{status}</Badge> },
        { key: 'at', label: 'Time', cell: ({ at }) => at },
        {
          key: 'details',
          label: 'Details',
          cell: ({ details }) => <span className="wrap-anywhere">{details}</span>,
        },
      ]}
    />
  );
}
