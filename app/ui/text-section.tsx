import { DataTable } from './data-table.tsx';
import { Disclosure } from './disclosure.tsx';

type Cells = readonly string[];

interface TableProps {
  caption: string;
  columns: readonly { label: string; numeric?: boolean }[];
  /** Cells in the columns' order. */
  rows: readonly Cells[];
}

interface TextSectionProps extends Omit<TableProps, 'caption'> {
  title: string;
  /** A sentence above the table. */
  note?: string | null;
  /** Splits a long table into collapsed parts, in the rows' order; empty or absent for a single table. */
  months?: readonly { title: string; about: string; rows: number }[];
  /** Expands the parts, for printing. */
  open?: boolean;
  /** Shown instead of an empty table. */
  nothing: string;
}

/** A longer text in a column of figures holds several, as for a blend, and may wrap; a single figure may not. */
const LONGEST_FIGURE = 24;

const figureCell = (text = '') =>
  text.length > LONGEST_FIGURE ? <span className="wrap-anywhere whitespace-normal">{text}</span> : text;

function TextTable({ caption, columns, rows }: TableProps) {
  return (
    <DataTable
      caption={caption}
      columns={columns.map(({ label, numeric }, index) => ({
        key: label,
        label,
        numeric,
        cell: ({ cells }: { cells: Cells }) => (numeric ? figureCell(cells[index]) : cells[index]),
      }))}
      rows={rows.map((cells, index) => ({ key: String(index), cells }))}
      rowKey={({ key }) => key}
    />
  );
}

function Months({
  title,
  months = [],
  rows,
  columns,
  open,
}: Pick<TextSectionProps, 'title' | 'months' | 'rows' | 'columns' | 'open'>) {
  let at = 0;
  return months.map((month) => {
    const part = rows.slice(at, (at += month.rows));
    if (part.length === 0)
      return (
        <p key={month.title} className="py-1 ps-6 text-soft">
          {`${month.title}: ${month.about}. Not listed.`}
        </p>
      );
    return (
      <Disclosure
        key={month.title}
        summary={
          <span className="py-2">
            {month.title}: <span className="font-normal text-ink">{month.about}</span>
          </span>
        }
        open={open}
      >
        <TextTable caption={`${title}, ${month.title}`} columns={columns} rows={part} />
      </Disclosure>
    );
  });
}

/** A part of a report: a heading over a table of texts. */
export function TextSection(props: TextSectionProps) {
  const { title, note, columns, rows, months = [], nothing } = props;
  return (
    <section className="mt-8">
      <h2>{title}</h2>
      {note ? <p className="max-w-prose text-soft">{note}</p> : null}
      {rows.length === 0 ? <p className="text-soft">{nothing}</p> : null}
      {rows.length > 0 && months.length === 0 ? (
        <TextTable caption={title} columns={columns} rows={rows} />
      ) : null}
      {rows.length > 0 && months.length > 0 ? <Months {...props} /> : null}
    </section>
  );
}
