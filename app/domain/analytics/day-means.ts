import { calendarDay } from '#app/domain/time/zoned-time.ts';
import type { DayValue } from './moving-average.ts';

/** Values of a moment: how many, and what they add up to. */
export interface MomentSum {
  at: Date;
  count: number;
  sum: number;
}

/** The mean of each day that has a value, in order. Days are those of the zone. */
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
