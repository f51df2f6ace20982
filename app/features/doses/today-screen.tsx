import { Link } from '@remix-run/react';
import type { Today } from '#app/domain/doses/draw-line.ts';
import { dayWords } from '#app/domain/doses/calendar-grid.ts';
import type { StockForecast } from '#app/domain/vials/forecast.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { LoggedDoses, PendingDoses, UpcomingDoses } from './today-lists.tsx';
import { StockForecasts } from './stock-lines.tsx';

function Nothing({ today }: { today: Today }) {
  if (!today.hasSchedules)
    return (
      <EmptyState
        level={2}
        title="No schedule yet"
        action={
          <div className="flex flex-wrap gap-3">
            <LinkButton to="/dashboard/schedule/new" variant="primary">
              Make a schedule
            </LinkButton>
            <LinkButton to="/dashboard/schedule/templates">Start from a template</LinkButton>
          </div>
        }
      >
        The doses of the day will be here, each with what to draw and one button to log it. A single dose can
        be logged without a schedule.
      </EmptyState>
    );
  return (
    <EmptyState
      level={2}
      title={today.done.rows.length > 0 ? 'All done for today' : 'Nothing due today'}
      action={<LinkButton to="/dashboard/schedule/calendar">Calendar</LinkButton>}
    >
      {today.upcoming.rows.length > 0
        ? 'What comes next stands below.'
        : 'Nothing is planned for the next 7 days either.'}
    </EmptyState>
  );
}

/** Doses that nobody logged in time: they may have been taken all the same. */
function MissedDoses({ missed }: Pick<Today, 'missed'>) {
  const count = missed.rows.length;
  if (count === 0) return null;
  const text =
    count === 1
      ? '1 dose of the last 7 days became missed because nobody logged it.'
      : `${missed.more ? `More than ${count}` : count} doses of the last 7 days became missed because nobody logged them.`;
  return (
    <Notice
      actions={
        <Link to="/dashboard/schedule/backfill" className="inline-flex min-h-11 items-center">
          Log doses of past days
        </Link>
      }
    >
      {text}
    </Notice>
  );
}

/** Today: what to take, what was done, what comes next and when stock runs out. */
export function TodayScreen({ today, forecasts }: { today: Today; forecasts: readonly StockForecast[] }) {
  return (
    <div className="today">
      <p className="text-soft">{dayWords(today.day, true)}</p>
      {today.open.rows.length > 0 ? <PendingDoses open={today.open} /> : <Nothing today={today} />}
      <MissedDoses missed={today.missed} />
      <LoggedDoses done={today.done} today={today.day} />
      <UpcomingDoses upcoming={today.upcoming} />
      <StockForecasts forecasts={forecasts} />
    </div>
  );
}
