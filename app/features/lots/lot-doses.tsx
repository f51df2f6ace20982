import { Link } from '@remix-run/react';
import { DataTable } from '#app/ui/data-table.tsx';
import { Pagination } from '#app/ui/list-controls.tsx';

/** A dose of a lot as text. */
interface LotDoseRow {
  id: string;
  at: string;
  when: string;
  name: string;
  /** The amount that came from the lot, with its unit. */
  amount: string;
  notes: string | null;
}

interface LotDosesProps {
  rows: readonly LotDoseRow[];
  pages: { position?: string; previousHref?: string; nextHref?: string };
  /** True if the user may open a dose's own page. */
  hasDosePages: boolean;
}

/** The doses that came from a lot, latest first. */
export function LotDoses({ rows, pages, hasDosePages }: LotDosesProps) {
  if (rows.length === 0) return <p>No doses came from this lot.</p>;
  const when = ({ id, at, when: text }: LotDoseRow) =>
    hasDosePages ? (
      <Link to={`/dashboard/schedule/doses/${id}`} className="inline-flex min-h-11 items-center">
        <time dateTime={at}>{text}</time>
      </Link>
    ) : (
      <time dateTime={at}>{text}</time>
    );
  return (
    <>
      <DataTable
        caption="Doses from this lot"
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          { key: 'when', label: 'Taken', cell: when },
          { key: 'name', label: 'Compound', cell: ({ name }) => name },
          { key: 'amount', label: 'From this lot', numeric: true, cell: ({ amount }) => amount },
          { key: 'notes', label: 'Notes', cell: ({ notes }) => notes ?? '–' },
        ]}
      />
      <Pagination label="Doses" {...pages} />
    </>
  );
}
