import { Link } from '@remix-run/react';
import { USER_CHANGES } from '#app/domain/admin/user-changes.ts';
import { Badge } from '#app/ui/badge.tsx';
import { DataTable, type Column } from '#app/ui/data-table.tsx';
import { ROLE_LABELS, STATUS_TONES, STATUS_LABELS, SUBSCRIPTION_LABELS } from './user-texts.ts';

/** A row of the list of users. */
export interface UserTableRow {
  id: string;
  email: string;
  role: keyof typeof ROLE_LABELS;
  subscription: keyof typeof SUBSCRIPTION_LABELS;
  subscriptionStatus: keyof typeof STATUS_LABELS;
  suspended: boolean;
  lastLogin: string;
}

const USERS = '/admin/dashboard/users';

/** The status in a word, and that the account is suspended in another. */
export function StatusBadges({
  subscriptionStatus,
  suspended,
}: Pick<UserTableRow, 'subscriptionStatus' | 'suspended'>) {
  return (
    <span className="inline-flex flex-wrap gap-1">
      <Badge tone={STATUS_TONES[subscriptionStatus]}>{STATUS_LABELS[subscriptionStatus]}</Badge>
      {suspended ? <Badge tone="danger">Suspended</Badge> : null}
    </span>
  );
}

function Actions({ id, email, subscription, suspended }: UserTableRow) {
  const plan = subscription === 'premium' ? 'downgrade' : 'upgrade';
  const changes = suspended ? (['reinstate'] as const) : ([plan, 'suspend'] as const);
  return (
    <span className="admin-actions">
      <Link to={`${USERS}/${id}`} aria-label={`View ${email}`}>
        View
      </Link>
      {changes.map((change) => (
        <Link
          key={change}
          to={`${USERS}/${id}/${change}`}
          aria-label={`${USER_CHANGES[change].label} ${email}`}
        >
          {USER_CHANGES[change].label}
        </Link>
      ))}
    </span>
  );
}

const COLUMNS: readonly Column<UserTableRow>[] = [
  {
    key: 'user',
    label: 'User',
    cell: ({ id, email, role }) => (
      <span className="min-w-0 break-all">
        <Link to={`${USERS}/${id}`}>{email}</Link>
        {role === 'user' ? null : <span className="block text-sm text-soft">{ROLE_LABELS[role]}</span>}
      </span>
    ),
  },
  {
    key: 'subscription',
    label: 'Subscription',
    cell: ({ subscription }) => SUBSCRIPTION_LABELS[subscription],
  },
  { key: 'status', label: 'Status', cell: (row) => <StatusBadges {...row} /> },
  {
    key: 'lastLogin',
    label: 'Last login',
    cell: ({ lastLogin }) => <span className="figure">{lastLogin}</span>,
  },
  { key: 'actions', label: 'Actions', cell: (row) => <Actions {...row} /> },
];

export function UserTable({ rows }: { rows: readonly UserTableRow[] }) {
  return (
    <div className="admin-table">
      <DataTable caption="Users" columns={COLUMNS} rows={rows} rowKey={({ id }) => id} />
    </div>
  );
}
