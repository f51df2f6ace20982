import {
  ADHERENCE_FORMULA,
  type Adherence,
  adherenceOfAll,
  groupCounts,
} from '#app/domain/doses/adherence.ts';
import { isFinal, vialNameKey, type Vial } from '#app/domain/vials/vial.ts';
import { byMonth, monthCounter } from '#app/domain/reports/report-months.ts';
import { cappedNote, MAX_LISTED } from '#app/domain/reports/listed-rows.ts';
import {
  siteCells,
  siteColumns,
  vialCells,
  VIAL_COLUMNS,
  type ReportSite,
} from '#app/domain/reports/report-row-groups.ts';
import { summariseTiming, timingSummaryText } from '#app/domain/reports/report-timing.ts';
import type { ClinicianReport, ReportAdherence, ReportSection } from '#app/domain/reports/report-types.ts';
import { calendarDay, instantsOfDays } from '#app/domain/time/zoned-time.ts';
import { shownDay } from '#app/domain/time/calendar-day.ts';
import { shownInstant } from '#app/domain/time/format-instant.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { readReportDoses, type DosePart } from './report-doses.server.ts';
import { readReportEffects } from './report-effects.server.ts';
import { readReportMeasurements } from './report-measurements.server.ts';
import { listedRows, type ReportOwner, type ReportScope } from './report-rows.server.ts';

function adherenceText(all: Adherence, { timing }: DosePart): ReportAdherence {
  const { taken, missed, skipped, pending } = all;
  return {
    share: all.text,
    numbers: all.numbers,
    formula: ADHERENCE_FORMULA,
    counts: `${taken} taken, ${missed} missed, ${skipped} skipped, ${pending} not logged yet`,
    timing: timingSummaryText(summariseTiming(timing)),
  };
}

function byCompound({ counts }: DosePart): ReportSection[] {
  const groups = groupCounts(counts);
  if (groups.length < 2) return [];
  const number = (label: string) => ({ label, width: 10, numeric: true });
  return [
    {
      title: 'Adherence by compound',
      note: null,
      columns: [
        { label: 'Compound', width: 30 },
        ...['Taken', 'Missed', 'Skipped', 'Not logged yet', 'Adherence'].map(number),
      ],
      rows: groups.map(({ key, taken, missed, skipped, pending, text }) => [
        key,
        ...[taken, missed, skipped, pending].map(String),
        text ?? '–',
      ]),
      months: [],
      nothing: '',
    },
  ];
}

async function siteSection(
  ctx: Ctx,
  { id, timeZone }: ReportOwner,
  { start, end, notes }: ReportScope,
  isMeant: (name: string | null) => boolean,
): Promise<ReportSection> {
  const entries = ctx.repos.reports.sites(id, instantsOfDays(start, end, timeZone));
  const months = monthCounter('injection');
  const monthOf = ({ takenAt }: ReportSite) => calendarDay(takenAt, timeZone).slice(0, 7);
  const { rows, total } = await listedRows(entries, (entry) => {
    if (!isMeant(entry.name)) return false;
    months.add(monthOf(entry));
    return true;
  });
  const parted = byMonth(rows, monthOf, months.summaries());
  return {
    title: 'Injection sites',
    note: cappedNote(rows.length, total),
    columns: siteColumns(Boolean(notes)),
    months: parted.months,
    rows: parted.rows.map((entry) => siteCells(entry, timeZone, Boolean(notes))),
    nothing: 'No injections were logged in this period.',
  };
}

function vialSection(current: readonly Vial[]): ReportSection {
  return {
    title: 'Current vials',
    note: cappedNote(Math.min(current.length, MAX_LISTED), current.length),
    columns: VIAL_COLUMNS,
    months: [],
    rows: current.slice(-MAX_LISTED).map(vialCells),
    nothing: 'No vials in use.',
  };
}

/** The vials that are neither used up nor discarded, and what every vial is called. */
async function readVials(ctx: Ctx, ownerId: string, isMeant: (name: string | null) => boolean) {
  const current: Vial[] = [];
  const names = new Map<string, string>();
  for await (const batch of ctx.repos.compounds.stream(ownerId)) {
    for (const { id, name } of batch) names.set(id, name);
    current.push(...batch.filter((vial) => !isFinal(vial) && isMeant(vial.name)));
  }
  return { current, names };
}

/**
 * Writes the report of somebody for whoever may read it: the caller has asked the policy. What sums up comes first,
 * the long lists after it. Memory is bounded by what is
 * listed, however long the period.
 */
export async function writeReport(
  ctx: Ctx,
  owner: ReportOwner,
  scope: ReportScope,
): Promise<ClinicianReport> {
  const { start, end, compound } = scope;
  const { timeZone } = owner;
  const wanted = compound ? vialNameKey(compound) : null;
  const isMeant = (name: string | null) => wanted === null || (name !== null && vialNameKey(name) === wanted);
  const doses = await readReportDoses(ctx, owner, scope, isMeant);
  const { current, names } = await readVials(ctx, owner.id, isMeant);
  const effects = await readReportEffects(ctx, owner, scope, { vialNames: names, isMeant });
  const measurements = await readReportMeasurements(ctx, owner, scope);
  return {
    facts: [
      { label: 'Period', value: `${shownDay(start)} to ${shownDay(end)}` },
      { label: 'Compound', value: compound || 'All' },
      { label: 'Time zone', value: timeZone },
      { label: 'Created', value: shownInstant(ctx.now(), timeZone) },
    ],
    adherence: adherenceText(adherenceOfAll(doses.counts), doses),
    sections: [
      ...byCompound(doses),
      ...effects.byKind,
      measurements.summary,
      vialSection(current),
      doses.section,
      effects.section,
      await siteSection(ctx, owner, scope, isMeant),
      measurements.section,
    ],
  };
}
