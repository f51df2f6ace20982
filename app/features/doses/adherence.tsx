import {
  ADHERENCE_FORMULA,
  noAdherenceText,
  type Adherence,
  type AdherenceGroup,
} from '#app/domain/doses/adherence.ts';
import { dayLabel } from '#app/domain/time/calendar.ts';
import { plural } from '#app/domain/text/plural.ts';
import { shownDay } from '#app/domain/time/calendar.ts';
import { FilterForm } from '#app/ui/list-controls.tsx';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { DataTable, type Column } from '#app/ui/data-table.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { ErrorSummary, fieldsToFix } from '#app/ui/error-summary.tsx';
import { Field } from '#app/ui/fields.tsx';
import { Figure } from '#app/ui/figure.tsx';

interface Named extends AdherenceGroup {
  name: string;
}

export interface AdherenceProps {
  startDate: string;
  endDate: string;
  total: Adherence;
  weeks: readonly AdherenceGroup[];
  schedules: readonly Named[];
  compounds: readonly Named[];
  streak: number;
  errors?: { from?: string | undefined; to?: string | undefined } | undefined;
}

/** The period as a GET form, so that a report can be linked to. */
function Period({ startDate, endDate, errors }: Pick<AdherenceProps, 'startDate' | 'endDate' | 'errors'>) {
  return (
    <FilterForm action="/dashboard/schedule/adherence" className="period-form">
      <ErrorSummary errors={[]} fields={fieldsToFix({ ...errors })} />
      <Field name="from" type="date" label="From" defaultValue={startDate} error={errors?.from} />
      <Field name="to" type="date" label="To" defaultValue={endDate} error={errors?.to} />
      <Button>Show</Button>
    </FilterForm>
  );
}

const columns = (label: string): readonly Column<Named>[] => [
  { key: 'name', label, cell: ({ name }) => name },
  {
    key: 'adherence',
    label: 'Adherence',
    numeric: true,
    // The other columns explain why there is none.
    cell: ({ text }) => text ?? '–',
  },
  { key: 'taken', label: 'Taken', numeric: true, cell: ({ taken }) => taken },
  { key: 'missed', label: 'Missed', numeric: true, cell: ({ missed }) => missed },
  { key: 'skipped', label: 'Skipped', numeric: true, cell: ({ skipped }) => skipped },
  { key: 'pending', label: 'Not logged yet', numeric: true, cell: ({ pending }) => pending },
];

function Parts({ title, label, rows }: { title: string; label: string; rows: readonly Named[] }) {
  if (rows.length === 0) return null;
  return (
    <section className="grid gap-2">
      <h2>{title}</h2>
      <DataTable caption={title} columns={columns(label)} rows={rows} rowKey={({ key }) => key} />
    </section>
  );
}

function Total({ total, streak }: Pick<AdherenceProps, 'total' | 'streak'>) {
  return (
    <section aria-label="Adherence of the period" className="margin-rule grid gap-1 py-2 ps-6">
      <p className="adherence-number">
        {total.text === null ? noAdherenceText(total) : <Figure value={total.text} />}
      </p>
      {total.numbers === null ? null : <p className="figure">{total.numbers}</p>}
      <p className="text-sm text-soft">{ADHERENCE_FORMULA}</p>
      <p>{`${total.skipped} skipped, ${total.pending} not logged yet.`}</p>
      {streak > 0 ? <p>{`Current streak: ${plural(streak, 'dose')} taken.`}</p> : null}
    </section>
  );
}

/** Adherence for a period: in total, by week, by schedule and by compound. */
export function AdherenceReport(props: AdherenceProps) {
  const { startDate, endDate, total, weeks, schedules, compounds, streak, errors } = props;
  const byWeek = weeks.map((week) => ({ ...week, name: `${dayLabel(week.key)} ${week.key.slice(0, 4)}` }));
  const nothing = total.due + total.skipped + total.pending === 0;
  return (
    <div className="dose-page dose-page-wide">
      <Period startDate={startDate} endDate={endDate} errors={errors} />
      <p className="text-soft">{`${shownDay(startDate)} to ${shownDay(endDate)}, inclusive.`}</p>
      {nothing ? (
        <EmptyState
          level={2}
          title="No doses in this period"
          drawing="chart"
          action={
            <LinkButton variant="primary" to="/dashboard/schedule">
              Back to today
            </LinkButton>
          }
        >
          Once doses are due, you’ll see here how many you took, by week, schedule and compound.
        </EmptyState>
      ) : (
        <>
          <Total total={total} streak={streak} />
          <Parts title="By week" label="Week of" rows={byWeek} />
          <Parts title="By schedule" label="Schedule" rows={schedules} />
          <Parts title="By compound" label="Compound" rows={compounds} />
        </>
      )}
    </div>
  );
}
