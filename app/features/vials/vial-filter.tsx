import { Form } from '@remix-run/react';
import type { VialFilter, VialSort } from '#app/domain/vials/vial-list-schema.ts';
import { Button } from '#app/ui/button.tsx';
import { Field, Select } from '#app/ui/field.tsx';

const FILTERS: readonly { value: VialFilter; label: string }[] = [
  { value: 'active', label: 'In stock' },
  { value: 'open', label: 'Open' },
  { value: 'low', label: 'Low' },
  { value: 'expired', label: 'Past their date' },
  { value: 'final', label: 'Empty and discarded' },
  { value: 'all', label: 'All' },
];

const SORTS: readonly { value: VialSort; label: string }[] = [
  { value: 'expiry', label: 'Date, earliest first' },
  { value: 'name', label: 'Name, A to Z' },
  { value: 'remaining', label: 'Remaining, least first' },
  { value: 'added', label: 'Added, newest first' },
];

export interface VialFilterProps {
  search: string;
  filter: VialFilter;
  sort: VialSort;
}

/** Search, filter and sort as a GET of the list. */
export function VialFilterForm({ search, filter, sort }: VialFilterProps) {
  return (
    <Form
      method="get"
      action="/dashboard/vials"
      preventScrollReset
      role="search"
      className="no-print vial-filter"
    >
      <Field
        key={`search ${search}`}
        name="search"
        type="search"
        label="Search name, lot or notes"
        defaultValue={search}
        maxLength={200}
      />
      <Select key={`filter ${filter}`} name="filter" label="Show" options={FILTERS} defaultValue={filter} />
      <Select key={`sort ${sort}`} name="sort" label="Sort by" options={SORTS} defaultValue={sort} />
      <Button>Search</Button>
    </Form>
  );
}
