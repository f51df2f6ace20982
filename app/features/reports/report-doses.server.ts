import { groupCounts, type StatusCount } from '#app/domain/doses/adherence.ts';
import type { DoseStatus } from '#app/domain/doses/dose.ts';
import { vialNameKey } from '#app/domain/vials/vial.ts';
import { byMonth, monthAdherence } from '#app/domain/reports/report-months.ts';
import { cappedNote } from '#app/domain/reports/listed-rows.ts';
import { doseCells, doseColumns, latenessOf } from '#app/domain/reports/report-row-groups.ts';
import type { ReportSection } from '#app/domain/reports/report-types.ts';
import type { TimingCounts } from '#app/domain/reports/report-timing.ts';
import { dayAfter, daysBefore, instantsOfDays } from '#app/domain/time/zoned-time.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { listedRows, type ReportOwner, type ReportScope } from './report-rows.server.ts';

/** What a report says about doses. */
export interface DosePart {
  section: ReportSection;
  /** By compound. */
  counts: StatusCount[];
  timing: TimingCounts;
}

/** By the day that the schedule says, as in the counts. */
const monthOf = ({ localDay }: { localDay: string }): string => localDay.slice(0, 7);

/** Counts doses by compound and status; compounds whose names differ in capitals or blanks alone are one. */
function compoundCounter() {
  const compounds = new Map<string, { name: string; counts: Map<DoseStatus, number> }>();
  return {
    count(name: string, status: DoseStatus): void {
      const key = vialNameKey(name);
      const known = compounds.get(key) ?? { name, counts: new Map<DoseStatus, number>() };
      known.counts.set(status, (known.counts.get(status) ?? 0) + 1);
      compounds.set(key, known);
    },
    counts: (): StatusCount[] =>
      [...compounds.values()].flatMap(({ name, counts }) =>
        [...counts].map(([status, count]) => ({ key: name, status, count })),
      ),
  };
}

/**
 * Reads the doses of the days of a period whose time has come. A dose belongs to the day that its schedule says, as in
 * the adherence of the schedule's pages, wherever its owner has been meanwhile.
 */
export async function readReportDoses(
  ctx: Ctx,
  { id, timeZone }: ReportOwner,
  { start, end, notes }: ReportScope,
  isMeant: (name: string | null) => boolean,
): Promise<DosePart> {
  const now = ctx.now();
  // Clocks on earth are 26 hours apart at most.
  const around = instantsOfDays(daysBefore(start, 2), dayAfter(end, 2), timeZone);
  const compounds = compoundCounter();
  const months = compoundCounter();
  const timing = new Map<number, number>();
  const { rows, total } = await listedRows(ctx.repos.reports.doses(id, around), (dose) => {
    const { localDay, name, status } = dose;
    const isDue = dose.dueDate <= now || status !== 'pending';
    if (localDay < start || localDay > end || !isDue || !isMeant(name)) return false;
    const late = latenessOf(dose);
    compounds.count(name, status);
    months.count(monthOf(dose), status);
    if (late !== null) timing.set(late, (timing.get(late) ?? 0) + 1);
    return true;
  });
  const said = new Map(groupCounts(months.counts()).map((group) => [group.key, monthAdherence(group)]));
  const parted = byMonth(rows, monthOf, said);
  const section = {
    title: 'Doses',
    note: cappedNote(rows.length, total),
    columns: doseColumns(Boolean(notes)),
    months: parted.months,
    rows: parted.rows.map((dose) => doseCells(dose, timeZone, Boolean(notes))),
    nothing: 'No doses were due or logged in this period.',
  };
  return { section, counts: compounds.counts(), timing };
}
