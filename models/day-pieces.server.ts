import type { InstantRange } from '#app/domain/time/days.ts';

const DAY_MS = 86_400_000;

/** A range of instants as whole days of UTC and what is left over at its ends. */
export interface DayPieces {
  /** Days from the first (included) to the end (excluded), YYYY-MM-DD; null is open. Null altogether: no whole day. */
  days: { from: string | null; before: string | null } | null;
  /** Less than a day each. */
  rests: InstantRange[];
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const startOfDay = (ms: number) => Math.floor(ms / DAY_MS) * DAY_MS;
const endOfDay = (ms: number) => Math.ceil(ms / DAY_MS) * DAY_MS;

/** Divides a range so that days which are counted already need no looking at their rows. */
export function dayPieces({ from, before }: InstantRange): DayPieces {
  const first = from === null ? null : endOfDay(from.getTime());
  const last = before === null ? null : startOfDay(before.getTime());
  if (first !== null && last !== null && last <= first) return { days: null, rests: [{ from, before }] };
  const rests: InstantRange[] = [];
  if (from !== null && first !== null && first > from.getTime())
    rests.push({ from, before: new Date(first) });
  if (before !== null && last !== null && last < before.getTime())
    rests.push({ from: new Date(last), before });
  const days = { from: first === null ? null : dayOf(first), before: last === null ? null : dayOf(last) };
  return { days, rests };
}
