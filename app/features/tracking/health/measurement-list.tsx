import { Link } from '@remix-run/react';
import { DataTable, type Column } from '#app/ui/data-table.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Pagination } from '#app/ui/list-controls.tsx';

/** A measurement as texts. */
export interface MeasurementItem {
  id: string;
  when: string;
  name: string;
  value: string;
  notes: string | null;
}

const COLUMNS: readonly Column<MeasurementItem>[] = [
  { key: 'when', label: 'Measured', cell: ({ when }) => <span className="figure">{when}</span> },
  { key: 'name', label: 'Measure', cell: ({ name }) => name },
  { key: 'value', label: 'Value', numeric: true, cell: ({ value }) => value },
  {
    key: 'change',
    label: 'Change',
    cell: ({ id, name, when }) => (
      <span className="no-print flex flex-wrap gap-x-4">
        <Link
          to={`/dashboard/tracking/health/${id}`}
          className="-my-2.5 inline-flex min-h-11 items-center"
          aria-label={`Edit ${name}, ${when}`}
        >
          Edit
        </Link>
        <Link
          to={`/dashboard/tracking/health/${id}/delete`}
          className="-my-2.5 inline-flex min-h-11 items-center text-danger"
          aria-label={`Delete ${name}, ${when}`}
        >
          Delete
        </Link>
      </span>
    ),
  },
];

interface MeasurementListProps {
  items: readonly MeasurementItem[];
  total: number;
  position?: string;
  previousHref?: string;
  nextHref?: string;
}

/** All measurements, the latest first. */
export function MeasurementList({ items, total, ...pages }: MeasurementListProps) {
  if (total === 0) {
    return (
      <section aria-labelledby="measurements-title" className="mt-8">
        <h2 id="measurements-title">Measurements</h2>
        <EmptyState title="No measurements yet" sketch="chart">
          Save your first values above, or paste a table. Each measure then gets its own chart.
        </EmptyState>
      </section>
    );
  }
  return (
    <section aria-labelledby="measurements-title" id="measurements" className="mt-8 scroll-mt-4">
      <h2 id="measurements-title" className="text-2xl">{`Measurements (${total})`}</h2>
      <DataTable caption="Measurements" columns={COLUMNS} rows={items} rowKey={({ id }) => id} />
      <Pagination label="Measurements" {...pages} />
    </section>
  );
}
