import { Link } from '@remix-run/react';
import { FilterForm, SortSelect } from '#app/ui/list-controls.tsx';
import { Button } from '#app/ui/button.tsx';
import { Field, Select } from '#app/ui/fields.tsx';
import { type BadgeTone, Badge } from '#app/ui/badge.tsx';
import { USER_SEARCH_HINT } from '#app/domain/admin/user-search.ts';
import { type UserChange, USER_CHANGES } from '#app/domain/admin/user-changes.ts';
import { useSite } from '#app/ui/site.ts';
import { DataTable, type Column } from '#app/ui/data-table.tsx';

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

/** A row with the actions that the list offers. */
interface ListedUserRow extends UserTableRow {
  changes: readonly UserChange[];
  /** The query of the list, so that linked pages can lead back to it. */
  list: string;
}

export function UserTable({ rows }: { rows: readonly ListedUserRow[] }) {
  const { isSelling } = useSite();
  const columns = COLUMNS.filter(({ key }) => isSelling || key !== 'subscription');
  return (
    <div className="admin-table">
      <DataTable caption="Users" columns={columns} rows={rows} rowKey={({ id }) => id} />
    </div>
  );
}

const SUBSCRIPTIONS = [
  { value: 'all', label: 'All' },
  { value: 'free', label: 'Free' },
  { value: 'premium', label: 'Premium' },
];

const STATUSES = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'trial', label: 'Trial' },
  { value: 'past_due', label: 'Past due' },
  { value: 'canceled', label: 'Canceled' },
  { value: 'suspended', label: 'Suspended' },
];

/** Without those of payments. */
const PLAIN_STATUSES = STATUSES.filter(({ value }) => ['all', 'active', 'suspended'].includes(value));

const ROLES = [
  { value: 'all', label: 'All' },
  { value: 'user', label: 'User' },
  { value: 'admin', label: 'Admin' },
  { value: 'super_admin', label: 'Super Admin' },
];

const SORTS = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'email', label: 'By email' },
  { value: 'last-active', label: 'Last active first' },
];

interface UserFilterProps {
  search: string;
  subscription: string;
  status: string;
  role: string;
  sort: string;
}

/** Search, filters and order of the users, as a GET form. */
export function UserFilterForm({ search, subscription, status, role, sort }: UserFilterProps) {
  const { isSelling } = useSite();
  return (
    <FilterForm action="/admin/dashboard/users" role="search" className="no-print admin-filter">
      <Field
        name="search"
        type="search"
        label="Search by email"
        hint={USER_SEARCH_HINT}
        defaultValue={search}
        maxLength={200}
      />
      {isSelling ? (
        <Select
          name="subscription"
          label="Subscription"
          options={SUBSCRIPTIONS}
          defaultValue={subscription}
        />
      ) : null}
      <Select
        name="status"
        label="Status"
        options={isSelling ? STATUSES : PLAIN_STATUSES}
        defaultValue={status}
      />
      <Select name="role" label="Role" options={ROLES} defaultValue={role} />
      <SortSelect name="sort" label="Sort" options={SORTS} defaultValue={sort} />
      <Button variant="primary">Search</Button>
    </FilterForm>
  );
}

export const ROLE_LABELS = { user: 'User', admin: 'Admin', super_admin: 'Super Admin' } as const;

export const SUBSCRIPTION_LABELS = { free: 'Free', premium: 'Premium' } as const;

const STATUS_LABELS = {
  active: 'Active',
  trial: 'Trial',
  past_due: 'Past due',
  canceled: 'Canceled',
} as const;

const STATUS_TONES: Readonly<Record<keyof typeof STATUS_LABELS, BadgeTone>> = {
  active: 'good',
  trial: 'pen',
  past_due: 'warn',
  canceled: 'soft',
};

const USERS = '/admin/dashboard/users';

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

/** The URL of a user's page or change, with the query that leads back to this list. */
const toUser = ({ id, list }: ListedUserRow, change?: UserChange): string =>
  `${USERS}/${id}${change ? `/${change}` : ''}${list && `?list=${encodeURIComponent(list)}`}`;

const COLUMNS: readonly Column<ListedUserRow>[] = [
  {
    key: 'user',
    label: 'User',
    cell: (row) => (
      <span className="min-w-0 break-all">
        <Link to={toUser(row)}>{row.email}</Link>
        {row.role === 'user' ? null : (
          <span className="block text-sm text-soft">{ROLE_LABELS[row.role]}</span>
        )}
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
  {
    key: 'actions',
    label: 'Actions',
    cell: (row) => {
      const { email, changes } = row;
      return (
        <span className="admin-actions">
          <Link to={toUser(row)} aria-label={`View ${email}`}>
            View
          </Link>
          {changes.map((change) => (
            <Link key={change} to={toUser(row, change)} aria-label={`${USER_CHANGES[change].label} ${email}`}>
              {USER_CHANGES[change].label}
            </Link>
          ))}
        </span>
      );
    },
  },
];
