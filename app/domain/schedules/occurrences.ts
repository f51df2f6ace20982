import { DAY_MS } from '#app/domain/time/durations.ts';
import { doseOfWeek } from './ramp.ts';
import { dayText, minuteOfDay } from './day-number.ts';
import { doseDays, isDoseDay, weekOf } from './dose-days.ts';
import type { Occurrence, ScheduleRule } from './schedule-types.ts';
import { zoneClock, type ZoneClock } from './zone-clock.ts';

/** From an instant (included) to another (excluded). */
export interface OccurrenceWindow {
  from: Date;
  to: Date;
}

/** How far a zone's day may begin before midnight UTC, or a dose may fall after its day where a zone skips a day. */
const DAYS_BEFORE = 2;
const DAYS_AFTER = 1;

/**
 * A zone that crosses the date line skips a whole day (Samoa had no 30 December 2011). Its doses move to the next day,
 * unless that day has doses of its own.
 */
function isDoubled(rule: ScheduleRule, day: number, gapMs: number): boolean {
  return gapMs >= DAY_MS && isDoseDay(rule, day + Math.round(gapMs / DAY_MS));
}

function compareOccurrences(a: Occurrence, b: Occurrence): number {
  const byTime = a.dueDate.getTime() - b.dueDate.getTime();
  if (byTime !== 0) return byTime;
  return `${a.localDay}${a.wallTime}` < `${b.localDay}${b.wallTime}` ? -1 : 1;
}

/**
 * The doses of a schedule within a window, sorted by instant. Adjacent windows together give the same doses as one
 * large window. Times are local to the schedule's zone: 08:00 stays 08:00. A time skipped by a clock change moves
 * forward by the gap; a time that occurs twice is the earlier one.
 * @param clock can be shared between schedules of one zone
 */
export function occurrences(
  rule: ScheduleRule,
  { from, to }: OccurrenceWindow,
  clock: ZoneClock = zoneClock(rule.timeZone),
): Occurrence[] {
  const [begin, end] = [from.getTime(), to.getTime()];
  const times = rule.times.map((wallTime) => ({ wallTime, minute: minuteOfDay(wallTime) }));
  const found: Occurrence[] = [];
  const firstDay = Math.floor(begin / DAY_MS) - DAYS_BEFORE;
  const lastDay = Math.floor(end / DAY_MS) + DAYS_AFTER;
  for (const day of doseDays(rule, firstDay, lastDay)) {
    for (const { wallTime, minute } of times) {
      const { at, gapMs } = clock.place(day, minute);
      if (at < begin || at >= end || isDoubled(rule, day, gapMs)) continue;
      const doseAmount = doseOfWeek(rule, weekOf(rule, day));
      found.push({ localDay: dayText(day), wallTime, dueDate: new Date(at), doseAmount });
    }
  }
  return found.sort(compareOccurrences);
}
