import { calendarDay, instantOfWallTime, readMoment } from '#app/domain/time/zoned-time.ts';
import { isCalendarDay } from '#app/domain/time/calendar-day.ts';

/** When a side effect was over: as it was told, and as an instant. */
export interface EffectEnd {
  resolvedDate: string | null;
  resolvedAt: Date | null;
}

/** It lasts. */
export const NO_END: EffectEnd = { resolvedDate: null, resolvedAt: null };

/** What a reader of an end must know of the world. */
export interface EndSetting {
  now: Date;
  timeZone: string;
  /** How far ahead of `now` a moment may lie. */
  aheadMs: number;
}

/** A day alone means its noon, which is wrong by half a day at most, and never before the start on the same day. */
function instantOfEnd(text: string, startedAt: Date, { now, timeZone, aheadMs }: EndSetting): Date | null {
  const past = (at: Date | null) => (at !== null && at.getTime() <= now.getTime() + aheadMs ? at : null);
  if (!isCalendarDay(text)) return past(readMoment(text, timeZone, now));
  const isStartDay = text === calendarDay(startedAt, timeZone);
  const noon = instantOfWallTime(text, '12:00', timeZone);
  const at = isStartDay && noon < startedAt ? startedAt : noon;
  // The noon of today may still be to come.
  return text === calendarDay(now, timeZone) ? at : past(at);
}

/**
 * The end of a side effect from a day or a moment that the operation's schema has let through.
 * @returns or why it cannot be: it lies in the future, or before the start
 */
export function effectEnd(
  text: string,
  startedAt: Date,
  setting: EndSetting,
): EffectEnd | { problem: 'future' | 'order' } {
  const resolvedAt = instantOfEnd(text, startedAt, setting);
  if (resolvedAt === null) return { problem: 'future' };
  if (resolvedAt < startedAt) return { problem: 'order' };
  return { resolvedDate: isCalendarDay(text) ? text : resolvedAt.toISOString(), resolvedAt };
}
