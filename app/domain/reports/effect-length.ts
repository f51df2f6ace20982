import { hoursText } from '#app/domain/tracking/side-effect-statistics.ts';
import { isCalendarDay } from '#app/domain/time/calendar-day.ts';

/** When a side effect began and ended. */
export interface EffectSpan {
  startedAt: Date;
  /** As it was told: a day or an instant; null while it lasts. */
  resolvedDate: string | null;
  resolvedAt: Date | null;
}

/**
 * How long a side effect lasted: "6.5 h"; "about 3 days" when only the day of its end is known; "lasts" while it does.
 */
export function effectLength({ startedAt, resolvedDate, resolvedAt }: EffectSpan): string {
  if (resolvedAt === null) return 'lasts';
  const text = hoursText((resolvedAt.getTime() - startedAt.getTime()) / 3_600_000);
  if (resolvedDate === null || !isCalendarDay(resolvedDate)) return text;
  return resolvedAt.getTime() === startedAt.getTime() ? 'less than a day' : `about ${text}`;
}
