import { Link } from '@remix-run/react';
import { FilterForm, Pagination } from '#app/ui/list-controls.tsx';
import { Badge } from '#app/ui/badge.tsx';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Field, Select } from '#app/ui/fields.tsx';
import { Measured } from '#app/ui/figure.tsx';
import { When } from '#app/features/tracking/tracking-page.tsx';
import { plural } from '#app/domain/text/plural.ts';
import { effectHref, type EffectRow } from './side-effect-row.ts';

const ACTION = '/dashboard/tracking/side-effects';

const STATES = [
  { value: 'all', label: 'All' },
  { value: 'open', label: 'Ongoing' },
  { value: 'resolved', label: 'Resolved' },
];
const SEVERITIES = [
  { value: '', label: 'Any' },
  ...['1', '2', '3', '4', '5'].map((level) => ({ value: level, label: level })),
];

/** The filters of the list. */
export interface EffectFilter {
  search: string;
  severity: string;
  state: string;
}

interface EffectListProps {
  rows: readonly EffectRow[];
  filter: EffectFilter;
  total: number;
  position?: string;
  previousHref?: string;
  nextHref?: string;
}

/** Side effects: search, filter, entries, pages. */
export function EffectList({ rows, filter, total, ...pages }: EffectListProps) {
  const isNarrowed = filter.search !== '' || filter.severity !== '' || filter.state !== 'all';
  if (total === 0 && !isNarrowed) {
    return (
      <section aria-labelledby="effects-title">
        <h2 id="effects-title" className="sr-only">
          Your side effects
        </h2>
        <EmptyState
          title="No side effects logged"
          drawing="notebook"
          action={
            <LinkButton to={`${ACTION}/new`} variant="primary">
              Log a side effect
            </LinkButton>
          }
        >
          Log a side effect to see how long after a dose it began, how long it lasted and how severe it was.
          You can bring the report to your next appointment.
        </EmptyState>
      </section>
    );
  }
  return (
    <section aria-labelledby="effects-title">
      <h2 id="effects-title" className="sr-only">
        Your side effects
      </h2>
      <FilterForm action={ACTION} role="search" className="no-print effect-filter">
        <Field
          name="search"
          type="search"
          label="Search name or notes"
          defaultValue={filter.search}
          maxLength={200}
        />
        <Select name="severity" label="Severity" options={SEVERITIES} defaultValue={filter.severity} />
        <Select name="state" label="Status" options={STATES} defaultValue={filter.state} />
        <Button>Search</Button>
      </FilterForm>
      {rows.length > 0 ? (
        <ol className="sheet mt-4">
          {rows.map((row) => (
            <li key={row.id} className="entry history-item">
              <When at={row.startedAt} shown={row.when} />
              <div className="history-body">
                <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                  <Link to={effectHref(row.id)} className="inline-flex min-h-11 items-center font-semibold">
                    {row.name}
                  </Link>
                  <Badge tone={row.severity >= 4 ? 'danger' : row.severity === 3 ? 'warn' : 'soft'}>
                    {row.severityText}
                  </Badge>
                </p>
                <p className="text-soft">
                  <Measured text={row.lasted ?? 'Ongoing'} />
                  {row.pictures > 0 ? ` · ${plural(row.pictures, 'picture')}` : ''}
                </p>
                {row.notes ? <p className="clamped whitespace-pre-line">{row.notes}</p> : null}
                {row.lasted ? null : (
                  <Link
                    to={effectHref(row.id, 'resolve')}
                    className="btn btn-plain px-0"
                    aria-label={`Mark as resolved: ${row.name}, ${row.when}`}
                  >
                    Mark as resolved
                  </Link>
                )}
              </div>
            </li>
          ))}
        </ol>
      ) : (
        <EmptyState title="No results" action={<LinkButton to={ACTION}>Show all</LinkButton>}>
          No side effects match this search.
        </EmptyState>
      )}
      <Pagination label="Side effects" {...pages} />
    </section>
  );
}
