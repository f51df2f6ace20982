import { Link } from '@remix-run/react';
import { dayLabel } from '#app/domain/time/calendar-day.ts';
import type { CalendarGrid, GridDay } from '#app/domain/doses/calendar-grid.ts';
import { DOSE_STATUSES, STATUS_LABELS, type DoseStatus } from '#app/domain/doses/dose.ts';
import type { DoseLine } from '#app/domain/doses/dose-line.ts';
import { plural } from '#app/domain/text/plural.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { DoseFacts, StatusMark, StatusShape } from './dose-line.tsx';

const PATH = '/dashboard/schedule/calendar';
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const hrefOf = (view: string, on: string): string => `${PATH}?view=${view}&on=${on}`;

/** How many doses of a day have each status: shape, number and word. */
function Counts({ rows }: { rows: readonly DoseLine[] }) {
  const counts = DOSE_STATUSES.map((status) => [status, rows.filter((row) => row.status === status).length]);
  return (
    <ul className="day-counts">
      {(counts as [DoseStatus, number][])
        .filter(([, count]) => count > 0)
        .map(([status, count]) => (
          <li key={status}>
            <StatusShape state={status} />
            <span className="figure">{count}</span> {STATUS_LABELS[status].toLowerCase()}
          </li>
        ))}
    </ul>
  );
}

function DayDoses({ rows }: { rows: readonly DoseLine[] }) {
  return (
    <ul className="day-doses">
      {rows.map((line) => (
        <li key={line.id}>
          <time dateTime={line.dueDate} className="figure">
            {line.time}
          </time>{' '}
          <DoseFacts line={line} />
          <StatusMark line={line} />
        </li>
      ))}
    </ul>
  );
}

interface DayCellProps {
  cell: GridDay;
  view: CalendarGrid['view'];
  rows: readonly DoseLine[];
  today: string;
}

function DayCell({ cell, view, rows, today }: DayCellProps) {
  const words = dayLabel(cell.day);
  const className = [
    cell.inside ? 'day-inside' : 'day-outside',
    rows.length === 0 ? 'day-empty' : '',
    cell.day === today ? 'day-today' : '',
  ].join(' ');
  const label = (
    <>
      <span className="day-long">{words}</span>
      <span aria-hidden="true" className="day-short figure">
        {Number(cell.day.slice(8))}
      </span>
      {cell.day === today ? <span className="day-now">Today</span> : null}
    </>
  );
  return (
    <td className={className} aria-current={cell.day === today ? 'date' : undefined}>
      {view === 'month' ? (
        <Link to={hrefOf('week', cell.day)} className="day-name">
          {label}
        </Link>
      ) : (
        <span className="day-name">{label}</span>
      )}
      {view === 'month' ? <Counts rows={rows} /> : <DayDoses rows={rows} />}
    </td>
  );
}

function CalendarNav({ grid, on }: { grid: CalendarGrid; on: string }) {
  const { view, previous, next } = grid;
  const other = view === 'month' ? 'week' : 'month';
  return (
    <nav aria-label="Calendar pages" className="no-print flex flex-wrap gap-2">
      <LinkButton to={hrefOf(view, previous)}>{`Previous ${view}`}</LinkButton>
      <LinkButton to={hrefOf(view, next)}>{`Next ${view}`}</LinkButton>
      <LinkButton to={`${PATH}?view=${view}`}>Today</LinkButton>
      <LinkButton to={hrefOf(other, on)}>{other === 'week' ? 'Week' : 'Month'}</LinkButton>
    </nav>
  );
}

interface CalendarProps {
  grid: CalendarGrid;
  doses: readonly DoseLine[];
  more: boolean;
  /** The requested day, and the owner's today. */
  on: string;
  today: string;
}

/** A month or a week as a table; on a phone, a list of the days with doses. */
export function Calendar({ grid, doses, more, on, today }: CalendarProps) {
  const byDay = new Map<string, DoseLine[]>();
  for (const line of doses) byDay.set(line.day, [...(byDay.get(line.day) ?? []), line]);
  return (
    <div className="grid gap-4">
      <h2 className="text-xl">{grid.title}</h2>
      <CalendarNav grid={grid} on={on} />
      {doses.length === 0 ? (
        <p className="text-soft">{`No doses this ${grid.view}. Doses are planned 35 days ahead.`}</p>
      ) : null}
      {more ? (
        <p className="text-soft">{`Only the first ${plural(doses.length, 'dose')} are shown. Switch to the week view to see fewer at a time.`}</p>
      ) : null}
      <table className={`calendar calendar-${grid.view}`}>
        <caption className="sr-only">{`Doses, ${grid.title}`}</caption>
        <thead>
          <tr>
            {WEEKDAYS.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {grid.weeks.map((week) => (
            <tr key={week[0]?.day}>
              {week.map((cell) => (
                <DayCell
                  key={cell.day}
                  cell={cell}
                  view={grid.view}
                  rows={byDay.get(cell.day) ?? []}
                  today={today}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
