import { calendarDay } from '#app/domain/time/zoned-time.ts';
import type { ScheduleRule } from './schedule-rule.ts';

/** Whether a schedule is over: its last day has passed, its one dose has, or the vial with which it ends is used up. */
export function hasEnded(
  { frequency, startDate, endDate, timeZone, stopsAt }: ScheduleRule,
  now: Date,
): boolean {
  const last = frequency.kind === 'once' ? startDate : endDate;
  const isPast = last !== null && last < calendarDay(now, timeZone);
  return isPast || (stopsAt ? stopsAt <= now : false);
}

/** Whether a schedule can begin again: one that is over, or that its owner paused. */
export const canBeginAgain = (schedule: ScheduleRule & { readonly isActive: boolean }, now: Date): boolean =>
  !schedule.isActive || hasEnded(schedule, now);
