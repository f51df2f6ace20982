import { calendarDay, dayAfter, daysBefore, instantOfWallTime } from '#app/domain/time/zoned-time.ts';
import type { NotificationState } from './notification-choices.ts';
import type { ReminderType } from './reminder-stages.ts';

type QuietHours = Pick<NotificationState, 'quietFrom' | 'quietTo'>;

/**
 * Whether an instant is in the quiet hours, which include their first minute and not their last. Clock changes move both as
 * they move doses: a time that is skipped comes later by the gap, of a time that exists twice the earlier one counts.
 */
export function isInQuietHours({ quietFrom, quietTo }: QuietHours, now: Date, timeZone: string): boolean {
  if (quietFrom === null || quietTo === null) return false;
  const today = calendarDay(now, timeZone);
  return [daysBefore(today, 1), today].some((day) => {
    const from = instantOfWallTime(day, quietFrom, timeZone);
    const to = instantOfWallTime(quietFrom < quietTo ? day : dayAfter(day, 1), quietTo, timeZone);
    return from <= now && now < to;
  });
}

/** Whether a reminder is only listed in the bell: in quiet hours and while muted, unless its owner finds it urgent. */
export function isHeldBack(
  state: NotificationState,
  type: ReminderType,
  { now, timeZone }: { now: Date; timeZone: string },
): boolean {
  if (state.urgentOverdue && type === 'overdue') return false;
  return (state.mutedUntil ?? now) > now || isInQuietHours(state, now, timeZone);
}

/** The end of the day that an instant falls on in a zone. */
export function endOfDay(now: Date, timeZone: string): Date {
  return instantOfWallTime(dayAfter(calendarDay(now, timeZone), 1), '00:00', timeZone);
}
