import { DateTime } from 'luxon';

export const CALENDAR_VIEWS = ['month', 'week'] as const;

export type CalendarView = (typeof CALENDAR_VIEWS)[number];

/** One day of a calendar page. */
export interface GridDay {
  /** YYYY-MM-DD */
  day: string;
  /** False for the days of the neighbouring months that fill the first and last week. */
  inside: boolean;
}

/** A calendar page: whole weeks from Monday to Sunday. */
export interface CalendarGrid {
  view: CalendarView;
  /** "March 2026" or "9 – 15 March 2026" */
  title: string;
  weeks: GridDay[][];
  /** The first and the last day on the page. */
  first: string;
  last: string;
  /** A day on the previous page and one on the next. */
  previous: string;
  next: string;
}

const DAY = 'yyyy-MM-dd';

function spanTitle(first: DateTime, last: DateTime): string {
  const sameMonth = first.hasSame(last, 'month');
  const sameYear = first.hasSame(last, 'year');
  return `${first.toFormat(sameMonth ? 'd' : sameYear ? 'd MMMM' : 'd MMMM yyyy')} – ${last.toFormat('d MMMM yyyy')}`;
}

/**
 * The calendar page that shows a day. It counts calendar days, not hours, so a day of 23 or 25 hours is one day.
 * @param on YYYY-MM-DD
 */
export function calendarGrid(view: CalendarView, on: string): CalendarGrid {
  const at = DateTime.fromISO(on, { zone: 'utc', locale: 'en-GB' });
  const begin = at.startOf(view);
  const end = at.endOf(view);
  const first = begin.startOf('week');
  const last = end.endOf('week').startOf('day');
  const count = Math.round(last.diff(first, 'days').days) + 1;
  const days = Array.from({ length: count }, (_, index) => {
    const date = first.plus({ days: index });
    return { day: date.toFormat(DAY), inside: date >= begin && date <= end };
  });
  return {
    view,
    title: view === 'month' ? at.toFormat('MMMM yyyy') : spanTitle(first, last),
    weeks: Array.from({ length: count / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7)),
    first: first.toFormat(DAY),
    last: last.toFormat(DAY),
    previous: begin.minus({ [`${view}s`]: 1 }).toFormat(DAY),
    next: begin.plus({ [`${view}s`]: 1 }).toFormat(DAY),
  };
}
