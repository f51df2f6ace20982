import { dayNumber, dayText, shownDay } from '#app/domain/time/calendar.ts';
import { dayAfter, daysBefore, instantOfWallTime, localDateTime } from '#app/domain/time/zoned-time.ts';

/** Days on which a schedule rests, planned ahead: calendar days YYYY-MM-DD of its zone, both included. */
export interface PlannedPause {
  readonly firstDay: string;
  readonly lastDay: string;
}

/** Most pauses that a schedule remembers. Past ones stay: a ramp does not count their days. */
const MAX_PAUSES = 200;
/** Longest pause, in days: a year. A longer one is a schedule that is paused without an end. */
export const MAX_PAUSE_DAYS = 366;

export const PAUSE_MESSAGES = {
  saved: 'Pause saved',
  ended: 'The schedule goes on',
  removed: 'Pause removed',
  firstDay: 'Enter the first day of the pause as YYYY-MM-DD',
  lastDay: 'Enter the last day of the pause as YYYY-MM-DD',
  order: 'The last day must not be before the first day',
  tooLong: `A pause can have at most ${MAX_PAUSE_DAYS} days. To pause without an end, use “Pause”.`,
  past: 'Choose a first day from today on',
  over: 'This pause is over and can’t be changed.',
  begun: 'This pause has begun and keeps its first day. Change its last day, or end it.',
  lastPast: 'Choose a last day from today on. To go on today, end the pause.',
  overlap: 'Another pause of this schedule lies on some of these days',
  tooMany: `A schedule can have at most ${MAX_PAUSES} pauses`,
  notFound: 'There is no pause that begins on this day.',
} as const;

type Pauses = readonly PlannedPause[] | null | undefined;

/** The pause that a calendar day lies in; null on a day without one. */
export function pauseOn(pauses: Pauses, day: string): PlannedPause | null {
  return (pauses ?? []).find(({ firstDay, lastDay }) => firstDay <= day && day <= lastDay) ?? null;
}

/** The pauses that touch the days from one to another, both included. */
export function pausesBetween(pauses: Pauses, first: string, last: string): PlannedPause[] {
  return (pauses ?? []).filter(({ firstDay, lastDay }) => firstDay <= last && lastDay >= first);
}

/** How many days from one to another, both included, lie in pauses. */
export function pausedDays(pauses: Pauses, first: string, last: string): number {
  return pausesBetween(pauses, first, last).reduce((sum, pause) => {
    const from = pause.firstDay > first ? pause.firstDay : first;
    const to = pause.lastDay < last ? pause.lastDay : last;
    return sum + dayNumber(to) - dayNumber(from) + 1;
  }, 0);
}

/** A pause as instants in milliseconds since 1970: from the first one (included) to the end (excluded). */
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

/** Whether an instant lies in one of the spans. */
export const isWithin = (spans: readonly PauseSpan[], at: number): boolean =>
  spans.some(({ from, before }) => from <= at && at < before);

/**
 * When a dose is due that follows from the one before it: at its own time, or, where that lies in a pause, at the same time
 * of day on the first day after it, so that nobody is woken at midnight by the end of a pause.
 */
export function afterPauses(at: Date, pauses: Pauses, timeZone: string): Date {
  if ((pauses ?? []).length === 0) return at;
  const [localDay = '', wallTime = ''] = localDateTime(at, timeZone).split(' ');
  const pause = pauseOn(pauses, localDay);
  if (pause === null) return at;
  return afterPauses(instantOfWallTime(dayAfter(pause.lastDay, 1), wallTime, timeZone), pauses, timeZone);
}

/** A change of the pauses of a schedule: the new list, or what is wrong with which field. */
export type PauseChange =
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

/** Ends a pause: one that has not begun is removed, one that runs had its last day yesterday. Null when it is over. */
export function withoutPause(pauses: Pauses, ended: PlannedPause, today: string): PlannedPause[] | null {
  if (ended.lastDay < today) return null;
  const others = (pauses ?? []).filter((other) => other !== ended);
  if (ended.firstDay >= today) return others;
  return inOrder([...others, { firstDay: ended.firstDay, lastDay: daysBefore(today, 1) }]);
}

/** "3 May 2026 – 17 May 2026", or the one day. */
export const pauseText = ({ firstDay, lastDay }: PlannedPause): string =>
  firstDay === lastDay ? shownDay(firstDay) : `${shownDay(firstDay)} – ${shownDay(lastDay)}`;

/** Pauses as an export carries them: "2026-05-03/2026-05-17", separated by spaces. */
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
