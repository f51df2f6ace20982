import { Form } from '@remix-run/react';
import type { HistorySort } from '#app/domain/calculator/history.ts';
import { Button } from '#app/ui/button.tsx';
import { Field, Select } from '#app/ui/field.tsx';

const SORTS: readonly { value: HistorySort; label: string }[] = [
  { value: 'date', label: 'Date, newest first' },
  { value: 'name', label: 'Peptide name, A to Z' },
  { value: 'concentration', label: 'Concentration, highest first' },
];

export interface HistoryFilterProps {
  /** The page with the list: search and sort are a GET of it. */
  action: string;
  search: string;
  sort: HistorySort;
  /** What else the address holds, as `history=1`. */
  keep?: Readonly<Record<string, string>>;
}

export function HistoryFilter({ action, search, sort, keep = {} }: HistoryFilterProps) {
  return (
    <Form method="get" action={action} preventScrollReset role="search" className="no-print history-filter">
      {Object.entries(keep).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Field
        key={`search ${search}`}
        name="search"
        type="search"
        label="Search name or notes"
        defaultValue={search}
        maxLength={200}
      />
      <Select key={`sort ${sort}`} name="sort" label="Sort by" options={SORTS} defaultValue={sort} />
      <Button>Search</Button>
    </Form>
  );
}
