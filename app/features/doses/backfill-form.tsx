import { Form, Link, useNavigation } from '@remix-run/react';
import { dayLabel } from '#app/domain/time/calendar.ts';
import type { DoseLine } from '#app/domain/doses/dose-line.ts';
import type { DoseWarning } from '#app/domain/doses/dose-warnings.ts';
import { FilterForm } from '#app/ui/list-controls.tsx';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Checkbox, Field } from '#app/ui/fields.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Figure } from '#app/ui/figure.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { WarningsToConfirm } from './dose-forms.tsx';
import { DoseAmount, StatusMark } from './dose-line.tsx';
import { MoreNotShown } from './today-screen.tsx';

const ACTION = '/dashboard/schedule/backfill';

export interface BackfillProps {
  from: string;
  to: string;
  /** The new schedule whose past doses are listed; null for those of all schedules. */
  scheduleId: string | null;
  rows: readonly DoseLine[];
  more: boolean;
  /** Ids of the ticked doses; null for all doses. */
  ticked: readonly string[] | null;
  warnings: readonly DoseWarning[];
  error?: string | undefined;
}

function DaysForm({ from, to }: Pick<BackfillProps, 'from' | 'to'>) {
  return (
    <FilterForm action={ACTION} className="period-form">
      <Field name="from" type="date" label="From" defaultValue={from} />
      <Field name="to" type="date" label="To" defaultValue={to} />
      <Button>Show</Button>
    </FilterForm>
  );
}

function DayDoses({
  day,
  rows,
  ticked,
}: {
  day: string;
  rows: readonly DoseLine[];
  ticked: BackfillProps['ticked'];
}) {
  return (
    <fieldset className="backfill-day">
      <legend className="font-semibold">{dayLabel(day, true)}</legend>
      {rows.map((line) => (
        <div key={line.id} className="backfill-line">
          <Checkbox
            name="ids"
            id={line.id}
            value={line.id}
            defaultChecked={ticked === null || ticked.includes(line.id)}
            label={
              <>
                <Figure value={line.time} /> <span className="font-semibold">{line.name}</span>{' '}
                <DoseAmount text={line.amountText} />
              </>
            }
          />
          <StatusMark line={line} />
        </div>
      ))}
    </fieldset>
  );
}

/** Shown after creating a schedule that starts in the past. */
function PastDosesQuestion({ rows }: Pick<BackfillProps, 'rows'>) {
  const [first] = rows;
  if (first === undefined) return null;
  return (
    <Notice tone="info">
      <p className="font-semibold">{`Which past doses of ${first.name} did you take?`}</p>
      <p>
        This schedule began on {dayLabel(first.day, true)}. Doses that you don’t log count as missed; you can
        log them later under “Log past days”.
      </p>
      <p>
        <Link to="/dashboard/schedule" className="inline-flex min-h-11 items-center">
          Not now
        </Link>
      </p>
    </Notice>
  );
}

/** Unlogged past doses, to tick and log together. */
export function Backfill({ from, to, scheduleId, rows, more, ticked, warnings, error }: BackfillProps) {
  const { state, formAction } = useNavigation();
  const isBusy = state !== 'idle' && formAction?.startsWith(ACTION) === true;
  const days = [...new Set(rows.map(({ day }) => day))];
  const here =
    scheduleId === null
      ? `${ACTION}?from=${from}&to=${to}`
      : `${ACTION}?schedule=${encodeURIComponent(scheduleId)}`;
  return (
    <div className="dose-page">
      {scheduleId === null ? <DaysForm from={from} to={to} /> : <PastDosesQuestion rows={rows} />}
      {rows.length === 0 ? (
        <EmptyState
          level={2}
          title="Nothing to log"
          drawing="done"
          action={<LinkButton to="/dashboard/schedule">Back to today</LinkButton>}
        >
          All doses in this period are logged, or none were planned.
        </EmptyState>
      ) : (
        <Form key={`${from} ${to} ${ticked === null}`} method="post" action={here}>
          <p className="text-soft">
            Tick the doses you took. Each is logged as planned, at its scheduled time, and drawn from your
            vials.{' '}
            <Link to={ticked === null ? here : `${here}&all=1`}>
              {ticked === null ? 'Clear all' : 'Tick all'}
            </Link>
          </p>
          {error ? (
            <Notice tone="error" role="alert">
              <p className="font-semibold">{error}</p>
            </Notice>
          ) : null}
          <WarningsToConfirm warnings={warnings} />
          {days.map((day) => (
            <DayDoses key={day} day={day} rows={rows.filter((row) => row.day === day)} ticked={ticked} />
          ))}
          {more ? <MoreNotShown count={rows.length}>Log these to see the next ones.</MoreNotShown> : null}
          <div>
            <Button variant="primary" disabled={isBusy}>
              {isBusy ? 'Saving...' : warnings.length > 0 ? 'Log them anyway' : 'Log ticked doses as taken'}
            </Button>
          </div>
        </Form>
      )}
    </div>
  );
}
