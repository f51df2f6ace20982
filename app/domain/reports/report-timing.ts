import { durationText } from '#app/domain/doses/dose-line.ts';
import { MINUTE_MS } from '#app/domain/time/calendar.ts';

/** A dose taken within this many minutes of its due time is on time. */
export const ON_TIME_MINUTES = 30;

/**
 * How late a dose was taken, in whole minutes, rounded towards zero; negative if it was early.
 */
export function minutesLate(dueDate: Date, takenAt: Date): number {
  // `|| 0` so that half a minute early is 0 and not -0.
  return Math.trunc((takenAt.getTime() - dueDate.getTime()) / MINUTE_MS) || 0;
}

/** "on time" to the minute, "12 min late", "1 h 5 min early". */
export function timingText(minutes: number): string {
  if (minutes === 0) return 'on time';
  return `${durationText(Math.abs(minutes))} ${minutes > 0 ? 'late' : 'early'}`;
}

/** The number of doses by minutes late. Its size depends on the distinct minutes, not on the number of doses. */
export type TimingCounts = ReadonlyMap<number, number>;

export interface TimingSummary {
  /** Number of planned doses that were taken. */
  count: number;
  /** Those taken within {@link ON_TIME_MINUTES} of the due time, inclusive. */
  onTime: number;
  early: number;
  late: number;
  /** The median of minutes late; for an even count, the lower of the two middle values; null if there are none. */
  medianMinutes: number | null;
}

export function summariseTiming(counts: TimingCounts): TimingSummary {
  const minutes = [...counts].filter(([, count]) => count > 0).sort(([a], [b]) => a - b);
  const sum = (isIncluded: (minute: number) => boolean) =>
    minutes.reduce((total, [minute, count]) => total + (isIncluded(minute) ? count : 0), 0);
  const count = sum(() => true);
  let [seen, medianMinutes] = [0, null as number | null];
  for (const [minute, times] of minutes) {
    seen += times;
    if (medianMinutes === null && seen * 2 >= count) medianMinutes = minute;
  }
  return {
    count,
    onTime: sum((minute) => Math.abs(minute) <= ON_TIME_MINUTES),
    early: sum((minute) => minute < -ON_TIME_MINUTES),
    late: sum((minute) => minute > ON_TIME_MINUTES),
    medianMinutes,
  };
}

/** The summary as text; null if no planned dose was taken. */
export function timingSummaryText({
  count,
  onTime,
  early,
  late,
  medianMinutes,
}: TimingSummary): string | null {
  if (medianMinutes === null) return null;
  const within = `${onTime} of ${count} taken within ${ON_TIME_MINUTES} min of the due time`;
  return `${within}, ${early} earlier, ${late} later. Median: ${timingText(medianMinutes)}.`;
}
