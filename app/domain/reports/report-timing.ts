import { durationText } from '#app/domain/doses/dose-line.ts';
import { MINUTE_MS } from '#app/domain/time/calendar.ts';

/** Taken within so many minutes of the due time counts as on time. */
export const ON_TIME_MINUTES = 30;

/**
 * How late a dose was taken: whole minutes between due time and taking, begun ones not counted; below zero when it was
 * early.
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

/** How often doses were taken how many minutes late. Its size depends on the minutes, not on the doses. */
export type TimingCounts = ReadonlyMap<number, number>;

/** How punctually the doses of a period were taken. */
export interface TimingSummary {
  /** Doses that have a due time and were taken. */
  count: number;
  /** Of them, those within {@link ON_TIME_MINUTES} of the due time, both ends included. */
  onTime: number;
  early: number;
  late: number;
  /** Minutes late in the middle of all, the earlier of the two middle ones of an even number; null without any. */
  medianMinutes: number | null;
}

/** The summary of counted minutes. */
export function summariseTiming(counts: TimingCounts): TimingSummary {
  const minutes = [...counts].filter(([, count]) => count > 0).sort(([a], [b]) => a - b);
  const sum = (wanted: (minute: number) => boolean) =>
    minutes.reduce((total, [minute, count]) => total + (wanted(minute) ? count : 0), 0);
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

/** The summary in words; null when nothing with a due time was taken. */
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
