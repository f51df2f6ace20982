import { Link } from '@remix-run/react';
import type { ReactNode } from 'react';
import { dayWords } from '#app/domain/doses/calendar-grid.ts';
import { byDayPart, DAY_PART_WORDS } from '#app/domain/doses/day-parts.ts';
import type { DoseLine } from '#app/domain/doses/dose-line.ts';
import type { DrawLine, Listed } from '#app/domain/doses/draw-line.ts';
import { Icon } from '#app/ui/icon.tsx';
import { LoggedDose } from './logged-dose.tsx';
import { DoseFacts } from './dose-facts.tsx';
import { PendingDose } from './pending-dose.tsx';

function Group({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="dose-group">
      <h2 id={id}>{title}</h2>
      <ul className="sheet">{children}</ul>
    </section>
  );
}

/** Said under a list that does not hold everything. */
export function MoreNotShown({ count, children }: { count: number; children?: ReactNode }) {
  return (
    <p className="py-2 text-sm text-soft">
      {`The first ${count} are shown.`} {children}
    </p>
  );
}

/** What is open today: what is overdue first, then by time of day. */
export function PendingDoses({ open }: { open: Listed<DrawLine> }) {
  const overdue = open.rows.filter(({ urgency }) => urgency === 'overdue');
  const rest = open.rows.filter(({ urgency }) => urgency !== 'overdue');
  return (
    <>
      {overdue.length > 0 ? (
        <Group id="overdue" title="Overdue">
          {overdue.map((line) => (
            <PendingDose key={line.id} line={line} isDue />
          ))}
        </Group>
      ) : null}
      {byDayPart(rest).map(({ part, rows }) => (
        <Group key={part} id={part} title={DAY_PART_WORDS[part]}>
          {rows.map((line) => (
            <PendingDose key={line.id} line={line} isDue={line.urgency === 'due'} />
          ))}
        </Group>
      ))}
      {open.more ? <MoreNotShown count={open.rows.length}>Log these, and the next ones follow.</MoreNotShown> : null}
    </>
  );
}

/** What was said today about doses. */
export function LoggedDoses({ done, today }: { done: Listed<DoseLine>; today: string }) {
  if (done.rows.length === 0) return null;
  return (
    <>
      <Group id="done" title="Logged today">
        {done.rows.map((line) => (
          <LoggedDose key={line.id} line={line} today={today} />
        ))}
      </Group>
      {done.more ? <MoreNotShown count={done.rows.length} /> : null}
    </>
  );
}

function days(rows: readonly DoseLine[]): { day: string; rows: DoseLine[] }[] {
  const names = [...new Set(rows.map(({ day }) => day))];
  return names.map((day) => ({ day, rows: rows.filter((row) => row.day === day) }));
}

function UpcomingDay({ day, rows, open }: { day: string; rows: readonly DoseLine[]; open: boolean }) {
  return (
    <details className="upcoming-day" open={open}>
      <summary>
        <Icon name="chevron" size={16} />
        {dayWords(day)}
        <span className="font-normal text-soft">{rows.length === 1 ? '1 dose' : `${rows.length} doses`}</span>
      </summary>
      <ul className="pb-2">
        {rows.map((line) => (
          <li key={line.id} className="upcoming-line">
            <time dateTime={line.dueDate} className="figure">
              {line.time}
            </time>
            <DoseFacts line={line} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The seven days after today. */
export function UpcomingDoses({ upcoming }: { upcoming: Listed<DoseLine> }) {
  if (upcoming.rows.length === 0) return null;
  return (
    <section aria-labelledby="upcoming" className="dose-group">
      <h2 id="upcoming">Next 7 days</h2>
      <div className="sheet">
        {days(upcoming.rows).map(({ day, rows }, index) => (
          <UpcomingDay key={day} day={day} rows={rows} open={index === 0} />
        ))}
      </div>
      {upcoming.more ? (
        <MoreNotShown count={upcoming.rows.length}>
          <Link to="/dashboard/schedule/calendar?view=week">The calendar has all of them.</Link>
        </MoreNotShown>
      ) : null}
    </section>
  );
}
