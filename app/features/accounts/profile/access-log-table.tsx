import { DataTable, type Column } from '#app/ui/data-table.tsx';

/** A line of the access log as texts to show. */
export interface AccessLogRow {
  id: string;
  when: string;
  what: string;
  who: string;
  from: string | null;
  reason: string | null;
}

const COLUMNS: readonly Column<AccessLogRow>[] = [
  { key: 'when', label: 'When', cell: ({ when }) => when },
  {
    key: 'what',
    label: 'Action',
    cell: ({ what, reason }) => (
      <span>
        {what}
        {reason ? <span className="block text-sm text-soft">{reason}</span> : null}
      </span>
    ),
  },
  { key: 'who', label: 'Who', cell: ({ who }) => who },
  { key: 'from', label: 'From', cell: ({ from }) => from ?? '–' },
];

export function AccessLogTable({ rows }: { rows: readonly AccessLogRow[] }) {
  return <DataTable caption="Access log" columns={COLUMNS} rows={rows} rowKey={({ id }) => id} />;
}
