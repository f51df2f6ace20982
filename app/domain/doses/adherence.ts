import { DateTime } from 'luxon';
import { Decimal, ratio, shortText } from '#app/domain/decimal/decimal.ts';
import { dayNumber, isCalendarDay, weekdayIndex } from '#app/domain/time/calendar.ts';
import { daysBefore } from '#app/domain/time/zoned-time.ts';
import { plural } from '#app/domain/text/plural.ts';
import type { DoseStatus } from './dose.ts';

/** How many doses of a period have each status. */
type DoseTally = Readonly<Record<DoseStatus, number>>;

export const NO_DOSES: DoseTally = { pending: 0, taken: 0, missed: 0, skipped: 0 };

/** The formula, shown wherever the number is. */
export const ADHERENCE_FORMULA =
  'Adherence = planned doses taken ÷ (planned doses taken + missed). Doses without a schedule and doses taken as needed don’t count. Skipped doses and doses not logged yet are left out of the formula and listed separately. In a schedule that counts from the last dose, a dose taken more than a quarter of the interval early or late counts as missed.';

/** Adherence with the counts shown beside it. */
export interface Adherence extends DoseTally {
  /** taken + missed */
  due: number;
  /** Between 0 and 1, the nearest double; null when nothing was due. */
  share: number | null;
  /** "91.7%", at most one decimal, half-up; null when nothing was due. */
  text: string | null;
  /** "11 ÷ (11 + 1) = 91.7%"; null when nothing was due. */
  numbers: string | null;
}

/** Explains why there is no percentage, where it would be shown. */
export function noAdherenceText({ pending, skipped }: DoseTally): string {
  if (pending > 0) return `${plural(pending, 'dose')} not logged yet`;
  return skipped > 0 ? `${plural(skipped, 'dose')} skipped` : 'No doses were due';
}

/** Adherence of a tally: taken ÷ (taken + missed); no figures when nothing was due. */
export function adherenceOf(tally: DoseTally): Adherence {
  const { taken, missed } = tally;
  const due = taken + missed;
  if (due === 0) return { ...tally, due, share: null, text: null, numbers: null };
  const text = `${shortText(ratio(new Decimal(taken * 100), new Decimal(due)), 1)}%`;
  return { ...tally, due, share: taken / due, text, numbers: `${taken} ÷ (${taken} + ${missed}) = ${text}` };
}

/** The sum of two tallies. */
export function addTallies(a: DoseTally, b: DoseTally): DoseTally {
  return {
    pending: a.pending + b.pending,
    taken: a.taken + b.taken,
    missed: a.missed + b.missed,
    skipped: a.skipped + b.skipped,
  };
}

/** How many doses with the same key (a day, a schedule or a name) have a status. */
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
  if (!isCalendarDay(day))
    return DateTime.fromISO(day, { zone: 'utc' }).startOf('week').toFormat('yyyy-MM-dd');
  return daysBefore(day, weekdayIndex(dayNumber(day)));
}

/** Sums counts by group and sorts the groups by key, which puts days in chronological order. */
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

/** Adherence of one week or compound, plus the doses taken without a plan. */
export interface DoseGroup extends AdherenceGroup {
  /** Taken without a plan; not part of adherence. */
  unplanned: number;
}

/** Like `groupCounts` of the planned doses, but includes groups that only have doses without a plan. */
export function groupWithUnplanned(
  planned: readonly StatusCount[],
  unplanned: readonly StatusCount[],
  groupOf: (key: string) => string = (key) => key,
): DoseGroup[] {
  const totals = new Map<string, number>();
  for (const { key, count } of unplanned) totals.set(groupOf(key), (totals.get(groupOf(key)) ?? 0) + count);
  const emptyGroups = unplanned.map((one) => ({ ...one, count: 0 }));
  return groupCounts([...planned, ...emptyGroups], groupOf).map((group) => ({
    ...group,
    unplanned: totals.get(group.key) ?? 0,
  }));
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

/**
 * How many doses were taken in a row up to now. A missed dose ends the streak. A skipped dose was skipped on purpose,
 * and one not logged yet may still be taken, so neither counts nor ends the streak.
 * @param newestFirst statuses of the doses that were due, the latest first
 */
export function currentStreak(newestFirst: Iterable<DoseStatus>): number {
  let taken = 0;
  for (const status of newestFirst) {
    if (status === 'missed') break;
    if (status === 'taken') taken += 1;
  }
  return taken;
}
