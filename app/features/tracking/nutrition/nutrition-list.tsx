import { Link } from '@remix-run/react';
import { NUTRIENTS, type Nutrient } from '#app/domain/tracking/nutrition-schema.ts';
import { DataTable, type Column } from '#app/ui/data-table.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Figure } from '#app/ui/statistic.tsx';
import { Pagination } from '#app/ui/pagination.tsx';

/** A day as texts; "–" where nothing was noted. */
export interface NutritionDay extends Record<Nutrient, string> {
  id: string;
  date: string;
  notes: string | null;
}

const COLUMNS: readonly Column<NutritionDay>[] = [
  {
    key: 'date',
    label: 'Day',
    cell: ({ date }) => (
      <Link
        to={`/dashboard/tracking/nutrition?date=${date}`}
        className="figure -my-2.5 inline-flex min-h-11 items-center"
      >
        {date}
      </Link>
    ),
  },
  ...NUTRIENTS.map(({ key, label, unit }) => ({
    key,
    label: `${label}, ${unit}`,
    numeric: true,
    cell: (day: NutritionDay) => day[key],
  })),
  { key: 'notes', label: 'Notes', cell: ({ notes }) => notes ?? '' },
  {
    key: 'delete',
    label: 'Delete',
    cell: ({ id, date }) => (
      <Link
        to={`/dashboard/tracking/nutrition/${id}/delete`}
        className="no-print -my-2.5 inline-flex min-h-11 items-center text-danger"
        aria-label={`Delete ${date}`}
      >
        Delete
      </Link>
    ),
  },
];

interface NutritionListProps {
  days: readonly NutritionDay[];
  /** Mean of the last 7 days; "–" where there is none. */
  means: Record<Nutrient, string>;
  total: number;
  position?: string;
  previousHref?: string;
  nextHref?: string;
}

/** The days that were noted, and the mean of the last week. */
export function NutritionList({ days, means, total, ...pages }: NutritionListProps) {
  if (total === 0) {
    return (
      <section aria-labelledby="days-title" className="mt-8">
        <h2 id="days-title">Days</h2>
        <EmptyState title="No days noted">
          Note a few days, and the mean of the week stands here: enough to see whether appetite changes with a
          dose.
        </EmptyState>
      </section>
    );
  }
  return (
    <>
      <h2 className="mt-8">Mean of the last 7 days</h2>
      <dl className="statistics statistics-five mt-3">
        {NUTRIENTS.map(({ key, label, unit }) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>
              <Figure value={means[key]} unit={means[key] === '–' ? undefined : unit} />
            </dd>
          </div>
        ))}
      </dl>
      <h2 className="mt-8">{`Days (${total})`}</h2>
      <DataTable caption="Nutrition by day" columns={COLUMNS} rows={days} rowKey={({ id }) => id} />
      <Pagination label="Nutrition" {...pages} />
    </>
  );
}
