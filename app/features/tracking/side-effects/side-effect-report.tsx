import { shownDay } from '#app/domain/time/calendar.ts';
import { Link } from '@remix-run/react';
import { FilterForm } from '#app/ui/list-controls.tsx';
import { Disclosure } from '#app/ui/disclosure.tsx';
import { DataTable } from '#app/ui/data-table.tsx';
import { Figures } from '#app/ui/figure.tsx';
import { Button } from '#app/ui/button.tsx';
import { ErrorSummary, fieldsToFix } from '#app/ui/error-summary.tsx';
import { Field } from '#app/ui/fields.tsx';
import { effectHref, type EffectRow } from './side-effect-row.ts';
import { plural } from '#app/domain/text/plural.ts';

/** Figures as texts; "–" where there is none. */
interface StatsTexts {
  count: string;
  meanSeverity: string;
  medianDuration: string;
  medianOnset: string;
}

interface NamedStatsTexts extends StatsTexts {
  name: string;
}

const BY_NAME_COLUMNS = [
  { key: 'name', label: 'Side effect', cell: (row: NamedStatsTexts) => row.name },
  { key: 'count', label: 'Times', numeric: true, cell: (row: NamedStatsTexts) => row.count },
  { key: 'mean', label: 'Mean severity', numeric: true, cell: (row: NamedStatsTexts) => row.meanSeverity },
  {
    key: 'lasted',
    label: 'Median duration',
    numeric: true,
    cell: (row: NamedStatsTexts) => row.medianDuration,
  },
  { key: 'onset', label: 'Median onset', numeric: true, cell: (row: NamedStatsTexts) => row.medianOnset },
];

interface EffectStatsProps {
  stats: StatsTexts;
  byName: readonly NamedStatsTexts[];
  /** Opens the table from the start, for printing. */
  open?: boolean;
}

/** Statistics of the logged side effects. */
export function EffectStats({ stats, byName, open }: EffectStatsProps) {
  const figures = [
    { label: 'Logged', value: stats.count },
    { label: 'Mean severity', value: stats.meanSeverity },
    { label: 'Median duration', value: stats.medianDuration },
    { label: 'Median onset', value: stats.medianOnset },
  ];
  return (
    <section aria-labelledby="effect-stats-title" className="mt-8">
      <h2 id="effect-stats-title">Figures</h2>
      <Figures className="mt-3" figures={figures} />
      <p className="mt-2 text-sm text-soft">
        Onset is the time since the last dose in the two weeks before. Duration covers resolved side effects
        only.
      </p>
      {byName.length > 0 ? (
        <Disclosure summary="By name" open={open}>
          <DataTable
            caption="Side effects by name"
            columns={BY_NAME_COLUMNS}
            rows={byName}
            rowKey={({ name }) => name}
          />
        </Disclosure>
      ) : null}
    </section>
  );
}

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
    cell: (row: EffectRow) => <span className="unbroken">{row.lasted ?? 'Ongoing'}</span>,
  },
  { key: 'notes', label: 'Notes', cell: (row: EffectRow) => row.notes ?? '' },
];

interface EffectReportProps {
  action: string;
  start: string;
  end: string;
  errors: { start?: string; end?: string };
  /** Null for an invalid period. */
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
      <FilterForm action={action} className="no-print effect-period">
        <ErrorSummary errors={[]} fields={fieldsToFix({ ...errors })} />
        <Field name="start" label="From" type="date" defaultValue={start} error={errors.start} />
        <Field name="end" label="To" type="date" defaultValue={end} error={errors.end} />
        <Button>Show</Button>
      </FilterForm>
      {report ? (
        <>
          <p className="mt-4">
            {report.rows.length === 0
              ? `No side effects began from ${shownDay(start)} to ${shownDay(end)}.`
              : `From ${shownDay(start)} to ${shownDay(end)}, oldest first.`}
          </p>
          {report.rows.length > 0 ? (
            <>
              <EffectStats stats={report.stats} byName={report.byName} open />
              <h2 className="mt-8">Entries</h2>
              <DataTable
                caption="Side effects in the period"
                columns={COLUMNS}
                rows={report.rows}
                rowKey={({ id }) => id}
              />
              {report.leftOut > 0 ? (
                <p>{`The export has ${plural(report.leftOut, 'more side effect')}.`}</p>
              ) : null}
            </>
          ) : null}
        </>
      ) : null}
    </>
  );
}
