import { plural } from '#app/domain/text/plural.ts';
import { dayNumber, dayText, minuteOfDay, shownDay } from '#app/domain/time/calendar.ts';
import { localDateTime, dayAfter, daysBefore, instantOfWallTime } from '#app/domain/time/zoned-time.ts';
import { isSameBlend, type Blend } from '#app/domain/vials/contents.ts';

/** What a move applies to: one dose only, or that dose and all after it. */
export const MOVE_SCOPES = ['this', 'following'] as const;
export type MoveScope = (typeof MOVE_SCOPES)[number];

/**
 * Identifies a dose within its schedule, even after a move: the original calendar day (YYYY-MM-DD) and time of day (HH:mm) in
 * the schedule's zone; for a schedule that counts from the last dose, "after" and the id of the previous dose.
 */
export interface DoseKey {
  readonly localDay: string;
  readonly wallTime: string;
}

/** A change of when doses are due. Stored on the schedule, so that regenerating doses applies it again. */
export interface ScheduleMove {
  readonly id: string;
  /** The dose it was made for; see `moveKey`. */
  readonly key: string;
  readonly scope: MoveScope;
  /** When that dose was due before and after. */
  readonly from: Date;
  readonly to: Date;
  /** How far each dose of `following` moves in local time: whole days, and minutes within ±1 day. */
  readonly days: number;
  readonly minutes: number;
  /** Decimal text: the amount, if the schedule itself no longer has this dose; otherwise null. */
  readonly doseAmount: string | null;
  readonly madeAt: Date;
  readonly undoneAt: Date | null;
}

/** A dose key as text. Sorts chronologically by the schedule's original times. */
export const moveKey = ({ localDay, wallTime }: DoseKey): string => `${localDay} ${wallTime}`;

/** Reverses `moveKey`. */
export function doseKeyOf(key: string): DoseKey {
  const [localDay = '', wallTime = ''] = key.split(' ');
  return { localDay, wallTime };
}

/** The key of the next dose of a schedule that counts from the last one. @param after id of the previous dose */
export const chainKey = (after: string | null): DoseKey => ({ localDay: 'after', wallTime: after ?? 'none' });

const DAY_MINUTES = 24 * 60;

/** Maximum total shift of a schedule by moves, in days. */
export const MAX_SHIFT_DAYS = 366;

/** A local date and time: `dayNumber`, and minutes after midnight. */
interface CalendarPlace {
  readonly day: number;
  readonly minute: number;
}

/** The moves of a schedule that were not undone, indexed for lookup. */
export interface ActiveMoves {
  /** Doses that were moved on their own, by their key. */
  readonly single: ReadonlyMap<string, ScheduleMove>;
  /** Maximum whole days by which a dose is later, or earlier, than originally planned. */
  readonly latestDays: number;
  readonly earliestDays: number;
  /** The new place of a dose that was originally planned at `place`. */
  shifted(key: string, place: CalendarPlace): CalendarPlace;
}

/**
 * The moves in force. A dose moved on its own stays where it was put. Every other dose moves by the sum of all "following"
 * moves made for it or for a dose before it.
 * @returns null if there are none
 */
export function activeMoves(moves: readonly ScheduleMove[] | null | undefined): ActiveMoves | null {
  const active = (moves ?? []).filter(({ undoneAt }) => undoneAt === null);
  if (active.length === 0) return null;
  const single = new Map(active.filter(({ scope }) => scope === 'this').map((move) => [move.key, move]));
  const shifts = active.filter(({ scope }) => scope === 'following');
  // A "following" move also sets the time of the dose it was made for, even if that dose was moved on its own before.
  for (const shift of shifts) if (single.has(shift.key)) single.set(shift.key, lastOf(active, shift.key));
  const minutesAt = (key: string) =>
    shifts.reduce(
      (sum, shift) => (shift.key <= key ? sum + shift.days * DAY_MINUTES + shift.minutes : sum),
      0,
    );
  const totals = [0, ...shifts.map(({ key }) => minutesAt(key))];
  return {
    single,
    latestDays: Math.ceil(Math.max(...totals) / DAY_MINUTES),
    earliestDays: Math.ceil(-Math.min(...totals) / DAY_MINUTES),
    shifted(key, { day, minute }) {
      const total = minutesAt(key);
      if (total === 0) return { day, minute };
      const days = Math.floor((minute + total) / DAY_MINUTES);
      return { day: day + days, minute: minute + total - days * DAY_MINUTES };
    },
  };
}

/** The last of the moves that were made for one dose. */
function lastOf(moves: readonly ScheduleMove[], key: string): ScheduleMove {
  const [last] = moves.filter((move) => move.key === key).slice(-1);
  if (last === undefined) throw new Error(`No move of ${key}`);
  return last;
}

/** The move that undo reverses: the last one made for this dose; null if there is none. */
export function moveToUndo(
  moves: readonly ScheduleMove[] | null | undefined,
  key: string,
): ScheduleMove | null {
  return (moves ?? []).filter((move) => move.key === key && move.undoneAt === null).at(-1) ?? null;
}

/** The difference between two instants in local time: whole days, and minutes. */
export function clockDistance(
  from: Date,
  to: Date,
  timeZone: string,
): Pick<ScheduleMove, 'days' | 'minutes'> {
  const [before, after] = [from, to].map((at) => doseKeyOf(localDateTime(at, timeZone))) as [
    DoseKey,
    DoseKey,
  ];
  return {
    days: dayNumber(after.localDay) - dayNumber(before.localDay),
    minutes: minuteOfDay(after.wallTime) - minuteOfDay(before.wallTime),
  };
}

/** A day and a time of day as text. */
export function placeText({ day, minute }: CalendarPlace): DoseKey {
  const wallTime = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
  return { localDay: dayText(day), wallTime };
}

/** What happened to one dose, for its history. */
export interface MovedDose {
  readonly from: Date;
  readonly to: Date;
  readonly at: Date;
  /** It undid the last move. */
  readonly isUndo: boolean;
}

/** Whether the last move of a dose can be undone. */
export function mayUndoMove({
  status,
  moveHistory = null,
}: {
  status: string;
  moveHistory?: readonly MovedDose[] | null;
}): boolean {
  const open = (moveHistory ?? []).reduce((count, { isUndo }) => count + (isUndo ? -1 : 1), 0);
  return status === 'pending' && open > 0;
}

/** The moves and undone moves of one dose, in chronological order. */
export function moveHistory(moves: readonly ScheduleMove[] | null | undefined, key: string): MovedDose[] {
  return (moves ?? [])
    .filter((move) => move.key === key)
    .flatMap(({ from, to, madeAt, undoneAt }) => [
      { from, to, at: madeAt, isUndo: false },
      ...(undoneAt === null ? [] : [{ from: to, to: from, at: undoneAt, isUndo: true }]),
    ])
    .sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** Maximum number of moves stored on a schedule. */
const MAX_MOVES = 400;

/** How many days ahead a dose can be moved: as far as doses are generated. */
export const MOVE_DAYS = 35;

export const MOVE_MESSAGES = {
  moved: 'Dose moved',
  movedAll: 'Moved this dose and all after it',
  undone: 'Undone. The dose is back at its earlier time.',
  dueDate: 'Enter a date and a time',
  scope: 'Choose whether to move only this dose or all after it too',
  past: 'Choose a time in the future',
  tooFar: `Choose a time within the next ${MOVE_DAYS} days`,
  unchanged: 'The dose is already due then',
  occupied: 'Another dose of this schedule is due then',
  pausedThen: 'This schedule is paused on that day',
  order:
    'An earlier dose of this schedule is due at or after that time. Move only this dose, or choose a later time.',
  notPending: 'Only a dose that is not logged yet can be moved.',
  unplanned: 'Only a planned dose can be moved.',
  paused: 'This schedule is paused. Resume it first.',
} as const;

/** How long a move of a single dose is kept after its old and new times have passed. */
const REMEMBERED_MS = 60 * 24 * 60 * 60 * 1000;

/**
 * The moves that a schedule has to keep. Moves of doses long past no longer matter, but "following" moves that were not
 * undone still shift the schedule.
 */
export function keptMoves(moves: readonly ScheduleMove[], now: Date): ScheduleMove[] {
  const oldest = now.getTime() - REMEMBERED_MS;
  const kept = moves.filter(
    ({ scope, undoneAt, from, to }) =>
      (scope === 'following' && undoneAt === null) || Math.max(from.getTime(), to.getTime()) > oldest,
  );
  return kept.slice(-MAX_MOVES);
}

/**
 * The moves after a change of the schedule. New times of day cancel the minutes of "following" moves but keep their days. A
 * new frequency or start date cancels "following" moves altogether. Doses moved on their own stay.
 */
export function movesAfterChange(
  moves: readonly ScheduleMove[] | null | undefined,
  changed: { days: boolean; times: boolean },
  now: Date,
): ScheduleMove[] {
  return (moves ?? []).map((move) => {
    if (move.scope === 'this' || move.undoneAt !== null) return move;
    if (changed.days || (changed.times && move.days === 0)) return { ...move, undoneAt: now };
    return changed.times ? { ...move, minutes: 0 } : move;
  });
}

/** "1 day 2 h later" */
function distanceText({ days, minutes }: Pick<ScheduleMove, 'days' | 'minutes'>): string {
  const total = days * DAY_MINUTES + minutes;
  const size = Math.abs(total);
  const [wholeDays, hours, rest] = [Math.floor(size / DAY_MINUTES), Math.floor(size / 60) % 24, size % 60];
  const parts = [
    wholeDays > 0 ? plural(wholeDays, 'day') : '',
    hours > 0 ? `${hours} h` : '',
    rest > 0 ? `${rest} min` : '',
  ];
  return `${parts.filter(Boolean).join(' ')} ${total < 0 ? 'earlier' : 'later'}`;
}

/** How a schedule was shifted: "from 10 Mar 2026: 1 day 2 h later"; null if it was not. */
export function shiftText(moves: readonly ScheduleMove[] | null | undefined): string | null {
  const shifts = (moves ?? []).filter(({ scope, undoneAt }) => scope === 'following' && undoneAt === null);
  const texts = shifts.map(
    (shift) => `from ${shownDay(doseKeyOf(shift.key).localDay)}: ${distanceText(shift)}`,
  );
  return texts.length === 0 ? null : texts.join(', ');
}

/** A move as it appears in an export. */
export type ExportedMove = Pick<ScheduleMove, 'key' | 'scope' | 'days' | 'minutes'> & {
  readonly to: Date | null;
};

/**
 * The moves in force, as text separated by spaces: "2026-03-10T08:00>2026-03-11T09:00:00.000Z" for a single dose,
 * "2026-03-12T08:00>>1d-30m" for a dose and all after it. Leaves out doses that the schedule itself no longer has, and
 * schedules that count from the last dose.
 */
export function movesText(moves: readonly ScheduleMove[] | null | undefined): string {
  return (moves ?? [])
    .filter(
      ({ undoneAt, doseAmount, key }) => undoneAt === null && doseAmount === null && !key.startsWith('after'),
    )
    .map(({ key, scope, to, days, minutes }) =>
      scope === 'this'
        ? `${key.replace(' ', 'T')}>${to.toISOString()}`
        : `${key.replace(' ', 'T')}>>${days}d${minutes}m`,
    )
    .join(' ');
}

const MOVE_TEXT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)>(?:(\d{4}-[\dT:.-]+Z)|>(-?\d{1,3})d(-?\d{1,4})m)$/;

/** Reads what `movesText` wrote. @returns null for anything else */
export function readMoves(text: string): ExportedMove[] | null {
  const parts = text.split(' ').filter((part) => part !== '');
  const moves = parts.map((part): ExportedMove | null => {
    const [, localDay, wallTime, instant, days, minutes] = MOVE_TEXT.exec(part) ?? [];
    if (localDay === undefined || wallTime === undefined) return null;
    const key = moveKey({ localDay, wallTime });
    if (instant === undefined)
      return { key, scope: 'following', days: Number(days), minutes: Number(minutes), to: null };
    const to = new Date(instant);
    return Number.isNaN(to.getTime()) ? null : { key, scope: 'this', days: 0, minutes: 0, to };
  });
  const read = moves.filter((move) => move !== null);
  const isFar = read.some(
    ({ days, minutes }) => Math.abs(days) > MAX_SHIFT_DAYS || Math.abs(minutes) >= DAY_MINUTES,
  );
  return read.length < moves.length || read.length > MAX_MOVES || isFar ? null : read;
}

/** A pause planned ahead: its first and last calendar day (YYYY-MM-DD, in the schedule's zone), both included. */
export interface PlannedPause {
  readonly firstDay: string;
  readonly lastDay: string;
}

/** Maximum number of pauses on a schedule. Past ones are kept, because a ramp does not count their days. */
const MAX_PAUSES = 200;
/** Maximum length of a pause, in days: a year. For longer, pause the schedule without an end date. */
export const MAX_PAUSE_DAYS = 366;

export const PAUSE_MESSAGES = {
  saved: 'Pause saved',
  ended: 'The schedule continues',
  removed: 'Pause removed',
  firstDay: 'Enter the first day of the pause as YYYY-MM-DD',
  lastDay: 'Enter the last day of the pause as YYYY-MM-DD',
  order: 'The last day must not be before the first day',
  tooLong: `A pause can last at most ${MAX_PAUSE_DAYS} days. To pause without an end date, use “Pause”.`,
  past: 'The first day must be today or later',
  over: 'This pause is over and can’t be changed.',
  begun: 'This pause has begun, so its first day can’t change. Change its last day, or end it.',
  lastPast: 'The last day must be today or later. To resume today, end the pause.',
  overlap: 'Another pause of this schedule overlaps these days',
  tooMany: `A schedule can have at most ${MAX_PAUSES} pauses`,
  notFound: 'No pause begins on this day.',
} as const;

type Pauses = readonly PlannedPause[] | null | undefined;

/** The pause that a calendar day falls into; null if none. */
export function pauseOn(pauses: Pauses, day: string): PlannedPause | null {
  return (pauses ?? []).find(({ firstDay, lastDay }) => firstDay <= day && day <= lastDay) ?? null;
}

/** The pauses that overlap a range of days, both ends included. */
export function pausesBetween(pauses: Pauses, first: string, last: string): PlannedPause[] {
  return (pauses ?? []).filter(({ firstDay, lastDay }) => firstDay <= last && lastDay >= first);
}

/** How many days of a range, both ends included, fall into pauses. */
export function pausedDays(pauses: Pauses, first: string, last: string): number {
  return pausesBetween(pauses, first, last).reduce((sum, pause) => {
    const from = pause.firstDay > first ? pause.firstDay : first;
    const to = pause.lastDay < last ? pause.lastDay : last;
    return sum + dayNumber(to) - dayNumber(from) + 1;
  }, 0);
}

/** A pause as instants in milliseconds since 1970: start (inclusive) and end (exclusive). */
interface PauseSpan {
  readonly from: number;
  readonly before: number;
}

/**
 * The pauses as instants, in their order.
 * @param startOf the first instant of a day, see `dayNumber`
 */
export function pauseSpans(pauses: Pauses, startOf: (day: number) => number): PauseSpan[] {
  return (pauses ?? []).map(({ firstDay, lastDay }) => ({
    from: startOf(dayNumber(firstDay)),
    before: startOf(dayNumber(lastDay) + 1),
  }));
}

/** Whether an instant falls into one of the spans. */
export const isWithin = (spans: readonly PauseSpan[], at: number): boolean =>
  spans.some(({ from, before }) => from <= at && at < before);

/**
 * When a dose that counts from the last one is due: at its own time or, if that falls into a pause, at the same time of day on
 * the first day after the pause, so that nobody is woken at midnight because a pause ends.
 */
export function afterPauses(at: Date, pauses: Pauses, timeZone: string): Date {
  if ((pauses ?? []).length === 0) return at;
  const [localDay = '', wallTime = ''] = localDateTime(at, timeZone).split(' ');
  const pause = pauseOn(pauses, localDay);
  if (pause === null) return at;
  return afterPauses(instantOfWallTime(dayAfter(pause.lastDay, 1), wallTime, timeZone), pauses, timeZone);
}

/** The new list of pauses, or the problem and the field it belongs to. */
type PauseChange =
  | { readonly pauses: PlannedPause[] }
  | { readonly problem: string; readonly field: 'firstDay' | 'lastDay' };

const inOrder = (pauses: readonly PlannedPause[]) =>
  pauses.toSorted((a, b) => (a.firstDay < b.firstDay ? -1 : 1));

/**
 * Adds a pause, or changes the one that begins on a day.
 * @param replaced the one to change; null adds one
 * @param today the calendar day of the schedule's zone
 */
export function withPause(
  pauses: Pauses,
  pause: PlannedPause,
  replaced: PlannedPause | null,
  today: string,
): PauseChange {
  const others = (pauses ?? []).filter((other) => other !== replaced);
  if (replaced !== null && replaced.lastDay < today)
    return { problem: PAUSE_MESSAGES.over, field: 'firstDay' };
  const hasBegun = replaced !== null && replaced.firstDay < today;
  if (hasBegun && pause.firstDay !== replaced.firstDay)
    return { problem: PAUSE_MESSAGES.begun, field: 'firstDay' };
  if (!hasBegun && pause.firstDay < today) return { problem: PAUSE_MESSAGES.past, field: 'firstDay' };
  if (pause.lastDay < today) return { problem: PAUSE_MESSAGES.lastPast, field: 'lastDay' };
  if (pausesBetween(others, pause.firstDay, pause.lastDay).length > 0)
    return { problem: PAUSE_MESSAGES.overlap, field: 'firstDay' };
  if (others.length >= MAX_PAUSES) return { problem: PAUSE_MESSAGES.tooMany, field: 'firstDay' };
  return { pauses: inOrder([...others, pause]) };
}

/** Ends a pause: a future one is removed, a current one gets yesterday as its last day. Null if it is over. */
export function withoutPause(pauses: Pauses, ended: PlannedPause, today: string): PlannedPause[] | null {
  if (ended.lastDay < today) return null;
  const others = (pauses ?? []).filter((other) => other !== ended);
  if (ended.firstDay >= today) return others;
  return inOrder([...others, { firstDay: ended.firstDay, lastDay: daysBefore(today, 1) }]);
}

/** "3 May 2026 – 17 May 2026", or a single day. */
export const pauseText = ({ firstDay, lastDay }: PlannedPause): string =>
  firstDay === lastDay ? shownDay(firstDay) : `${shownDay(firstDay)} – ${shownDay(lastDay)}`;

/** Pauses as they appear in an export: "2026-05-03/2026-05-17", separated by spaces. */
export const pausesText = (pauses: Pauses): string =>
  (pauses ?? []).map(({ firstDay, lastDay }) => `${firstDay}/${lastDay}`).join(' ');

const isDay = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && dayText(dayNumber(text)) === text;

/** Reads what `pausesText` wrote. @returns null for anything else */
export function readPauses(text: string): PlannedPause[] | null {
  const parts = text.split(' ').filter((part) => part !== '');
  const pauses = parts.map((part): PlannedPause => {
    const [firstDay = '', lastDay = ''] = part.split('/');
    return { firstDay, lastDay };
  });
  const isRead = pauses.every(
    ({ firstDay, lastDay }, index) =>
      isDay(firstDay) &&
      isDay(lastDay) &&
      firstDay <= lastDay &&
      parts[index]?.length === '2026-05-03/2026-05-17'.length &&
      pausesBetween(pauses.slice(0, index), firstDay, lastDay).length === 0,
  );
  return isRead && pauses.length <= MAX_PAUSES ? inOrder(pauses) : null;
}

/** Maximum number of swaps on a schedule. */
export const MAX_SWAPS = 50;

/** A change of a schedule's compound, vial or dose from a day on. Earlier doses are unaffected. */
export interface ScheduleSwap {
  readonly id: string;
  /** The first calendar day it applies to (YYYY-MM-DD, in the schedule's zone). Unique among the swaps. */
  readonly fromDay: string;
  readonly name: string;
  /** Vial to draw from first; null for any open vial with this name. */
  readonly compoundId: string | null;
  /** The blend it is drawn from, if known to be one. */
  readonly blend?: Blend | null;
  /** Decimal text in the schedule's unit, replacing dose and ramp; null to keep the schedule's own dose. */
  readonly doseAmount: string | null;
  readonly madeAt: Date;
}

type Swaps = readonly ScheduleSwap[] | null | undefined;

/** The swap in force on a calendar day; null before the first one. */
export function swapOn(swaps: Swaps, day: string): ScheduleSwap | null {
  return (swaps ?? []).reduce<ScheduleSwap | null>(
    (last, swap) => (swap.fromDay <= day && (last === null || swap.fromDay > last.fromDay) ? swap : last),
    null,
  );
}

/** The fields of a schedule that a swap changes. */
interface Swappable {
  readonly name: string;
  readonly compoundId: string | null;
  readonly blend?: Blend | null;
  readonly doseAmount: string;
  readonly ramp: object | null;
  readonly swaps?: Swaps;
}

/** A schedule as it is on a calendar day, with the compound, vial and dose of the swap in force. */
export function partOn<S extends Swappable>(schedule: S, day: string): S {
  const swap = swapOn(schedule.swaps, day);
  if (swap === null) return schedule;
  const { name, compoundId, blend = null, doseAmount } = swap;
  return { ...schedule, name, compoundId, blend, ...(doseAmount !== null && { doseAmount, ramp: null }) };
}

/** The blend that a schedule's doses on a calendar day are drawn from; null if it is not a blend. */
export const blendOn = (
  { blend, swaps }: { blend?: Blend | null | undefined; swaps?: Swaps },
  day: string,
): Blend | null => (swapOn(swaps, day) ?? { blend }).blend ?? null;

/** Whether compound, vial and dose are the same. */
export const isSamePart = (a: Swappable, b: Swappable): boolean =>
  a.name === b.name &&
  a.compoundId === b.compoundId &&
  a.doseAmount === b.doseAmount &&
  JSON.stringify(a.ramp) === JSON.stringify(b.ramp) &&
  isSameBlend(a.blend, b.blend);

/** Adds a swap, replacing one that starts on the same day. */
export function withSwap(swaps: Swaps, swap: ScheduleSwap): ScheduleSwap[] {
  const others = (swaps ?? []).filter(({ fromDay }) => fromDay !== swap.fromDay);
  return [...others, swap].sort((a, b) => (a.fromDay < b.fromDay ? -1 : 1));
}
