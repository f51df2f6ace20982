import type { DoseGroup } from '#app/domain/doses/adherence.ts';
import { monthLabel } from '#app/domain/time/calendar.ts';
import type { ReportMonth } from './report-types.ts';

/** The most rows that are listed in one piece; longer lists are folded by month. */
export const MOST_IN_ONE_PIECE = 20;

/** "March 2026". @param month YYYY-MM */
function shownMonth(month: string): string {
  return monthLabel(`${month}-01`);
}

/** The rows of a section sorted by month, latest first, with the number of rows in each month. */
interface RowsByMonth<Row> {
  rows: Row[];
  /** Empty if the rows are listed in one piece. */
  months: ReportMonth[];
}

/** The summary of a month, and its total of rows, listed or not. */
export interface MonthSummary {
  about: string;
  total: number;
}

const partly = (listed: number, { about, total }: MonthSummary) =>
  listed > 0 && listed < total ? `${about}; ${listed} of them listed` : about;

/**
 * Groups rows by month; rows within a month keep their order.
 * @param monthOf the month of a row, YYYY-MM
 * @param summaries by month, for every month that has rows, listed or not
 * @throws Error for a row whose month has no summary, because it would be missing from the report
 */
export function byMonth<Row>(
  rows: readonly Row[],
  monthOf: (row: Row) => string,
  summaries: ReadonlyMap<string, MonthSummary>,
): RowsByMonth<Row> {
  const parts = new Map<string, Row[]>([...summaries.keys()].map((month) => [month, []]));
  for (const row of rows) {
    const part = parts.get(monthOf(row));
    if (part === undefined) throw new Error(`no summary of ${monthOf(row)}`);
    part.push(row);
  }
  const sorted = [...summaries].sort(([a], [b]) => (a < b ? 1 : -1));
  const partOf = (month: string) => parts.get(month) ?? [];
  const months = sorted.map(([month, summary]) => {
    const { length } = partOf(month);
    return { title: shownMonth(month), about: partly(length, summary), rows: length };
  });
  return {
    rows: sorted.flatMap(([month]) => partOf(month)),
    months: rows.length > MOST_IN_ONE_PIECE ? months : [],
  };
}

/** Counts rows by month while they are read. @param one singular noun for a row: "injection" */
export function monthCounter(one: string) {
  const totals = new Map<string, number>();
  return {
    add(month: string): void {
      totals.set(month, (totals.get(month) ?? 0) + 1);
    },
    /** "1 injection", "12 injections". */
    summaries: (): Map<string, MonthSummary> =>
      new Map(
        [...totals].map(([month, total]) => [
          month,
          { total, about: `${total} ${one}${total === 1 ? '' : 's'}` },
        ]),
      ),
  };
}

/** Summarises a month's doses: "29 taken, 2 missed, 1 skipped: 93.5%; 3 without a plan". */
export function monthAdherence(month: DoseGroup): MonthSummary {
  const { taken, missed, skipped, pending, unplanned, text } = month;
  const planned = taken + missed + skipped + pending;
  const open = pending > 0 ? `, ${pending} not logged yet` : '';
  const parts = [
    ...(planned > 0
      ? [`${taken} taken, ${missed} missed, ${skipped} skipped${open}${text === null ? '' : `: ${text}`}`]
      : []),
    ...(unplanned > 0 ? [`${unplanned} without a plan`] : []),
  ];
  return { about: parts.join('; '), total: planned + unplanned };
}

/** The most rows that a section of a report lists; its figures count all. */
export const MAX_LISTED = 1000;

/** The note above a section that does not list all its rows; null if it does. */
export function cappedNote(listed: number, total: number): string | null {
  if (total <= listed) return null;
  return `The latest ${listed} of ${total} are listed. The totals include all; choose a shorter period to see the others.`;
}
