import { useState, type DragEvent } from 'react';
import { Link, useNavigate } from '@remix-run/react';
import { dayLabel } from '#app/domain/time/calendar.ts';
import type { CalendarGrid, GridDay } from '#app/domain/doses/calendar-grid.ts';
import { DOSE_STATUSES, STATUS_LABELS, type DoseStatus } from '#app/domain/doses/dose.ts';
import type { DoseLine } from '#app/domain/doses/dose-line.ts';
import type { PausedLine } from '#app/domain/doses/draw-line.ts';
import { plural } from '#app/domain/text/plural.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { doseHref, DoseFacts, StatusMark, StatusShape } from './dose-line.tsx';

const PATH = '/dashboard/schedule/calendar';
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const hrefOf = (view: string, on: string): string => `${PATH}?view=${view}&on=${on}`;

/** The number of a day's doses by status, each with shape, number and word. */
function Counts({ rows }: { rows: readonly DoseLine[] }) {
  const counts = DOSE_STATUSES.map((status) => [status, rows.filter((row) => row.status === status).length]);
  return (
    <ul className="day-counts">
      {(counts as [DoseStatus, number][])
        .filter(([, count]) => count > 0)
        .map(([status, count]) => (
          <li key={status}>
            <StatusShape state={status} />
            <span className="figure">{count}</span>{' '}
            <span className="day-word">{STATUS_LABELS[status].toLowerCase()}</span>
          </li>
        ))}
    </ul>
  );
}

/** Data type of a dragged dose; the data is its id, day and time of day. */
const DRAGGED = 'application/x-vialbook-dose';

function carry(event: DragEvent, line: DoseLine): void {
  event.dataTransfer.setData(DRAGGED, JSON.stringify({ id: line.id, day: line.day, time: line.time }));
  event.dataTransfer.effectAllowed = 'move';
}

const carriesDose = (event: DragEvent): boolean => event.dataTransfer.types.includes(DRAGGED);

/**
 * Dropping a dose on a day opens the page that previews the move; the drop alone moves nothing. The day under the pointer is
 * highlighted.
 */
function useDrop(day: string) {
  const navigate = useNavigate();
  const [isOver, setOver] = useState(false);
  return {
    'data-drop': isOver ? 'here' : undefined,
    onDragOver: (event: DragEvent) => {
      if (!carriesDose(event)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (event: DragEvent) => {
      if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)))
        setOver(false);
    },
    onDrop: (event: DragEvent) => {
      setOver(false);
      if (!carriesDose(event)) return;
      event.preventDefault();
      const dropped = JSON.parse(event.dataTransfer.getData(DRAGGED)) as Record<string, string>;
      const { id = '', time = '' } = dropped;
      if (dropped['day'] !== day) navigate(`${doseHref(id)}/move?dueDate=${day}T${time}&scope=this`);
    },
  };
}

function DayDoses({ rows }: { rows: readonly DoseLine[] }) {
  return (
    <ul className="day-doses">
      {rows.map((line) => (
        <li
          key={line.id}
          {...(line.canMove && { draggable: true, onDragStart: (event) => carry(event, line) })}
        >
          <time dateTime={line.dueDate} className="figure">
            {line.time}
          </time>{' '}
          <DoseFacts line={line} />
          <StatusMark line={line} />{' '}
          {line.canMove ? (
            <Link to={`${doseHref(line.id)}/move`} className="no-print inline-flex min-h-11 items-center">
              Move<span className="sr-only">{` ${line.name}, ${line.time}`}</span>
            </Link>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

/** The schedules that are paused on a day. */
function PausedOn({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  return <p className="day-word text-soft">{`Paused: ${names.join(', ')}`}</p>;
}

interface DayCellProps {
  /** Names of the schedules in a planned pause. */
  paused: readonly string[];
  cell: GridDay;
  view: CalendarGrid['view'];
  rows: readonly DoseLine[];
  today: string;
}

function DayCell({ cell, view, rows, paused, today }: DayCellProps) {
  const words = dayLabel(cell.day);
  const drop = useDrop(cell.day);
  const className = [
    cell.inside ? 'day-inside' : 'day-outside',
    rows.length === 0 && paused.length === 0 ? 'day-empty' : '',
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
    <td className={className} aria-current={cell.day === today ? 'date' : undefined} {...drop}>
      {view === 'month' ? (
        <Link to={hrefOf('week', cell.day)} className="day-name">
          {label}
        </Link>
      ) : (
        <span className="day-name">{label}</span>
      )}
      {view === 'month' ? <Counts rows={rows} /> : <DayDoses rows={rows} />}
      <PausedOn names={paused} />
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

const namesOn = (paused: readonly PausedLine[], day: string): string[] =>
  paused.filter(({ firstDay, lastDay }) => firstDay <= day && day <= lastDay).map(({ name }) => name);

interface CalendarProps {
  grid: CalendarGrid;
  doses: readonly DoseLine[];
  paused: readonly PausedLine[];
  more: boolean;
  /** The requested day, and the owner's today. */
  on: string;
  today: string;
}

/** A month or a week as a table; a week on a phone is a list of the days with doses. */
export function Calendar({ grid, doses, paused, more, on, today }: CalendarProps) {
  const byDay = new Map<string, DoseLine[]>();
  for (const line of doses) byDay.set(line.day, [...(byDay.get(line.day) ?? []), line]);
  return (
    <div className="grid gap-4">
      <h2 className="text-xl">{grid.title}</h2>
      <CalendarNav grid={grid} on={on} />
      {doses.length === 0 ? (
        <p className="text-soft">
          {`No doses this ${grid.view}. Doses are planned 35 days ahead. `}
          <Link to="/dashboard/schedule/new" className="inline-flex min-h-11 items-center">
            Create a schedule
          </Link>
        </p>
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
                <span className="day-long">{name}</span>
                <span aria-hidden="true" className="day-short">
                  {name.slice(0, 3)}
                </span>
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
                  paused={namesOn(paused, cell.day)}
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
