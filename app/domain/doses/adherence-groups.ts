import { DateTime } from 'luxon';
import type { DoseStatus } from './dose-status.ts';
import { addTallies, adherenceOf, NO_DOSES, type Adherence, type DoseTally } from './adherence.ts';

/** How many doses of a key (a day, a schedule, a name) have a status. */
export interface StatusCount {
  key: string;
  status: DoseStatus;
  count: number;
}

/** Adherence of one week, schedule or compound. */
export interface AdherenceGroup extends Adherence {
  key: string;
}

/** The Monday of a calendar day's week (ISO 8601), as a calendar day. */
export function weekStart(day: string): string {
  return DateTime.fromISO(day, { zone: 'utc' }).startOf('week').toFormat('yyyy-MM-dd');
}

/** Sums counts by another key, sorted by key; days are thereby in order of time. */
export function groupCounts(
  counts: readonly StatusCount[],
  groupOf: (key: string) => string = (key) => key,
): AdherenceGroup[] {
  const tallies = new Map<string, DoseTally>();
  for (const { key, status, count } of counts) {
    const group = groupOf(key);
    tallies.set(group, addTallies(tallies.get(group) ?? NO_DOSES, { ...NO_DOSES, [status]: count }));
  }
  return [...tallies]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, tally]) => ({ key, ...adherenceOf(tally) }));
}

/** Adherence over all counts. */
export function adherenceOfAll(counts: readonly StatusCount[]): Adherence {
  const tally = counts.reduce(
    (sum, { status, count }) => addTallies(sum, { ...NO_DOSES, [status]: count }),
    NO_DOSES,
  );
  return adherenceOf(tally);
}

/** Adherence by week, from counts by calendar day. */
export function adherenceByWeek(counts: readonly StatusCount[]): AdherenceGroup[] {
  return groupCounts(counts, weekStart);
}
