import { calendarDay, daysBefore } from '#app/domain/time/zoned-time.ts';
import { DAY_MS } from '#app/domain/time/calendar.ts';
import { weekStart } from '#app/domain/doses/adherence.ts';
import { daysOf, type Period } from './periods.ts';

/** A day's value. */
export interface DayValue {
  day: string;
  value: number;
}

/** The number and sum of the values measured at one instant. */
interface MomentSum {
  at: Date;
  count: number;
  sum: number;
}

/** The mean of each day that has values, in order. Days are those of the time zone. */
export function dayMeans(moments: readonly MomentSum[], timeZone: string): DayValue[] {
  const days = new Map<string, { count: number; sum: number }>();
  for (const { at, count, sum } of moments) {
    const day = calendarDay(at, timeZone);
    const known = days.get(day) ?? { count: 0, sum: 0 };
    days.set(day, { count: known.count + count, sum: known.sum + sum });
  }
  return [...days]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, { count, sum }]) => ({ day, value: sum / count }));
}

const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;

/**
 * For each day with a value, the mean of the values in the `window` days ending on it. Days without a value are skipped, not
 * counted as zero.
 * @param values one per day, in order
 */
export function movingAverage(values: readonly DayValue[], window: number): DayValue[] {
  const averaged: DayValue[] = [];
  let oldest = 0;
  let sum = 0;
  for (const [index, { day, value }] of values.entries()) {
    sum += value;
    while (dayNumber(values[oldest]?.day ?? day) <= dayNumber(day) - window) {
      sum -= values[oldest]?.value ?? 0;
      oldest += 1;
    }
    averaged.push({ day, value: sum / (index - oldest + 1) });
  }
  return averaged;
}

/** A day with a count. */
interface HeatDay {
  day: string;
  count: number;
  /** 0 for a count of 0; otherwise 1 to 4, relative to the busiest day. */
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

/** The days of a period as a calendar with a row for each weekday and a column for each week; null outside the period. */
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

/** The fewest days on each side that are compared. */
export const LEAST_SAMPLE = 5;

/** One side of a comparison. */
interface Sample {
  days: number;
  /** The number of events on these days. */
  events: number;
}

/** Compares side effects on days with and without a dose. */
export interface Comparison {
  withDose: Sample;
  withoutDose: Sample;
  /** Events per day on each side; null if either has too few days. */
  rates: { withDose: number; withoutDose: number } | null;
}

/**
 * Compares how often events happened on days with a dose and on days without. It says nothing about causes.
 * @param days all days to compare
 */
export function compareDays(
  days: readonly string[],
  doses: ReadonlyMap<string, number>,
  events: ReadonlyMap<string, number>,
): Comparison {
  const sides = { withDose: { days: 0, events: 0 }, withoutDose: { days: 0, events: 0 } };
  for (const day of days) {
    const side = (doses.get(day) ?? 0) > 0 ? sides.withDose : sides.withoutDose;
    side.days += 1;
    side.events += events.get(day) ?? 0;
  }
  const { withDose, withoutDose } = sides;
  const enough = Math.min(withDose.days, withoutDose.days) >= LEAST_SAMPLE;
  const rate = ({ days: n, events: times }: Sample) => times / n;
  return { ...sides, rates: enough ? { withDose: rate(withDose), withoutDose: rate(withoutDose) } : null };
}

/** A day's side effects and doses. */
export interface EffectDayInput {
  day: string;
  doses: number;
  effects: number;
  /** Mean from 1 to 5; null on a day without side effects. */
  severity: number | null;
}
