import { Link } from '@remix-run/react';
import type { LedgerRow } from '#app/domain/vials/vial-texts.ts';
import { DataTable } from '#app/ui/data-table.tsx';

interface LedgerTableProps {
  rows: readonly LedgerRow[];
  /** Entries that are not in `rows`, and where they are. */
  hidden: number;
  allHref: string;
  foldedCount: number;
}

const COLUMNS = [
  { key: 'when', label: 'When', cell: (row: LedgerRow) => <time dateTime={row.at}>{row.when}</time> },
  { key: 'what', label: 'What', cell: (row: LedgerRow) => row.what },
  {
    key: 'change',
    label: 'Change',
    numeric: true,
    cell: (row: LedgerRow) => <span className="unbroken">{`${row.change} mg`}</span>,
  },
  { key: 'reason', label: 'Reason', cell: (row: LedgerRow) => row.reason ?? '–' },
] as const;

/** Every change of the remaining amount, newest first. */
export function LedgerTable({ rows, hidden, allHref, foldedCount }: LedgerTableProps) {
  return (
    <section aria-labelledby="ledger-title" id="ledger" className="scroll-mt-4">
      <h2 id="ledger-title">Ledger</h2>
      {rows.length === 0 ? (
        <p className="mt-2 text-soft">
          Nothing has been taken out yet. Every dose, correction and loss is written here.
        </p>
      ) : (
        <DataTable
          caption="Changes of the remaining amount"
          columns={COLUMNS}
          rows={rows}
          rowKey={(row) => row.id}
        />
      )}
      {hidden > 0 ? (
        <p className="mt-2">
          <Link to={allHref} className="inline-flex min-h-11 items-center">
            {`Show ${hidden} more`}
          </Link>
        </p>
      ) : null}
      {foldedCount > 0 ? (
        <p className="mt-2 text-soft">{`${foldedCount} older entries are kept as one sum.`}</p>
      ) : null}
    </section>
  );
}
