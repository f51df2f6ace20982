import { DAY_MS, HOUR_MS, MINUTE_MS } from '#app/domain/time/calendar.ts';
import { DateTime } from 'luxon';

/**
 * How long ago something was, as the bell shows it: 'Just now', '5m ago', '3h ago', or the date after a day ("9 Mar
 * 2026").
 * @param timeZone for the date
 */
export function relativeTime(at: Date, now: Date, timeZone: string): string {
  const ms = now.getTime() - at.getTime();
  if (ms < MINUTE_MS) return 'Just now';
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)}m ago`;
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)}h ago`;
  return DateTime.fromJSDate(at, { zone: timeZone }).setLocale('en').toFormat('d LLL yyyy');
}

/** The number on the bell: at most '9+'; null when everything is read. */
export function badgeText(unread: number): string | null {
  if (unread <= 0) return null;
  return unread > 9 ? '9+' : String(unread);
}
