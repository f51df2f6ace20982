import type { ReactNode } from 'react';

export interface Column<Row> {
  key: string;
  label: string;
  /** Figures, aligned right. */
  numeric?: boolean;
  cell: (row: Row) => ReactNode;
}

interface DataTableProps<Row> {
  caption: string;
  /** The first column names its row. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Keep the table shape on a phone; only for two or three narrow columns. */
  fixed?: boolean;
}

/** Words that are longer than any of a language, such as an address, may break; no others. */
const LONG_WORD = /(\S{25,})/;

/** A text in a cell, so that an endless word in it does not widen the table. */
export function CellText({ text }: { text: string }) {
  return text.split(LONG_WORD).map((part, index) =>
    // The parts never change places, so the index is a stable key.
    index % 2 === 1 ? (
      <span key={index} className="wrap-anywhere">
        {part}
      </span>
    ) : (
      part
    ),
  );
}

/** Left out on a phone. */
const isEmpty = (content: ReactNode): boolean =>
  content === null || content === undefined || content === false || content === '' || content === '–';

/** A table; on a phone each row is its name and a line or two of what it has. */
export function DataTable<Row>({ caption, columns, rows, rowKey, fixed }: DataTableProps<Row>) {
  return (
    <table className={fixed ? 'ledger ledger-fixed' : 'ledger'}>
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.key} scope="col" className={column.numeric ? 'num' : undefined}>
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map((column, index) => {
              const className = column.numeric ? 'num figure' : undefined;
              const content = column.cell(row);
              const cell = {
                'data-label': column.label,
                'data-empty': isEmpty(content) || undefined,
                className,
                children: typeof content === 'string' ? <CellText text={content} /> : content,
              };
              return index === 0 ? (
                <th key={column.key} scope="row" {...cell} />
              ) : (
                <td key={column.key} {...cell} />
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
