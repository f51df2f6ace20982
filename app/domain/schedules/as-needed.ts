import { DateTime } from 'luxon';
import { durationText } from '#app/domain/doses/dose-line.ts';
import { overDailyLimit, tooSoonAfter, type DoseWarning } from '#app/domain/doses/dose-warnings.ts';
import { plural } from '#app/domain/text/plural.ts';
import { HOUR_MS, MINUTE_MS } from '#app/domain/time/calendar.ts';
import { calendarDay, instantsOfDays } from '#app/domain/time/zoned-time.ts';
import { pauseOn } from './pauses.ts';
import type { AsNeeded, ScheduleRule } from './schedule-rule.ts';

/** The other taken doses of a compound, around the moment at which one is taken as needed. */
export interface TakenAround {
  /** When the nearest ones on both sides were taken; null when there is none. */
  readonly before: Date | null;
  readonly after: Date | null;
  /** How many were taken on the calendar day of the moment. */
  readonly onDay: number;
}

/** "13:20", with the day when it is another one: "24 Nov, 13:20". */
function clockText(at: Date, from: Date, timeZone: string): string {
  const local = DateTime.fromJSDate(at, { zone: timeZone }).setLocale('en-GB');
  return local.toFormat(calendarDay(at, timeZone) === calendarDay(from, timeZone) ? 'HH:mm' : 'd LLL, HH:mm');
}

/**
 * What to ask before a dose is taken as needed: it comes sooner after another one than its plan says, or there are more on
 * the day. Exactly at the end of the gap is not too soon.
 * @param timeZone the owner's, in which days and times are told
 */
export function asNeededWarnings(
  { minGapHours, maxPerDay }: AsNeeded,
  at: Date,
  { before, after, onDay }: TakenAround,
  timeZone: string,
): DoseWarning[] {
  const gapMs = (minGapHours ?? 0) * HOUR_MS;
  const gap = plural(minGapHours ?? 0, 'hour');
  const time = (moment: Date) => clockText(moment, at, timeZone);
  const found: DoseWarning[] = [];
  if (before !== null && at.getTime() - before.getTime() < gapMs)
    found.push(
      tooSoonAfter(
        `The last one was taken at ${time(before)}. Your plan keeps at least ${gap} between doses: the next one from ${time(new Date(before.getTime() + gapMs))}.`,
      ),
    );
  if (after !== null && after.getTime() - at.getTime() < gapMs)
    found.push(
      tooSoonAfter(`Another one was taken at ${time(after)}. Your plan keeps at least ${gap} between doses.`),
    );
  if (maxPerDay !== undefined && onDay >= maxPerDay)
    found.push(
      overDailyLimit(
        `Your plan has at most ${plural(maxPerDay, 'dose')} a day. This would be number ${onDay + 1}.`,
      ),
    );
  return found;
}

/**
 * From when on the next dose asks nothing: the end of the gap after the last one, and the next day once the doses of the day
 * are taken. Null when that is now.
 */
export function nextFrom(
  { minGapHours, maxPerDay }: AsNeeded,
  now: Date,
  { before, onDay }: TakenAround,
  timeZone: string,
): Date | null {
  const day = calendarDay(now, timeZone);
  const tomorrow = instantsOfDays(day, day, timeZone).before ?? now;
  const ends = [
    before === null ? 0 : before.getTime() + (minGapHours ?? 0) * HOUR_MS,
    maxPerDay !== undefined && onDay >= maxPerDay ? tomorrow.getTime() : 0,
  ];
  const latest = Math.max(...ends);
  return latest > now.getTime() ? new Date(latest) : null;
}

/** "Last taken 5 h ago, next from 13:20 · 2 of 3 today" */
export function asNeededText(rule: AsNeeded, now: Date, around: TakenAround, timeZone: string): string {
  const { before, onDay } = around;
  const next = nextFrom(rule, now, around, timeZone);
  const ago = before === null ? 0 : Math.floor((now.getTime() - before.getTime()) / MINUTE_MS);
  const last =
    before === null
      ? 'Not taken yet'
      : ago < 1
        ? 'Last taken just now'
        : `Last taken ${durationText(ago)} ago`;
  const sentence = next === null ? last : `${last}, next from ${clockText(next, now, timeZone)}`;
  return rule.maxPerDay === undefined ? sentence : `${sentence} · ${onDay} of ${rule.maxPerDay} today`;
}

/** Whether a plan is in force on the calendar day of its zone: from its first day to its last, but for planned pauses. */
export function runsOn({ startDate, endDate, timeZone, pauses, stopsAt }: ScheduleRule, now: Date): boolean {
  const day = calendarDay(now, timeZone);
  const isOver = (endDate !== null && day > endDate) || (stopsAt ? now >= stopsAt : false);
  return startDate <= day && !isOver && pauseOn(pauses, day) === null;
}
