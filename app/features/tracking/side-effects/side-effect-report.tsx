import { Form, Link } from '@remix-run/react';
import { Button } from '#app/ui/button.tsx';
import { DataTable } from '#app/ui/data-table.tsx';
import { Field } from '#app/ui/field.tsx';
import { effectHref, type EffectRow } from './side-effect-row.ts';
import { EffectStats, type NamedStatsTexts, type StatsTexts } from './side-effect-stats.tsx';

const COLUMNS = [
  { key: 'when', label: 'Started', cell: (row: EffectRow) => <span className="figure">{row.when}</span> },
  {
    key: 'name',
    label: 'Side effect',
    cell: (row: EffectRow) => <Link to={effectHref(row.id)}>{row.name}</Link>,
  },
  { key: 'severity', label: 'Severity', cell: (row: EffectRow) => row.severityText },
  {
    key: 'lasted',
    label: 'Duration',
    cell: (row: EffectRow) => <span className="unbroken">{row.lasted ?? 'Lasting'}</span>,
  },
  { key: 'notes', label: 'Notes', cell: (row: EffectRow) => row.notes ?? '' },
];

interface EffectReportProps {
  action: string;
  start: string;
  end: string;
  errors: { start?: string; end?: string };
  /** Null for a period that makes no sense. */
  report: {
    rows: readonly EffectRow[];
    leftOut: number;
    stats: StatsTexts;
    byName: NamedStatsTexts[];
  } | null;
}

/** The side effects of a period, to read, print or bring along. */
export function EffectReport({ action, start, end, errors, report }: EffectReportProps) {
  return (
    <>
      <Form method="get" action={action} className="no-print effect-period">
        <Field name="start" label="From" type="date" defaultValue={start} error={errors.start} />
        <Field name="end" label="To" type="date" defaultValue={end} error={errors.end} />
        <Button>Show</Button>
      </Form>
      {report ? (
        <>
          <p className="mt-4">
            {report.rows.length === 0
              ? `No side effect began from ${start} to ${end}.`
              : `From ${start} to ${end}, oldest first.`}
          </p>
          {report.rows.length > 0 ? (
            <>
              <EffectStats stats={report.stats} byName={report.byName} open />
              <h2 className="mt-8">Entries</h2>
              <DataTable
                caption="Side effects of the period"
                columns={COLUMNS}
                rows={report.rows}
                rowKey={({ id }) => id}
              />
              {report.leftOut > 0 ? <p>{`${report.leftOut} more are in the export.`}</p> : null}
            </>
          ) : null}
        </>
      ) : null}
    </>
  );
}
