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

/** A table that becomes a list of labelled lines on a phone. */
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
              const cell = { 'data-label': column.label, className, children: column.cell(row) };
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
