import { Form } from '@remix-run/react';
import { actionText, AUDIT_ACTIONS } from '#app/domain/audit/audit-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Field, Select } from '#app/ui/field.tsx';

const ACTIONS = [
  { value: '', label: 'All' },
  ...AUDIT_ACTIONS.map((value) => ({ value, label: actionText(value) })).sort((a, b) =>
    a.label.localeCompare(b.label),
  ),
];

export interface AuditFilterProps {
  actor: string;
  subject: string;
  action: string;
  startDate: string;
  endDate: string;
}

/** Who, what, whom and when of the audit trail, as a GET of the list. */
export function AuditFilterForm({ actor, subject, action, startDate, endDate }: AuditFilterProps) {
  return (
    <Form method="get" action="/admin/dashboard/audit" role="search" className="no-print admin-filter">
      <Field
        key={`a ${actor}`}
        name="actor"
        label="Who (email, id or cli:name)"
        defaultValue={actor}
        maxLength={200}
      />
      <Field
        key={`s ${subject}`}
        name="subject"
        label="Whom (email or id)"
        defaultValue={subject}
        maxLength={200}
      />
      <Select key={`w ${action}`} name="action" label="What" options={ACTIONS} defaultValue={action} />
      <Field key={`f ${startDate}`} name="startDate" type="date" label="From" defaultValue={startDate} />
      <Field key={`t ${endDate}`} name="endDate" type="date" label="To" defaultValue={endDate} />
      <Button variant="primary">Search</Button>
    </Form>
  );
}
