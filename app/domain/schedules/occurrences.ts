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
type DayRule = Pick<ScheduleRule, 'frequency' | 'startDate' | 'endDate' | 'course' | 'moves' | 'stopsAt'>;

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
    // Their days follow from when doses are taken, see `occurrences`.
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
  // None is planned, so that there is nothing to look for.
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

/** Whether a plan is in force on the calendar day of its zone: from its first day to its last, but for planned pauses. */
export function runsOn({ startDate, endDate, timeZone, pauses, stopsAt }: ScheduleRule, now: Date): boolean {
  const day = calendarDay(now, timeZone);
  const isOver = (endDate !== null && day > endDate) || (stopsAt ? now >= stopsAt : false);
  return startDate <= day && !isOver && pauseOn(pauses, day) === null;
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

/** Runs of a schedule that counts from the last dose taken: a planned pause begins another one. */
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

/** The doses of a schedule that counts from the last one taken, as they come when each is taken at the time it is due. */
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

/** The dose of a calendar day (YYYY-MM-DD) of a schedule, as decimal text in its unit. */
export function doseOnDay(rule: ScheduleRule, day: string): string {
  return doseOfDay(rule, dayNumber(day), day);
}

/** Whether the plan itself has a dose of this name. */
function isPlanned(rule: ScheduleRule, key: string): boolean {
  const { localDay, wallTime } = doseKeyOf(key);
  return rule.times.includes(wallTime) && isDoseDay(rule, dayNumber(localDay));
}

/** Doses that were moved alone and are due within a window, at the instants they were moved to. */
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

/** A dose that was not moved alone. @returns null outside of the window, and where another one takes its place */
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
 * forward by the gap; a time that occurs twice is the earlier one. Doses that were moved stand where they were moved to.
 * Doses that would be due in a planned pause are none. Of a schedule that counts from the last dose taken these are the
 * doses that come if each is taken when it is due, after a pause if that lies in one; one taken as needed has none.
 * @param clock can be shared between schedules of one zone
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

/** The doses that are due outside of the planned pauses, wherever their plan or a move puts them. */
function withoutPaused({ pauses }: ScheduleRule, clock: ZoneClock, found: Occurrence[]): Occurrence[] {
  const spans = pauseSpans(pauses, (day) => clock.place(day, 0).at);
  return found.filter(({ dueDate }) => !isWithin(spans, dueDate.getTime()));
}

/**
 * Where one dose of a schedule stands now.
 * @param key the name that its plan gives it
 * @returns null when the schedule does not have it, also because it is paused then or over
 */
export function occurrenceOf(rule: ScheduleRule, key: KeptDose): Occurrence | null {
  const clock = zoneClock(rule.timeZone);
  const place = placeOf(rule, clock, key);
  const isOver = place !== null && rule.stopsAt ? place.dueDate >= rule.stopsAt : false;
  return place === null || isOver ? null : (withoutPaused(rule, clock, [place])[0] ?? null);
}

/** Where one dose stands by plan and moves. */
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

/** The name that the plan gives a dose, wherever it was moved. */
export function plannedKey({
  localDay,
  wallTime,
  movedFrom,
}: Pick<Occurrence, 'localDay' | 'wallTime' | 'movedFrom'>): KeptDose {
  return movedFrom ?? { localDay, wallTime };
}

/** Doses that a preview shows. */
export const PREVIEW_DOSES = 14;

/** How far to look for doses: a schedule may have one a year. */
const HORIZON_DAYS = 20 * 366;
const FIRST_WINDOW_DAYS = 16;
const LONGEST_WINDOW_DAYS = 512;

/** No dose of a schedule is due before this, in milliseconds since 1970. */
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

/** An existing dose that stays: taken, skipped, missed, or due before now. By the name that its plan gives it. */
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
  const open = wanted.filter((dose) => {
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

/** How a dose hangs together with others of a schedule that counts from the last dose taken. */
export interface DoseChain {
  /** Id of the dose before it; null for the first one. */
  readonly after: string | null;
  /** Hours after the last one taken taken, as its schedule said when it was made. */
  readonly everyHours: number;
}

/** The part of a dose that the next one depends on. */
export interface ChainedDose {
  readonly id: string;
  readonly status: DoseStatus;
  readonly dueDate: Date;
  readonly takenAt: Date | null;
  /** Set when a person changed it. */
  readonly before?: object | null;
  /** When that was. */
  readonly actedAt?: Date | null;
  /** When it became missed by itself. */
  readonly missAt?: Date | null;
  readonly chain?: DoseChain | null;
}

/** What the next dose of a schedule follows from, beside the doses. */
export interface ChainPlan {
  readonly everyHours: number;
  readonly firstDueAt: Date;
  /** When a dose was last taken that is not known here, because the schedule was imported. */
  readonly lastTakenBefore: Date | null;
  /** When doses are due that were moved by hand, by the id of the dose before them ("none" for the first). */
  readonly movedTo?: ReadonlyMap<string, Date>;
  /** No dose is due before this instant, at which the schedule was resumed; null when it never was. */
  readonly resumedAt: Date | null;
  /** Days on which no dose is due, on the calendar of a zone. */
  readonly pauses?: readonly PlannedPause[] | null;
  /** No dose is due from this instant on, moved or not: the vial with which the schedule ends was used up. */
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

/** The place in time of a dose that was left out: when it was due, or when it was skipped before that. */
const placeOfLeftOut = (dose: ChainedDose) => Math.min(dose.dueDate.getTime(), leftOutAt(dose).getTime());

/**
 * When the next dose is due: so many hours after the last one taken. When a later one was left out, it is as many hours
 * after that one was due, in whole intervals up to when it was left out, so that doses never pile up.
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
  /** When its plan has it, where it was moved by hand. */
  readonly planned: Date | null;
}

/** What has to happen so that a schedule has its one next dose, at its time. */
type ChainStep<D extends ChainedDose> =
  | { readonly kind: 'none' }
  | { readonly kind: 'make'; readonly after: string | null; readonly due: ChainDue }
  | { readonly kind: 'move'; readonly dose: D; readonly due: ChainDue }
  | { readonly kind: 'remove'; readonly dose: D };

/**
 * The next step for a schedule that counts from the last dose taken. Repeating it until there is none leaves exactly one
 * next dose, which follows from the others alone: who runs it, how often and at once with whom makes no difference.
 * @param doses of the schedule, the latest due first
 * @param isOver whether a dose due at an instant would come after the schedule's last day
 */
export function chainStep<D extends ChainedDose>(
  doses: readonly D[],
  plan: ChainPlan,
  isOver: (dueDate: Date) => boolean,
): ChainStep<D> {
  const followed = new Set(doses.map(({ chain }) => chain?.after ?? null));
  const tail = doses.find(({ id, chain }) => (chain ?? null) !== null && !followed.has(id));
  const isOpen = tail?.status === 'pending';
  const previous = doses.find(({ id }) => id === tail?.chain?.after);
  // The dose before it was undone: that one is the next again.
  if (isOpen && previous?.status === 'pending' && (previous.chain ?? null) !== null)
    return { kind: 'remove', dose: tail };
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
 * When a dose is due: where it was moved to, else as the doses before it say; not before the schedule went on, and not in a
 * planned pause.
 */
function dueOf(ruled: Date, after: string | null, plan: ChainPlan): ChainDue {
  const { movedTo, resumedAt, pauses, timeZone } = plan;
  const notBefore = (at: Date) => afterPauses(later(at, resumedAt) ?? at, pauses, timeZone);
  const moved = movedTo?.get(after ?? 'none');
  return moved === undefined
    ? { dueDate: notBefore(ruled), planned: null }
    : { dueDate: notBefore(moved), planned: notBefore(ruled) };
}

/** A dose counts as taken on time within this part of the interval, before and after it was due. */
export const ON_TIME_PART = 4;

/** Whether a dose was taken too early or too late to count as taken on time. */
export function isOffTime(dueDate: Date, takenAt: Date, everyHours: number): boolean {
  return Math.abs(takenAt.getTime() - dueDate.getTime()) > (everyHours * HOUR_MS) / ON_TIME_PART;
}

/** So many days of taken doses make the mean that stands for doses whose time is not known yet. */
export const MEAN_DAYS = 28;
/** A schedule that has run for less than this says too little: its plan counts until then. */
export const LEAST_MEAN_DAYS = 7;
