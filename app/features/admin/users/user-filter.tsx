import { Form } from '@remix-run/react';
import { Button } from '#app/ui/button.tsx';
import { Field, Select } from '#app/ui/field.tsx';

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

const ROLES = [
  { value: 'all', label: 'All' },
  { value: 'user', label: 'User' },
  { value: 'admin', label: 'Admin' },
  { value: 'super_admin', label: 'Super Admin' },
];

const SORTS = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'email', label: 'By address' },
  { value: 'last-active', label: 'Last active first' },
];

export interface UserFilterProps {
  search: string;
  subscription: string;
  status: string;
  role: string;
  sort: string;
}

/** Search, filters and sort of the users as a GET of the list. */
export function UserFilterForm({ search, subscription, status, role, sort }: UserFilterProps) {
  return (
    <Form method="get" action="/admin/dashboard/users" role="search" className="no-print admin-filter">
      <Field
        key={`search ${search}`}
        name="search"
        type="search"
        label="Search by email"
        defaultValue={search}
        maxLength={200}
      />
      <Select
        key={`s ${subscription}`}
        name="subscription"
        label="Subscription"
        options={SUBSCRIPTIONS}
        defaultValue={subscription}
      />
      <Select key={`t ${status}`} name="status" label="Status" options={STATUSES} defaultValue={status} />
      <Select key={`r ${role}`} name="role" label="Role" options={ROLES} defaultValue={role} />
      <Select key={`o ${sort}`} name="sort" label="Sort" options={SORTS} defaultValue={sort} />
      <Button variant="primary">Search</Button>
    </Form>
  );
}
