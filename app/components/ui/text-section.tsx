import { DataTable } from './data-table.tsx';

interface TextSectionProps {
  title: string;
  /** A sentence above the table. */
  note?: string | null;
  columns: readonly { label: string; numeric?: boolean }[];
  /** Cells in the columns' order. */
  rows: readonly (readonly string[])[];
  /** Instead of a table without rows. */
  nothing: string;
}

/** A part of a report: a heading over a table of texts. */
export function TextSection({ title, note, columns, rows, nothing }: TextSectionProps) {
  return (
    <section className="mt-8">
      <h2>{title}</h2>
      {note ? <p className="max-w-prose text-soft">{note}</p> : null}
      {rows.length === 0 ? (
        <p className="text-soft">{nothing}</p>
      ) : (
        <DataTable
          caption={title}
          columns={columns.map(({ label, numeric }, index) => ({
            key: label,
            label,
            numeric,
            cell: ({ cells }: { cells: readonly string[] }) => cells[index],
          }))}
          rows={rows.map((cells, index) => ({ key: String(index), cells }))}
          rowKey={({ key }) => key}
        />
      )}
    </section>
  );
}
