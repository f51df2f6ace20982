import { DAY_MS } from '#app/domain/time/durations.ts';
import { dayNumber } from './day-number.ts';
import { isOverBy } from './dose-days.ts';
import { occurrences } from './occurrences.ts';
import type { Occurrence, ScheduleRule } from './schedule-types.ts';
import { zoneClock } from './zone-clock.ts';

/** Doses that a preview shows. */
export const PREVIEW_DOSES = 14;

/** How far to look for doses: a schedule may have one a year. */
const HORIZON_DAYS = 20 * 366;
const FIRST_WINDOW_DAYS = 16;
const LONGEST_WINDOW_DAYS = 512;

/**
 * The first doses of a schedule due at or after an instant, found in growing windows.
 * @returns fewer when the schedule ends, or has so few within twenty years
 */
export function firstOccurrences(rule: ScheduleRule, from: Date, count: number): Occurrence[] {
  const clock = zoneClock(rule.timeZone);
  const begin = Math.max(from.getTime(), (dayNumber(rule.startDate) - 1) * DAY_MS);
  const horizon = begin + HORIZON_DAYS * DAY_MS;
  const found: Occurrence[] = [];
  let windowDays = FIRST_WINDOW_DAYS;
  for (
    let at = begin;
    at < horizon && found.length < count;
    windowDays = Math.min(windowDays * 2, LONGEST_WINDOW_DAYS)
  ) {
    const next = Math.min(at + windowDays * DAY_MS, horizon);
    found.push(...occurrences(rule, { from: new Date(at), to: new Date(next) }, clock));
    // A dose may fall up to two days behind its own day, see `occurrences`.
    if (isOverBy(rule, Math.floor(next / DAY_MS) - 2)) break;
    at = next;
  }
  return found.slice(0, count);
}

/** The next dose at or after an instant, or null. */
export function nextOccurrence(rule: ScheduleRule, from: Date): Occurrence | null {
  return firstOccurrences(rule, from, 1)[0] ?? null;
}

/** The doses of a preview: the first ones from the start date on. */
export function previewDoses(rule: ScheduleRule): Occurrence[] {
  return firstOccurrences(rule, new Date((dayNumber(rule.startDate) - 1) * DAY_MS), PREVIEW_DOSES);
}
