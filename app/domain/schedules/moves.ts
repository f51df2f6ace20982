import { plural } from '#app/domain/text/plural.ts';
import { dayNumber, dayText, minuteOfDay, shownDay } from '#app/domain/time/calendar.ts';
import { localDateTime } from '#app/domain/time/zoned-time.ts';

/** What a move is of: one dose alone, or that dose and all after it. */
export const MOVE_SCOPES = ['this', 'following'] as const;
export type MoveScope = (typeof MOVE_SCOPES)[number];

/**
 * A dose as its plan names it, wherever it was moved: the calendar day (YYYY-MM-DD) and time of day (HH:mm) of the
 * schedule's zone; for a plan that counts from the last dose "after" and the id of the dose before it.
 */
export interface DoseKey {
  readonly localDay: string;
  readonly wallTime: string;
}

/** One change of when doses are due. It stays on its schedule, so that whatever makes doses again knows of it. */
export interface ScheduleMove {
  readonly id: string;
  /** The dose it was made for; see `moveKey`. */
  readonly key: string;
  readonly scope: MoveScope;
  /** When that dose was due before and after. */
  readonly from: Date;
  readonly to: Date;
  /** How far each dose of `following` goes on the clock: whole days, and minutes, fewer than a day has either way. */
  readonly days: number;
  readonly minutes: number;
  /** Decimal text: the amount of a dose that the plan no longer has; null while it has it. */
  readonly doseAmount: string | null;
  readonly madeAt: Date;
  readonly undoneAt: Date | null;
}

/** Names a dose of a schedule: sorts as the plan does. */
export const moveKey = ({ localDay, wallTime }: DoseKey): string => `${localDay} ${wallTime}`;

/** The dose that a key names. */
export function doseKeyOf(key: string): DoseKey {
  const [localDay = '', wallTime = ''] = key.split(' ');
  return { localDay, wallTime };
}

/** Names the next dose of a plan that counts from the last one. @param after id of the dose before it */
export const chainKey = (after: string | null): DoseKey => ({ localDay: 'after', wallTime: after ?? 'none' });

const DAY_MINUTES = 24 * 60;

/** No plan goes further than this by being moved, in days. */
export const MAX_SHIFT_DAYS = 366;

/** Where a dose stands on the calendar: see `dayNumber`, and minutes after midnight. */
export interface CalendarPlace {
  readonly day: number;
  readonly minute: number;
}

/** The moves of a schedule that were not undone, ready to be asked. */
export interface ActiveMoves {
  /** Doses with an instant of their own, by their key. */
  readonly single: ReadonlyMap<string, ScheduleMove>;
  /** Most whole days that a dose comes later, and earlier, than its plan says. */
  readonly latestDays: number;
  readonly earliestDays: number;
  /** Where the plan's place of a dose leads to. */
  shifted(key: string, place: CalendarPlace): CalendarPlace;
}

/**
 * The moves that count. A dose moved alone stays where it was put; every other one goes as far as all moves of
 * "following" together say that were made for it or for one before it.
 * @returns null when there are none
 */
export function activeMoves(moves: readonly ScheduleMove[] | null | undefined): ActiveMoves | null {
  const active = (moves ?? []).filter(({ undoneAt }) => undoneAt === null);
  if (active.length === 0) return null;
  const single = new Map(active.filter(({ scope }) => scope === 'this').map((move) => [move.key, move]));
  const shifts = active.filter(({ scope }) => scope === 'following');
  // Of a dose that was moved alone before, the move of "following" says where it is itself as well.
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

/** The move that undoing takes back: the last one that was made for this dose; null when there is none. */
export function moveToUndo(
  moves: readonly ScheduleMove[] | null | undefined,
  key: string,
): ScheduleMove | null {
  return (moves ?? []).filter((move) => move.key === key && move.undoneAt === null).at(-1) ?? null;
}

/** How far it is on the clock of a zone from one instant to another: whole days, and minutes. */
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
  /** It took the last move back. */
  readonly isUndo: boolean;
}

/** Whether the last move of a dose can be taken back. */
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

/** The moves of one dose and their undoing in the order of time. */
export function moveHistory(moves: readonly ScheduleMove[] | null | undefined, key: string): MovedDose[] {
  return (moves ?? [])
    .filter((move) => move.key === key)
    .flatMap(({ from, to, madeAt, undoneAt }) => [
      { from, to, at: madeAt, isUndo: false },
      ...(undoneAt === null ? [] : [{ from: to, to: from, at: undoneAt, isUndo: true }]),
    ])
    .sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** Most moves that a schedule remembers. */
const MAX_MOVES = 400;

/** So many days ahead a dose can be moved: as far as doses are made. */
export const MOVE_DAYS = 35;

export const MOVE_MESSAGES = {
  moved: 'Dose moved',
  movedAll: 'Moved, with all doses after it',
  undone: 'Undone. The dose is due when it was before.',
  dueDate: 'Enter a date and a time',
  scope: 'Choose whether this dose moves alone or with all after it',
  past: 'Choose a time from now on',
  tooFar: `Choose a time within the next ${MOVE_DAYS} days`,
  unchanged: 'The dose is due then already',
  occupied: 'Another dose of this schedule is due then',
  pausedThen: 'This schedule is paused on that day',
  order:
    'An earlier dose of this schedule comes at or after that time. Move this dose alone, or choose a later time.',
  notPending: 'Only a dose that is not logged yet can be moved.',
  unplanned: 'Only a planned dose can be moved.',
  paused: 'This schedule is paused. Resume it first.',
} as const;

/** How long a move of a dose alone is remembered after both of its instants. */
const REMEMBERED_MS = 60 * 24 * 60 * 60 * 1000;

/**
 * The moves that a schedule has to keep: those of doses long past decide nothing any more, but a plan that was moved as a
 * whole stays where it is.
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
 * The moves that still hold after a schedule's times were changed: the days that the plan was moved by stay, its times
 * are as the change says. After a change of its days the plan is as written, and only doses that were moved alone stay.
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

/** How a plan was moved as a whole: "from Tue 10 Mar 2026 on 1 day 2 h later"; null when it was not. */
export function shiftText(moves: readonly ScheduleMove[] | null | undefined): string | null {
  const shifts = (moves ?? []).filter(({ scope, undoneAt }) => scope === 'following' && undoneAt === null);
  const texts = shifts.map(
    (shift) => `from ${shownDay(doseKeyOf(shift.key).localDay)} on ${distanceText(shift)}`,
  );
  return texts.length === 0 ? null : texts.join(', ');
}

/** A move as an export carries it. */
export type ExportedMove = Pick<ScheduleMove, 'key' | 'scope' | 'days' | 'minutes'> & {
  readonly to: Date | null;
};

/**
 * The moves that hold, as text: "2026-03-10T08:00>2026-03-11T09:00:00.000Z" for a dose moved alone,
 * "2026-03-12T08:00>>1d-30m" for one and all after it, separated by spaces. Doses that the plan itself has no more, and
 * those of a plan that counts from the last dose, stay behind.
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
