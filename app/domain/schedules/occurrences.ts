import { doseOfWeek } from './dose-amount.ts';
import { DAY_MS, dayText, minuteOfDay } from './day-number.ts';
import { doseDays, isDoseDay, weekOf } from './dose-days.ts';
import type { Occurrence, ScheduleRule } from './schedule-types.ts';
import { zoneClock, type ZoneClock } from './zone-clock.ts';

/** From an instant (included) to another (excluded). */
export interface OccurrenceWindow {
  from: Date;
  to: Date;
}

/** By this much a day of a zone may begin before midnight UTC, or a dose fall behind its day where a day is left out. */
const DAYS_BEFORE = 2;
const DAYS_AFTER = 1;

/**
 * A zone that crosses the date line leaves a whole day out (Samoa had no 30 December 2011): its doses move on by that
 * day, unless the day they move to has them anyway.
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
 * The doses of a schedule that fall into a window, sorted by their instant. Windows that follow each other give together
 * what one window over all of them gives. The time of day is kept on the clock of the schedule's zone: 08:00 stays 08:00.
 * A time that a day does not have moves forward by the gap, one that it has twice is the earlier (decisions, section 9).
 * @param clock share one between schedules of a zone; by default a new one
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
