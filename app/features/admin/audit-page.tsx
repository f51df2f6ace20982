import { Link } from '@remix-run/react';
import { actionText, AUDIT_ACTIONS } from '#app/domain/audit/audit-texts.ts';
import { FilterForm } from '#app/ui/list-controls.tsx';
import { Button } from '#app/ui/button.tsx';
import { Field, Select } from '#app/ui/fields.tsx';
import { useSite } from '#app/ui/site.ts';
import { DataTable, type Column } from '#app/ui/data-table.tsx';

const ACTIONS = [
  { value: '', label: 'All' },
  ...AUDIT_ACTIONS.map((value) => ({ value, label: actionText(value) })).sort((a, b) =>
    a.label.localeCompare(b.label),
  ),
];

/** Without what is only done where plans are sold. */
const PLAIN_ACTIONS = ACTIONS.filter(
  ({ value }) => !/^(?:billing-issue\.|user\.(?:up|down)grade$)/.test(value),
);

interface AuditFilterProps {
  actor: string;
  subject: string;
  action: string;
  startDate: string;
  endDate: string;
}

/** Filters of the audit trail, as a GET form. */
export function AuditFilterForm({ actor, subject, action, startDate, endDate }: AuditFilterProps) {
  const { isSelling } = useSite();
  return (
    <FilterForm action="/admin/dashboard/audit" role="search" className="no-print admin-filter">
      <Field name="actor" label="Done by (email, id or cli:name)" defaultValue={actor} maxLength={200} />
      <Field name="subject" label="Account (email or id)" defaultValue={subject} maxLength={200} />
      <Select
        name="action"
        label="Action"
        options={isSelling ? ACTIONS : PLAIN_ACTIONS}
        defaultValue={action}
      />
      <Field name="startDate" type="date" label="From" defaultValue={startDate} />
      <Field name="endDate" type="date" label="To" defaultValue={endDate} />
      <Button variant="primary">Search</Button>
    </FilterForm>
  );
}

/** An entry of the audit trail as shown in the table. */
interface AuditTableRow {
  id: string;
  when: string;
  what: string;
  actor: string;
  subject: string;
  /** Null when the account no longer exists. */
  subjectId: string | null;
  changes: string;
  reason: string | null;
  from: string;
}

const COLUMNS: readonly Column<AuditTableRow>[] = [
  { key: 'when', label: 'When', cell: ({ when }) => <span className="figure">{when}</span> },
  {
    key: 'what',
    label: 'Action',
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
    label: 'Account',
    cell: ({ subject, subjectId }) => (
      <span className="min-w-0 break-all">
        {subjectId === null ? subject : <Link to={`/admin/dashboard/users/${subjectId}`}>{subject}</Link>}
      </span>
    ),
  },
  { key: 'actor', label: 'Done by', cell: ({ actor }) => <span className="break-all">{actor}</span> },
  { key: 'from', label: 'From', cell: ({ from }) => <span className="figure">{from}</span> },
];

export function AuditTable({ rows, caption }: { rows: readonly AuditTableRow[]; caption: string }) {
  return (
    <div className="admin-table">
      <DataTable caption={caption} columns={COLUMNS} rows={rows} rowKey={({ id }) => id} />
    </div>
  );
}
