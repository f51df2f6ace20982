import { Form, Link } from '@remix-run/react';
import { Badge, type BadgeTone } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { DataTable } from '#app/ui/data-table.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Select } from '#app/ui/field.tsx';
import type { Option } from '#app/ui/options.tsx';

/** A subscription event as the page shows it. */
export interface EventRow {
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

/** Whose something is: a link to the account while there is one. */
export function Whose({ user, userHref }: { user: string; userHref: string | null }) {
  return userHref === null ? (
    <span className="text-soft">{user}</span>
  ) : (
    <Link to={userHref} className="wrap-anywhere">
      {user}
    </Link>
  );
}

/** Narrows the list to one type of events, as a GET of the list. */
export function EventFilter({ types, type }: { types: readonly Option[]; type: string }) {
  return (
    <Form
      method="get"
      action="/admin/dashboard/subscriptions"
      role="search"
      className="no-print admin-filter"
    >
      <Select key={type} name="type" label="Event" options={types} defaultValue={type} />
      <Button>Show</Button>
    </Form>
  );
}

/** What the payment provider told, the newest first. */
export function EventTable({ events, isNarrowed }: { events: readonly EventRow[]; isNarrowed: boolean }) {
  if (events.length === 0 && isNarrowed)
    return (
      <EmptyState title="No such events" level={2}>
        Nothing of this type has happened yet.
      </EmptyState>
    );
  if (events.length === 0)
    return (
      <EmptyState title="No events yet" level={2}>
        Each subscription, payment, refund and dispute that the payment provider tells of stands here, once.
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
