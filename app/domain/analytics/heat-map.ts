import { weekStart } from '#app/domain/doses/adherence.ts';
import { daysBefore } from '#app/domain/time/zoned-time.ts';
import { daysOf, type Period } from './periods.ts';

/** A day with how much happened on it. */
export interface HeatDay {
  day: string;
  count: number;
  /** 0 for nothing, 1 to 4 by the share of the busiest day. */
  step: 0 | 1 | 2 | 3 | 4;
}

/** One weekday of every week of a period; null before the first day and after the last. */
export interface HeatRow {
  weekday: string;
  days: (HeatDay | null)[];
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

function stepOf(count: number, most: number): HeatDay['step'] {
  return count === 0 ? 0 : (Math.ceil((count / most) * 4) as HeatDay['step']);
}

/** Days of a period as a calendar lying down: a row for each weekday, a column for each week; null outside the period. */
export function heatRows(period: Period, counts: ReadonlyMap<string, number>): HeatRow[] {
  const days = daysOf(period);
  const most = Math.max(1, ...days.map((day) => counts.get(day) ?? 0));
  const weeks = [...new Set(days.map(weekStart))];
  return WEEKDAYS.map((weekday, row) => ({
    weekday,
    days: weeks.map((monday) => {
      const day = daysBefore(monday, -row);
      if (day < period.first || day > period.last) return null;
      const count = counts.get(day) ?? 0;
      return { day, count, step: stepOf(count, most) };
    }),
  }));
}
