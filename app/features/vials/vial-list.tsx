import { Link } from '@remix-run/react';
import type { VialFilter, VialSort } from '#app/domain/vials/vial-list-schema.ts';
import { FilterForm, SortSelect, Pagination } from '#app/ui/list-controls.tsx';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Field, Select } from '#app/ui/fields.tsx';
import type { PartTexts, VialRow } from '#app/domain/vials/vial-texts.ts';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Figure } from '#app/ui/figure.tsx';
import { Icon } from '#app/ui/icon.tsx';
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
      {hasFilter ? (
        <FilterForm
          action="/dashboard/vials"
          preventScrollReset
          role="search"
          className="no-print vial-filter"
        >
          <Field
            name="search"
            type="search"
            label="Search by name, lot or notes"
            defaultValue={query.search}
            maxLength={200}
          />
          <Select name="filter" label="Show" options={FILTERS} defaultValue={query.filter} />
          <SortSelect name="sort" label="Sort by" options={SORTS} defaultValue={query.sort} />
          <Button>Search</Button>
        </FilterForm>
      ) : null}
      {rows.length > 0 ? (
        <ul className="sheet mt-4">
          {(query.sort === 'expiry' ? inUseFirst(rows) : rows.map((row) => [row])).map((group) => (
            <VialGroup key={group[0]?.id} rows={group} />
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

/** Vials in use, one by one, before sealed ones; sealed ones of the same content are one group. */
function inUseFirst(rows: readonly VialRow[]): VialRow[][] {
  const groups = new Map<string, VialRow[]>();
  const sealed = rows.filter(({ status }) => status === 'sealed');
  for (const row of sealed) {
    const { name, totalText, remainingText, parts } = row;
    const key = JSON.stringify([name, totalText, remainingText, parts, row.strengthUnit, row.formText]);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...rows.filter((row) => row.status !== 'sealed').map((row) => [row]), ...groups.values()];
}

/** One vial, or several sealed ones that are alike, folded into one line. */
function VialGroup({ rows }: { rows: readonly VialRow[] }) {
  const [first] = rows;
  if (first === undefined) return null;
  if (rows.length === 1) return <VialItem row={first} />;
  return (
    <li className="entry vial-group">
      <details>
        <summary>
          <Icon name="chevron" size={16} />
          <h2>{`${first.name} × ${rows.length} ${first.statusText.toLowerCase()}`}</h2>
          <span className="text-soft">{`${first.totalText} ${first.unit} each`}</span>
        </summary>
        <ul>
          {rows.map((row) => (
            <VialItem key={row.id} row={row} level={3} />
          ))}
        </ul>
      </details>
    </li>
  );
}

function VialItem({ row, level = 2 }: { row: VialRow; level?: 2 | 3 }) {
  const Heading = `h${level}` as const;
  const strengths = amountsOf(row).filter(({ strengthText }) => strengthText !== null);
  return (
    <li className="entry vial-item">
      <div className="vial-name">
        <Heading>
          <Link to={`/dashboard/vials/${row.id}`} className="inline-flex min-h-11 items-center">
            {row.name}
          </Link>
        </Heading>
        <VialBadges row={row} />
      </div>
      <div className="vial-amount">
        {amountsOf(row).map(({ name, remainingText, totalText }) => (
          <p key={name}>
            {name === null ? null : <span className="text-soft">{`${name} `}</span>}
            <Figure value={remainingText} unit={row.unit} className="vial-left" />{' '}
            <span className="unbroken text-soft">{`of ${totalText} ${row.unit}`}</span>
          </p>
        ))}
        <RemainingBar percent={row.percent} />
      </div>
      <dl className="vial-facts vial-line">
        {strengths.map(({ name, strengthText }) => (
          <div key={name}>
            <dt>{name ?? 'Concentration'}</dt>
            <dd>
              <Figure value={strengthText ?? ''} unit={row.strengthUnit} />
            </dd>
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
      drawing="vials"
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
