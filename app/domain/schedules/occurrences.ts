import { IANAZone } from 'luxon';
import {
  dayNumber,
  weekdayIndex,
  dayText,
  minuteOfDay,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
} from '#app/domain/time/calendar.ts';
import { calendarDay, instantOfWallTime, localDateTime } from '#app/domain/time/zoned-time.ts';
import {
  activeMoves,
  doseKeyOf,
  moveKey,
  placeText,
  type ActiveMoves,
  afterPauses,
  isWithin,
  pauseOn,
  pauseSpans,
  type PlannedPause,
} from './plan-changes.ts';
import {
  WEEKDAYS,
  type Course,
  type Frequency,
  type MonthDay,
  type ScheduleRule,
  type Occurrence,
  doseOfDay,
  hasTimes,
} from './schedule-rule.ts';
import type { DoseStatus } from '#app/domain/doses/dose.ts';

/** The instant of a time of day. */
interface Placed {
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  /** How far the clock jumped, if it skipped this time; otherwise 0. */
  readonly gapMs: number;
}

/** Turns times of day in one zone into instants. It caches offsets, so share one between walks through a zone. */
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
 * Follows Temporal's "compatible" disambiguation (TC39 proposal): a time that occurs twice is the earlier instant; a
 * skipped time moves forward by the length of the gap, so 02:30 becomes 03:30. Luxon resolves a time that occurs twice by
 * today's offset, which no result may depend on.
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

/** The clock of an IANA zone, by this runtime's zone data. */
export function zoneClock(timeZone: string): ZoneClock {
  const { at, ofDay } = offsetsOf(IANAZone.create(timeZone));
  return {
    timeZone,
    place(day, minute) {
      const local = day * DAY_MS + minute * MINUTE_MS;
      // No zone is more than a day from UTC, so only the offsets around these four midnights can apply.
      const offsets = [ofDay(day - 1), ofDay(day), ofDay(day + 1), ofDay(day + 2)];
      const [first = 0] = offsets;
      if (offsets.every((offset) => offset === first)) return { at: local - first, gapMs: 0 };
      return placeNearChange(local, [...new Set(offsets)], at);
    },
  };
}

const WEEK_DAYS = 7;

/** The fields of a schedule that decide its days. */
type DayRule = Pick<ScheduleRule, 'frequency' | 'startDate' | 'endDate' | 'course' | 'moves' | 'stopsAt'>;

/** The week of a day, counted from the start date; 0 for the first. */
function weekOf(rule: Pick<ScheduleRule, 'startDate'>, day: number): number {
  return Math.floor((day - dayNumber(rule.startDate)) / WEEK_DAYS);
}

/** Whether a day is the chosen day of its month, or the last day if the month is too short. */
function isMonthDay(target: MonthDay, day: number): boolean {
  const ofMonth = new Date(day * DAY_MS).getUTCDate();
  if (ofMonth === target) return true;
  const isLast = new Date((day + 1) * DAY_MS).getUTCDate() === 1;
  return isLast && (target === 'last' || ofMonth < target);
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
    // Their days depend on when doses are taken; see `occurrences`.
    case 'after-last':
    case 'as-needed':
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
  // Its doses are never planned, so there is nothing to look for.
  if (frequency.kind === 'as-needed') return -Infinity;
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
  if (rule.stopsAt && Math.floor(rule.stopsAt.getTime() / DAY_MS) < day) return true;
  const moved = activeMoves(rule.moves);
  if (moved === null) return lastDay(rule) < day;
  const single = [...moved.single.values()].map(({ to }) => Math.floor(to.getTime() / DAY_MS) + DAYS_AFTER);
  return Math.max(lastDay(rule) + moved.latestDays, ...single) < day;
}

/** Whether a schedule applies today, in its zone: it has started, has not ended and is not in a planned pause. */
export function runsOn({ startDate, endDate, timeZone, pauses, stopsAt }: ScheduleRule, now: Date): boolean {
  const day = calendarDay(now, timeZone);
  const isOver = (endDate !== null && day > endDate) || (stopsAt ? now >= stopsAt : false);
  return startDate <= day && !isOver && pauseOn(pauses, day) === null;
}

/** From an instant (inclusive) to another (exclusive). */
interface OccurrenceWindow {
  from: Date;
  to: Date;
}

/** Margin in days: zones start their day before or after midnight UTC, and a dose may move past a skipped day. */
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

/** Uninterrupted runs of a schedule that counts from the last dose; each planned pause starts a new run. */
function* runsFromFirst({ firstDueAt, startDate, pauses, timeZone }: ScheduleRule, step: number) {
  const spans = pauseSpans(pauses, (day) => instantOfWallTime(dayText(day), '00:00', timeZone).getTime());
  const planned = firstDueAt ?? new Date(dayNumber(startDate) * DAY_MS);
  let first = afterPauses(planned, pauses, timeZone).getTime();
  for (const { from, before } of spans) {
    const paused = first + Math.max(0, Math.ceil((from - first) / step)) * step;
    if (paused < from || paused >= before) continue;
    yield { first, before: paused };
    first = afterPauses(new Date(paused), pauses, timeZone).getTime();
  }
  yield { first, before: Infinity };
}

/** The doses of a schedule that counts from the last dose, assuming that each is taken when due. */
function occurrencesFromFirst(
  rule: ScheduleRule,
  everyHours: number,
  begin: number,
  end: number,
): Occurrence[] {
  const step = everyHours * HOUR_MS;
  const found: Occurrence[] = [];
  for (const { first, before } of runsFromFirst(rule, step)) {
    const until = Math.min(end, before);
    for (let at = first + Math.max(0, Math.ceil((begin - first) / step)) * step; at < until; at += step) {
      const [localDay = '', wallTime = ''] = localDateTime(new Date(at), rule.timeZone).split(' ');
      if (rule.endDate !== null && localDay > rule.endDate) return found;
      found.push({ localDay, wallTime, dueDate: new Date(at), doseAmount: doseOnDay(rule, localDay) });
    }
  }
  return found;
}

/** A schedule's dose on a calendar day (YYYY-MM-DD), as decimal text in its unit. */
export function doseOnDay(rule: ScheduleRule, day: string): string {
  return doseOfDay(rule, dayNumber(day), day);
}

/** Whether the schedule itself, without moves, has a dose with this key. */
function isPlanned(rule: ScheduleRule, key: string): boolean {
  const { localDay, wallTime } = doseKeyOf(key);
  return rule.times.includes(wallTime) && isDoseDay(rule, dayNumber(localDay));
}

/** Doses that were moved on their own and are now due within a window. */
function movedAlone(rule: ScheduleRule, { single }: ActiveMoves, begin: number, end: number): Occurrence[] {
  return [...single].flatMap(([key, { to, doseAmount }]) => {
    if (to.getTime() < begin || to.getTime() >= end) return [];
    if (doseAmount === null && !isPlanned(rule, key)) return [];
    const movedFrom = doseKeyOf(key);
    const place = doseKeyOf(localDateTime(to, rule.timeZone));
    const planned = doseAmount ?? doseOfDay(rule, dayNumber(movedFrom.localDay), place.localDay);
    return [{ ...place, dueDate: to, doseAmount: planned, movedFrom }];
  });
}

interface Walk {
  readonly rule: ScheduleRule;
  readonly moved: ActiveMoves | null;
  readonly clock: ZoneClock;
}

/** A dose that was not moved on its own. @returns null outside the window, and where another dose takes its place */
function plannedDose(
  { rule, moved, clock }: Walk,
  day: number,
  { wallTime, minute }: { wallTime: string; minute: number },
  { begin, end }: { begin: number; end: number },
): Occurrence | null {
  const here = { day, minute };
  const place = moved === null ? here : moved.shifted(moveKey({ localDay: dayText(day), wallTime }), here);
  const { at, gapMs } = clock.place(place.day, place.minute);
  if (at < begin || at >= end || isDoubled(rule, day, gapMs)) return null;
  const key = { localDay: dayText(day), wallTime };
  const isMoved = place.day !== day || place.minute !== minute;
  const dueDate = new Date(at);
  if (!isMoved) return { ...key, dueDate, doseAmount: doseOfDay(rule, day, key.localDay) };
  const movedTo = placeText(place);
  return { ...movedTo, dueDate, doseAmount: doseOfDay(rule, day, movedTo.localDay), movedFrom: key };
}

/**
 * The doses of a schedule within a window, sorted by instant. Adjacent windows together give the same doses as one
 * large window. Times are local to the schedule's zone: 08:00 stays 08:00. A time skipped by a clock change moves
 * forward by the gap; a time that occurs twice is the earlier one. Moved doses appear at their new times. Planned pauses
 * have no doses. For a schedule that counts from the last dose, each dose is assumed to be taken when due, or after the
 * pause it falls into. An as-needed schedule has none.
 * @param clock can be shared between schedules in the same zone
 */
export function occurrences(
  rule: ScheduleRule,
  { from, to }: OccurrenceWindow,
  clock: ZoneClock = zoneClock(rule.timeZone),
): Occurrence[] {
  const begin = from.getTime();
  const end = Math.min(to.getTime(), rule.stopsAt?.getTime() ?? Infinity);
  if (rule.frequency.kind === 'after-last')
    return occurrencesFromFirst(rule, rule.frequency.everyHours, begin, end);
  const times = rule.times.map((wallTime) => ({ wallTime, minute: minuteOfDay(wallTime) }));
  const moved = activeMoves(rule.moves);
  const walk = { rule, moved, clock };
  const found: Occurrence[] = moved === null ? [] : movedAlone(rule, moved, begin, end);
  const firstDay = Math.floor(begin / DAY_MS) - DAYS_BEFORE - (moved?.latestDays ?? 0);
  const lastDay = Math.floor(end / DAY_MS) + DAYS_AFTER + (moved?.earliestDays ?? 0);
  for (const day of doseDays(rule, firstDay, lastDay)) {
    for (const time of times) {
      if (moved?.single.has(moveKey({ localDay: dayText(day), wallTime: time.wallTime }))) continue;
      const dose = plannedDose(walk, day, time, { begin, end });
      if (dose !== null) found.push(dose);
    }
  }
  const open = rule.pauses?.length ? withoutPaused(rule, clock, found) : found;
  return open.sort(compareOccurrences);
}

/** The doses that are due outside planned pauses, by their final times. */
function withoutPaused({ pauses }: ScheduleRule, clock: ZoneClock, found: Occurrence[]): Occurrence[] {
  const spans = pauseSpans(pauses, (day) => clock.place(day, 0).at);
  return found.filter(({ dueDate }) => !isWithin(spans, dueDate.getTime()));
}

/**
 * One dose of a schedule at its current time.
 * @param key its original day and time
 * @returns null if the schedule does not have it, is paused then or has ended
 */
export function occurrenceOf(rule: ScheduleRule, key: KeptDose): Occurrence | null {
  const clock = zoneClock(rule.timeZone);
  const place = placeOf(rule, clock, key);
  const isOver = place !== null && rule.stopsAt ? place.dueDate >= rule.stopsAt : false;
  return place === null || isOver ? null : (withoutPaused(rule, clock, [place])[0] ?? null);
}

/** When one dose is due by its schedule and moves, before pauses. */
function placeOf(rule: ScheduleRule, clock: ZoneClock, key: KeptDose): Occurrence | null {
  const moved = activeMoves(rule.moves);
  const always = { begin: -Infinity, end: Infinity };
  if (moved?.single.has(moveKey(key)) === true) {
    const alone = movedAlone(rule, moved, always.begin, always.end);
    return alone.find((dose) => moveKey(plannedKey(dose)) === moveKey(key)) ?? null;
  }
  if (!hasTimes(rule.frequency) || !isPlanned(rule, moveKey(key))) return null;
  const time = { wallTime: key.wallTime, minute: minuteOfDay(key.wallTime) };
  return plannedDose({ rule, moved, clock }, dayNumber(key.localDay), time, always);
}

/** The original day and time of a dose, which identify it even after a move. */
export function plannedKey({
  localDay,
  wallTime,
  movedFrom,
}: Pick<Occurrence, 'localDay' | 'wallTime' | 'movedFrom'>): KeptDose {
  return movedFrom ?? { localDay, wallTime };
}

/** Doses that a preview shows. */
export const PREVIEW_DOSES = 14;

/** How far ahead to look for doses: a schedule may have one a year. */
const HORIZON_DAYS = 20 * 366;
const FIRST_WINDOW_DAYS = 16;
const LONGEST_WINDOW_DAYS = 512;

/** Earliest time any dose of a schedule can be due, in milliseconds since 1970. */
function earliestAt({ startDate, moves }: ScheduleRule): number {
  const moved = activeMoves(moves);
  const alone = [...(moved?.single.values() ?? [])].map(({ to }) => to.getTime());
  return Math.min((dayNumber(startDate) - 1 - (moved?.earliestDays ?? 0)) * DAY_MS, ...alone);
}

/**
 * The first doses of a schedule due at or after an instant, found in growing windows.
 * @returns fewer when the schedule ends, or has so few within twenty years
 */
export function firstOccurrences(rule: ScheduleRule, from: Date, count: number): Occurrence[] {
  const clock = zoneClock(rule.timeZone);
  const begin = Math.max(from.getTime(), earliestAt(rule));
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
    // A dose may be due up to two days after its own day; see `occurrences`.
    if (isOverBy(rule, Math.floor(next / DAY_MS) - 2)) break;
    at = next;
  }
  return found.slice(0, count);
}

/** The next dose at or after an instant, or null. */
export function nextOccurrence(rule: ScheduleRule, from: Date): Occurrence | null {
  return firstOccurrences(rule, from, 1)[0] ?? null;
}

/** The doses of a preview: the first ones from the start date. */
export function previewDoses(rule: ScheduleRule): Occurrence[] {
  return firstOccurrences(rule, new Date((dayNumber(rule.startDate) - 1) * DAY_MS), PREVIEW_DOSES);
}

/** The original day and time of an existing dose that stays: taken, skipped, missed, or due before now. */
export type KeptDose = Pick<Occurrence, 'localDay' | 'wallTime'>;

/**
 * Which doses have to be created in addition to those that stay. After a change of times, no day gets more doses than the
 * schedule has times: someone who took the 08:00 dose and then changes the time to 21:00 gets no second dose today.
 * @param timesADay how many doses a day of the schedule has
 */
export function dosesToMake(
  target: readonly Occurrence[],
  kept: readonly KeptDose[],
  timesADay: number,
): Occurrence[] {
  const keptOn = new Map<string, Set<string>>();
  for (const { localDay, wallTime } of kept) {
    const times = keptOn.get(localDay) ?? new Set();
    keptOn.set(localDay, times.add(wallTime));
  }
  const open = target.filter((dose) => {
    const { localDay, wallTime } = plannedKey(dose);
    return !keptOn.get(localDay)?.has(wallTime);
  });
  const left = new Map<string, number>();
  const roomOn = (day: string) => left.get(day) ?? timesADay - (keptOn.get(day)?.size ?? 0);
  const made = open.toReversed().filter((dose) => {
    const { localDay } = plannedKey(dose);
    const room = roomOn(localDay);
    left.set(localDay, room - 1);
    return room > 0;
  });
  return made.reverse();
}

/** How a dose is linked to the previous dose of a schedule that counts from the last dose. */
export interface DoseChain {
  /** Id of the previous dose; null for the first one. */
  readonly after: string | null;
  /** Hours after the last taken dose, as set in the schedule when this dose was created. */
  readonly everyHours: number;
}

/** The fields of a dose that the next one depends on. */
export interface ChainedDose {
  readonly id: string;
  readonly status: DoseStatus;
  readonly dueDate: Date;
  readonly takenAt: Date | null;
  /** Set if a person changed it. */
  readonly before?: object | null;
  /** When that was. */
  readonly actedAt?: Date | null;
  /** When it became missed without anyone marking it. */
  readonly missAt?: Date | null;
  readonly chain?: DoseChain | null;
}

/** What decides the next dose of a schedule, apart from its doses. */
export interface ChainPlan {
  readonly everyHours: number;
  readonly firstDueAt: Date;
  /** When a dose was last taken before an import, which did not bring the dose itself. */
  readonly lastTakenBefore: Date | null;
  /** New due times of doses moved by hand, by the id of the previous dose ("none" for the first). */
  readonly movedTo?: ReadonlyMap<string, Date>;
  /** When the schedule was last resumed; no dose is due before. Null if it never was. */
  readonly resumedAt: Date | null;
  /** Planned pauses, in calendar days of `timeZone`. */
  readonly pauses?: readonly PlannedPause[] | null;
  /** When the vial that the schedule ends with was used up; no dose is due from then on, moved or not. */
  readonly stopsAt?: Date | null;
  readonly timeZone: string;
}

const later = (a: Date | null, b: Date | null) => (a === null || (b !== null && b > a) ? b : a);

const latest = (dates: readonly (Date | null)[]) => dates.reduce<Date | null>(later, null);

/** When a dose was skipped or became missed. */
function leftOutAt({ before, actedAt, missAt, dueDate }: ChainedDose): Date {
  const at = (before ?? null) === null ? missAt : actedAt;
  return at ?? dueDate;
}

/** When a dose counts as left out: when it was due, or when it was skipped if that was earlier. */
const placeOfLeftOut = (dose: ChainedDose) => Math.min(dose.dueDate.getTime(), leftOutAt(dose).getTime());

/**
 * When the next dose is due: `everyHours` after the last one taken. If a later dose was skipped or missed, it is due a whole
 * number of intervals after that dose was due, past the moment it was left out, so that doses never pile up.
 */
function nextDueAt(doses: readonly ChainedDose[], plan: ChainPlan): Date {
  const step = plan.everyHours * HOUR_MS;
  const taken = doses.filter(({ status }) => status === 'taken').map(({ takenAt }) => takenAt);
  const lastTaken = latest([plan.lastTakenBefore, ...taken]);
  const [leftOut] = doses
    .filter(({ status }) => status === 'missed' || status === 'skipped')
    .sort((a, b) => placeOfLeftOut(b) - placeOfLeftOut(a));
  if (leftOut !== undefined && (lastTaken === null || placeOfLeftOut(leftOut) > lastTaken.getTime())) {
    const due = leftOut.dueDate.getTime();
    const passed = Math.ceil((leftOutAt(leftOut).getTime() - due) / step);
    return new Date(due + Math.max(1, passed) * step);
  }
  return lastTaken === null ? plan.firstDueAt : new Date(lastTaken.getTime() + step);
}

/** When the next dose is due. */
export interface ChainDue {
  readonly dueDate: Date;
  /** When it was due before it was moved by hand; null if it was not moved. */
  readonly planned: Date | null;
}

/** The change needed so that a schedule has exactly one next dose, at the right time. */
type ChainStep<D extends ChainedDose> =
  | { readonly kind: 'none' }
  | { readonly kind: 'make'; readonly after: string | null; readonly due: ChainDue }
  | { readonly kind: 'move'; readonly dose: D; readonly due: ChainDue }
  | { readonly kind: 'remove'; readonly dose: D };

/**
 * True for a pending dose that is not the next one: the dose before it was undone, so that one is the next again, or it is gone.
 */
function isOneTooMany({ chain }: ChainedDose, doses: readonly ChainedDose[]): boolean {
  const after = chain?.after ?? null;
  if (after === null) return false;
  const previous = doses.find(({ id }) => id === after);
  return previous === undefined || (previous.status === 'pending' && (previous.chain ?? null) !== null);
}

/**
 * The next step for a schedule that counts from the last dose. Repeating it until the step is `none` leaves exactly one next
 * dose. The result depends only on the other doses, so it can run any number of times and concurrently.
 * @param doses of the schedule, latest due date first
 * @param isOver whether a dose due at an instant would be after the schedule's last day
 */
export function chainStep<D extends ChainedDose>(
  doses: readonly D[],
  plan: ChainPlan,
  isOver: (dueDate: Date) => boolean,
): ChainStep<D> {
  const followed = new Set(doses.map(({ chain }) => chain?.after ?? null));
  const tail = doses.find(({ id, chain }) => (chain ?? null) !== null && !followed.has(id));
  const isOpen = tail?.status === 'pending';
  if (isOpen && isOneTooMany(tail, doses)) return { kind: 'remove', dose: tail };
  const after = (isOpen ? tail.chain?.after : (tail?.id ?? doses[0]?.id)) ?? null;
  const due = dueOf(nextDueAt(doses, plan), after, plan);
  const isStopped = plan.stopsAt ? due.dueDate >= plan.stopsAt : false;
  if (isStopped || (due.planned === null && isOver(due.dueDate)))
    return isOpen ? { kind: 'remove', dose: tail } : { kind: 'none' };
  if (!isOpen) return { kind: 'make', after, due };
  return tail.dueDate.getTime() === due.dueDate.getTime()
    ? { kind: 'none' }
    : { kind: 'move', dose: tail, due };
}

/**
 * When a dose is due: when it was moved to, otherwise as the doses before it determine; not before the schedule was resumed,
 * and not in a planned pause.
 */
function dueOf(ruled: Date, after: string | null, plan: ChainPlan): ChainDue {
  const { movedTo, resumedAt, pauses, timeZone } = plan;
  const notBefore = (at: Date) => afterPauses(later(at, resumedAt) ?? at, pauses, timeZone);
  const moved = movedTo?.get(after ?? 'none');
  return moved === undefined
    ? { dueDate: notBefore(ruled), planned: null }
    : { dueDate: notBefore(moved), planned: notBefore(ruled) };
}

/** A dose is on time within 1/`ON_TIME_PART` of the interval, before or after it was due. */
export const ON_TIME_PART = 4;

/** Whether a dose was taken too early or too late to count as taken on time. */
export function isOffTime(dueDate: Date, takenAt: Date, everyHours: number): boolean {
  return Math.abs(takenAt.getTime() - dueDate.getTime()) > (everyHours * HOUR_MS) / ON_TIME_PART;
}

/** Number of days averaged to estimate doses whose times are not known yet. */
export const MEAN_DAYS = 28;
/** Minimum number of days for that average; until then the schedule's own interval is used. */
export const LEAST_MEAN_DAYS = 7;
