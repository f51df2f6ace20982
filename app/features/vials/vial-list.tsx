import { Link } from '@remix-run/react';
import type { VialFilter, VialSort } from '#app/domain/vials/vial-list-schema.ts';
import { FilterForm, SortSelect, Pagination } from '#app/ui/list-controls.tsx';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Field, Select } from '#app/ui/fields.tsx';
import type { PartTexts, VialRow } from '#app/domain/vials/vial-texts.ts';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Figure } from '#app/ui/figure.tsx';
import { RemainingBar, VialBadges } from './vial-state.tsx';

interface VialListProps {
  rows: readonly VialRow[];
  query: VialFilterProps;
  page: number;
  previousHref: string | null;
  nextHref: string | null;
}

export function VialList({ rows, query, page, previousHref, nextHref }: VialListProps) {
  const { search, filter } = query;
  const hasFilter = rows.length > 0 || search !== '' || filter !== 'active';
  return (
    <>
      {hasFilter ? <VialFilterForm {...query} /> : null}
      {rows.length > 0 ? (
        <ul className="sheet mt-4">
          {rows.map((row) => (
            <VialItem key={row.id} row={row} />
          ))}
        </ul>
      ) : (
        <section aria-labelledby="no-vials">
          <h2 id="no-vials" className="sr-only">
            Your vials
          </h2>
          <Nothing query={query} />
        </section>
      )}
      <Pagination
        label="Vials"
        position={`Page ${page}`}
        previousHref={previousHref ?? undefined}
        nextHref={nextHref ?? undefined}
      />
    </>
  );
}

/** The amounts in a vial; for a blend, one per component with its name. */
function amountsOf(row: VialRow): readonly (Omit<PartTexts, 'name'> & { name: string | null })[] {
  return row.parts.length > 0 ? row.parts : [{ ...row, name: null }];
}

function VialItem({ row }: { row: VialRow }) {
  return (
    <li className="entry vial-item">
      <div className="vial-name">
        <h2>
          <Link to={`/dashboard/vials/${row.id}`} className="inline-flex min-h-11 items-center">
            {row.name}
          </Link>
        </h2>
        <VialBadges row={row} />
      </div>
      <div className="vial-amount">
        {amountsOf(row).map(({ name, remainingText, totalText }) => (
          <p key={name}>
            {name === null ? null : <span className="text-soft">{`${name} `}</span>}
            <Figure value={remainingText} unit="mg" className="vial-left" />{' '}
            <span className="unbroken text-soft">{`of ${totalText} mg`}</span>
          </p>
        ))}
        <RemainingBar percent={row.percent} />
      </div>
      <dl className="vial-facts">
        {amountsOf(row).map(({ name, strengthText }) => (
          <div key={name}>
            <dt>{name === null ? 'Concentration' : `Concentration of ${name}`}</dt>
            <dd>{strengthText ? <Figure value={strengthText} unit="mg/ml" /> : 'Not reconstituted'}</dd>
          </div>
        ))}
        {row.lot ? (
          <div>
            <dt>Lot</dt>
            <dd>
              {row.lotId ? (
                <Link
                  to={`/dashboard/lots/${row.lotId}`}
                  className="inline-flex min-h-11 items-center wrap-anywhere"
                >
                  {row.lot}
                </Link>
              ) : (
                row.lot
              )}
            </dd>
          </div>
        ) : null}
      </dl>
    </li>
  );
}

function Nothing({ query }: { query: VialFilterProps }) {
  const isFirst = query.search === '' && (query.filter === 'active' || query.filter === 'all');
  if (!isFirst) {
    return (
      <EmptyState
        title="No match"
        action={<LinkButton to="/dashboard/vials?filter=all">Show all</LinkButton>}
      >
        No vial matches this search and filter.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No vials yet"
      sketch="rows"
      action={
        <LinkButton variant="primary" to="/dashboard/vials/new">
          Add your first vial
        </LinkButton>
      }
    >
      Add a vial to see what is left in it, how long you can use it and how much to draw for a dose.
    </EmptyState>
  );
}

const FILTERS: readonly { value: VialFilter; label: string }[] = [
  { value: 'active', label: 'In stock' },
  { value: 'open', label: 'Open' },
  { value: 'low', label: 'Low' },
  { value: 'expired', label: 'Expired' },
  { value: 'final', label: 'Empty and discarded' },
  { value: 'all', label: 'All' },
];

const SORTS: readonly { value: VialSort; label: string }[] = [
  { value: 'expiry', label: 'Date, earliest first' },
  { value: 'name', label: 'Name, A to Z' },
  { value: 'remaining', label: 'Remaining, least first' },
  { value: 'added', label: 'Added, newest first' },
];

interface VialFilterProps {
  search: string;
  filter: VialFilter;
  sort: VialSort;
}

function VialFilterForm({ search, filter, sort }: VialFilterProps) {
  return (
    <FilterForm action="/dashboard/vials" preventScrollReset role="search" className="no-print vial-filter">
      <Field
        name="search"
        type="search"
        label="Search name, component, lot or notes"
        defaultValue={search}
        maxLength={200}
      />
      <Select name="filter" label="Show" options={FILTERS} defaultValue={filter} />
      <SortSelect name="sort" label="Sort by" options={SORTS} defaultValue={sort} />
      <Button>Search</Button>
    </FilterForm>
  );
}
