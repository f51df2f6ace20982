import { Link } from '@remix-run/react';
import { DataTable, type Column } from '#app/ui/data-table.tsx';

/** A row of the audit trail as texts. */
export interface AuditTableRow {
  id: string;
  when: string;
  what: string;
  actor: string;
  subject: string;
  /** Null when there is no such account any more. */
  subjectId: string | null;
  changes: string;
  reason: string | null;
  from: string;
}

const COLUMNS: readonly Column<AuditTableRow>[] = [
  { key: 'when', label: 'When', cell: ({ when }) => <span className="figure">{when}</span> },
  {
    key: 'what',
    label: 'What',
    cell: ({ what, changes, reason }) => (
      <span className="min-w-0 break-words">
        {what}
        {changes ? <span className="block text-sm text-soft">{changes}</span> : null}
        {reason ? <span className="block text-sm">{`“${reason}”`}</span> : null}
      </span>
    ),
  },
  {
    key: 'subject',
    label: 'Whom',
    cell: ({ subject, subjectId }) => (
      <span className="min-w-0 break-all">
        {subjectId === null ? subject : <Link to={`/admin/dashboard/users/${subjectId}`}>{subject}</Link>}
      </span>
    ),
  },
  { key: 'actor', label: 'Who', cell: ({ actor }) => <span className="break-all">{actor}</span> },
  { key: 'from', label: 'From', cell: ({ from }) => <span className="figure">{from}</span> },
];

export function AuditTable({ rows, caption }: { rows: readonly AuditTableRow[]; caption: string }) {
  return (
    <div className="admin-table">
      <DataTable caption={caption} columns={COLUMNS} rows={rows} rowKey={({ id }) => id} />
    </div>
  );
}
