import { IANAZone } from 'luxon';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#app/domain/time/durations.ts';
import { dayNumber, weekdayIndex, dayText, minuteOfDay } from '#app/domain/time/calendar-day.ts';
import { localDateTime } from '#app/domain/time/zoned-time.ts';
import {
  WEEKDAYS,
  type Course,
  type Frequency,
  type MonthDay,
  type ScheduleRule,
  type Occurrence,
  doseOfWeek,
} from './schedule-rule.ts';

/** Where a time of day falls. */
interface Placed {
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  /** By how much the clock jumped over it; 0 for a time that the day has. */
  readonly gapMs: number;
}

/** Turns times of day of one zone into instants. Remembers what it asked, so share it between walks of one zone. */
export interface ZoneClock {
  readonly timeZone: string;
  /** @param day see `dayNumber` @param minute minutes after midnight */
  place(day: number, minute: number): Placed;
}

interface Offsets {
  /** Offset from UTC in milliseconds at an instant. */
  at(instant: number): number;
  /** The same at midnight UTC of a day. */
  ofDay(day: number): number;
}

/**
 * Decides by "compatible" of Temporal (TC39 proposal, `disambiguation`): the earlier of two instants; a time that was
 * jumped over is as far after the jump as it would have been after its beginning, so 02:30 becomes 03:30.
 * luxon itself answers a time that exists twice by the offset of the present day, which no result may depend on.
 */
function placeNearChange(local: number, offsets: readonly number[], offsetAt: Offsets['at']): Placed {
  const fits = offsets.filter((offset) => offsetAt(local - offset) === offset);
  if (fits.length > 0) return { at: local - Math.max(...fits), gapMs: 0 };
  for (const [index, before] of offsets.entries()) {
    const after = offsets[index + 1] ?? before;
    if (after > before && offsetAt(local - after) === before)
      return { at: local - before, gapMs: after - before };
  }
  return { at: local - (offsets[0] ?? 0), gapMs: 0 };
}

function offsetsOf(zone: IANAZone): Offsets {
  const known = new Map<number, number>();
  const at = (instant: number) => Math.round(zone.offset(instant) * MINUTE_MS);
  return {
    at,
    ofDay(day) {
      const remembered = known.get(day);
      if (remembered !== undefined) return remembered;
      const offset = at(day * DAY_MS);
      known.set(day, offset);
      return offset;
    },
  };
}

/** The clock of an IANA zone. Its rules are those this runtime knows. */
export function zoneClock(timeZone: string): ZoneClock {
  const { at, ofDay } = offsetsOf(IANAZone.create(timeZone));
  return {
    timeZone,
    place(day, minute) {
      const local = day * DAY_MS + minute * MINUTE_MS;
      // No zone is more than a day from UTC: the instant lies between the midnights before and after the next ones.
      const offsets = [ofDay(day - 1), ofDay(day), ofDay(day + 1), ofDay(day + 2)];
      const [first = 0] = offsets;
      if (offsets.every((offset) => offset === first)) return { at: local - first, gapMs: 0 };
      return placeNearChange(local, [...new Set(offsets)], at);
    },
  };
}

const WEEK_DAYS = 7;

/** The part of a schedule that decides its days. */
type DayRule = Pick<ScheduleRule, 'frequency' | 'startDate' | 'endDate' | 'course'>;

/** The week since the start date that a day belongs to, 0 for the first. */
function weekOf(rule: Pick<ScheduleRule, 'startDate'>, day: number): number {
  return Math.floor((day - dayNumber(rule.startDate)) / WEEK_DAYS);
}

/** Whether a day is the wanted one of its month: the last one where the month is too short. */
function isMonthDay(wanted: MonthDay, day: number): boolean {
  const ofMonth = new Date(day * DAY_MS).getUTCDate();
  if (ofMonth === wanted) return true;
  const isLast = new Date((day + 1) * DAY_MS).getUTCDate() === 1;
  return isLast && (wanted === 'last' || ofMonth < wanted);
}

function comesOn(frequency: Frequency, day: number, start: number): boolean {
  switch (frequency.kind) {
    case 'daily':
      return true;
    case 'weekdays':
      return frequency.weekdays.some((name) => WEEKDAYS.indexOf(name) === weekdayIndex(day));
    case 'interval':
      return (day - start) % frequency.every === 0;
    case 'cycle':
      return (day - start) % (frequency.on + frequency.off) < frequency.on;
    case 'monthly':
      return isMonthDay(frequency.day, day);
    case 'once':
      return day === start;
    // Its days follow from when doses are taken, see `occurrences`.
    case 'after-last':
      return false;
  }
}

function isWeekOn(course: Course | null, week: number): boolean {
  return course === null || week % (course.weeksOn + course.weeksOff) < course.weeksOn;
}

/** Whether a schedule has doses on a day of its zone's calendar. */
function isDoseDay(rule: DayRule, day: number): boolean {
  const start = dayNumber(rule.startDate);
  if (day < start || (rule.endDate !== null && day > dayNumber(rule.endDate))) return false;
  return comesOn(rule.frequency, day, start) && isWeekOn(rule.course, weekOf(rule, day));
}

function lastDay({ frequency, startDate, endDate }: DayRule): number {
  const last = frequency.kind === 'once' ? startDate : endDate;
  return last === null ? Infinity : dayNumber(last);
}

/** The days with doses from one day to another, both included. */
function* doseDays(rule: DayRule, from: number, to: number): Generator<number> {
  const start = dayNumber(rule.startDate);
  const stride = rule.frequency.kind === 'interval' ? rule.frequency.every : 1;
  const first = start + Math.ceil(Math.max(0, from - start) / stride) * stride;
  const last = Math.min(to, lastDay(rule));
  for (let day = first; day <= last; day += stride) {
    if (comesOn(rule.frequency, day, start) && isWeekOn(rule.course, weekOf(rule, day))) yield day;
  }
}

/** True when a schedule has no dose days from this one on. */
export function isOverBy(rule: DayRule, day: number): boolean {
  return lastDay(rule) < day;
}

/** From an instant (included) to another (excluded). */
interface OccurrenceWindow {
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

/** The doses of a schedule that counts from the last one taken, as they come when each is taken at the time it is due. */
function occurrencesFromFirst(
  rule: ScheduleRule,
  everyHours: number,
  begin: number,
  end: number,
): Occurrence[] {
  const first = (rule.firstDueAt ?? new Date(dayNumber(rule.startDate) * DAY_MS)).getTime();
  const step = everyHours * HOUR_MS;
  const found: Occurrence[] = [];
  for (let at = first + Math.max(0, Math.ceil((begin - first) / step)) * step; at < end; at += step) {
    const [localDay = '', wallTime = ''] = localDateTime(new Date(at), rule.timeZone).split(' ');
    if (rule.endDate !== null && localDay > rule.endDate) break;
    found.push({ localDay, wallTime, dueDate: new Date(at), doseAmount: doseOnDay(rule, localDay) });
  }
  return found;
}

/** The dose of a calendar day (YYYY-MM-DD) of a schedule, as decimal text in its unit. */
export function doseOnDay(rule: ScheduleRule, day: string): string {
  return doseOfWeek(rule, Math.max(0, weekOf(rule, dayNumber(day))));
}

/**
 * The doses of a schedule within a window, sorted by instant. Adjacent windows together give the same doses as one
 * large window. Times are local to the schedule's zone: 08:00 stays 08:00. A time skipped by a clock change moves
 * forward by the gap; a time that occurs twice is the earlier one. Of a schedule that counts from the last dose taken these
 * are the doses that come if each is taken when it is due.
 * @param clock can be shared between schedules of one zone
 */
export function occurrences(
  rule: ScheduleRule,
  { from, to }: OccurrenceWindow,
  clock: ZoneClock = zoneClock(rule.timeZone),
): Occurrence[] {
  const [begin, end] = [from.getTime(), to.getTime()];
  if (rule.frequency.kind === 'after-last')
    return occurrencesFromFirst(rule, rule.frequency.everyHours, begin, end);
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

/** Doses that a preview shows. */
const PREVIEW_DOSES = 14;

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

/** An existing dose that stays: taken, skipped, missed, or due before now. */
export type KeptDose = Pick<Occurrence, 'localDay' | 'wallTime'>;

/**
 * Which doses have to be created beside those that stay. After a change of times no day gets more doses than the
 * schedule has times: someone who took the 08:00 dose and then moves it to 21:00 gets no second one today.
 * @param timesADay how many doses a day of the schedule has
 */
export function dosesToMake(
  wanted: readonly Occurrence[],
  kept: readonly KeptDose[],
  timesADay: number,
): Occurrence[] {
  const keptOn = new Map<string, Set<string>>();
  for (const { localDay, wallTime } of kept) {
    const times = keptOn.get(localDay) ?? new Set();
    keptOn.set(localDay, times.add(wallTime));
  }
  const open = wanted.filter(({ localDay, wallTime }) => !keptOn.get(localDay)?.has(wallTime));
  const left = new Map<string, number>();
  const roomOn = (day: string) => left.get(day) ?? timesADay - (keptOn.get(day)?.size ?? 0);
  const made = open.toReversed().filter(({ localDay }) => {
    const room = roomOn(localDay);
    left.set(localDay, room - 1);
    return room > 0;
  });
  return made.reverse();
}
