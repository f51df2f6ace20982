import {
  zoneName,
  dayAfter,
  daysBefore,
  instantsOfDays,
  calendarDay,
  shownInstant,
} from '#app/domain/time/zoned-time.ts';
import {
  MAX_LISTED,
  cappedNote,
  byMonth,
  monthAdherence,
  monthCounter,
  type MonthSummary,
} from '#app/domain/reports/report-months.ts';
import {
  groupCounts,
  groupWithUnplanned,
  ADHERENCE_FORMULA,
  adherenceOfAll,
  type StatusCount,
  type Adherence,
} from '#app/domain/doses/adherence.ts';
import type { DoseStatus } from '#app/domain/doses/dose.ts';
import { blendOfDose, contentsOf, type Blend } from '#app/domain/vials/contents.ts';
import { vialNameKey, isFinal, type Vial } from '#app/domain/vials/vial.ts';
import {
  doseCells,
  doseColumns,
  isPlanned,
  latenessOf,
  effectCells,
  effectColumns,
  siteCells,
  siteColumns,
  vialCells,
  VIAL_COLUMNS,
  effectKinds,
  KIND_COLUMNS,
  type ReportSite,
} from '#app/domain/reports/report-row-groups.ts';
import type { ReportSection, ClinicianReport, ReportAdherence } from '#app/domain/reports/report-types.ts';
import { summariseTiming, timingSummaryText, type TimingCounts } from '#app/domain/reports/report-timing.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import type { ReportedDose, ReportedEffect, ReportedSite } from '#models/index.server.ts';
import { measuresFrom, ownMetric, type Metric } from '#app/domain/tracking/measurements.ts';
import {
  measurementCells,
  measurementColumns,
  measurementSummary,
  SUMMARY_COLUMNS,
  type ReportMeasurement,
} from '#app/domain/reports/report-measurements.ts';
import { shownDay } from '#app/domain/time/calendar.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { reportSchema, type ReportInput, type ReportRequest } from '#app/domain/reports/report-schema.ts';
import { heavyWork } from '#app/platform/heavy-work.server.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import { repos } from './repositories.server.ts';

/** The owner of the data. The caller has already authorised access. */
interface ReportOwner {
  id: string;
  /** IANA name, for days and times. */
  timeZone: string;
}

interface ReportScope {
  /** YYYY-MM-DD, both inclusive. */
  start: string;
  end: string;
  /** Null or absent for all compounds. */
  compound?: string | null | undefined;
  /** True to include the owner's notes. */
  notes?: boolean | 'on' | '' | undefined;
}

const USUAL_DAYS = 90;

/** The most schedules whose names are offered. */
const MAX_SCHEDULES = 500;

/** The default period: the last 90 days in the signed-in user's zone. @throws AppError PREMIUM_REQUIRED */
export function usualPeriod(ctx: Ctx): { start: string; end: string } {
  const { timeZone } = authorisePremiumUser(ctx.actor, 'report.read');
  const end = calendarDay(ctx.now(), timeZone);
  return { start: daysBefore(end, USUAL_DAYS - 1), end };
}

/** The vials that a report uses. */
interface ReportVials {
  /** Those that are neither empty nor discarded. */
  current: Vial[];
  /** The name of every vial, by its id. */
  names: ReadonlyMap<string, string>;
}

async function readVials(ctx: Ctx, ownerId: string): Promise<ReportVials> {
  const current: Vial[] = [];
  const names = new Map<string, string>();
  for await (const batch of repos(ctx).vials.stream(ownerId)) {
    for (const { id, name } of batch) names.set(id, name);
    current.push(...batch.filter((vial) => !isFinal(vial)));
  }
  return { current, names };
}

/**
 * The signed-in user's vials, read once for both the report and the list of compounds.
 * @throws AppError PREMIUM_REQUIRED
 */
export function reportVials(ctx: Ctx): Promise<ReportVials> {
  return readVials(ctx, authorisePremiumUser(ctx.actor, 'report.read').id);
}

/**
 * The names of the compounds to choose from: those of the signed-in user's vials and schedules.
 * @throws AppError PREMIUM_REQUIRED
 */
export async function reportCompounds(ctx: Ctx, vials?: ReportVials): Promise<string[]> {
  const { id } = authorisePremiumUser(ctx.actor, 'report.read');
  const names = new Map<string, string>();
  const add = (name: string) => {
    const key = vialNameKey(name);
    if (!names.has(key)) names.set(key, name);
  };
  for (const name of (vials ?? (await readVials(ctx, id))).names.values()) add(name);
  for (const schedule of await repos(ctx).schedules.list(id, 0, MAX_SCHEDULES))
    for (const { name } of [schedule, ...(schedule.swaps ?? [])]) add(name);
  return [...names.values()].sort((a, b) => a.localeCompare(b, 'en'));
}

/**
 * The signed-in user's report for a clinician.
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT for a period that is reversed or longer than 5 years, RATE_LIMITED
 * while the last one is still being written
 */
export async function clinicianReport(
  ctx: Ctx,
  input: ReportInput,
  vials?: ReportVials,
): Promise<{ request: ReportRequest; report: ClinicianReport }> {
  const { id, timeZone } = authorisePremiumUser(ctx.actor, 'report.read');
  const request = parseInput(reportSchema, input);
  return {
    request,
    report: await heavyWork('report', id, () => writeReport(ctx, { id, timeZone }, request, vials)),
  };
}

/**
 * Writes the report about an owner; the caller must authorise access. Summaries come first, then the long lists. Memory is
 * bounded by what is listed, however long the period.
 */
export async function writeReport(
  ctx: Ctx,
  owner: ReportOwner,
  scope: ReportScope,
  known?: ReportVials,
): Promise<ClinicianReport> {
  const { start, end, compound } = scope;
  const { timeZone } = owner;
  const nameKey = compound ? vialNameKey(compound) : null;
  const isOfCompound = (name: string | null) =>
    nameKey === null || (name !== null && vialNameKey(name) === nameKey);
  const doses = await readReportDoses(ctx, owner, scope, isOfCompound);
  const vials = known ?? (await readVials(ctx, owner.id));
  const effects = await readReportEffects(ctx, owner, scope, { vialNames: vials.names, isOfCompound });
  const measurements = await readReportMeasurements(ctx, owner, scope);
  return {
    facts: [
      { label: 'Period', value: `${shownDay(start)} to ${shownDay(end)}` },
      { label: 'Compound', value: compound || 'All' },
      { label: 'Time zone', value: zoneName(timeZone) },
      { label: 'Created', value: shownInstant(ctx.now(), timeZone) },
    ],
    adherence: adherenceText(adherenceOfAll(doses.counts), doses),
    sections: [
      ...byCompound(doses),
      ...effects.byKind,
      measurements.summary,
      vialSection(vials.current, isOfCompound),
      doses.section,
      effects.section,
      await siteSection(ctx, owner, scope, { isOfCompound, drawnFrom: doses.drawnFrom }),
      measurements.section,
    ],
  };
}

function adherenceText(all: Adherence, { unplanned, timing }: DosePart): ReportAdherence {
  const { taken, missed, skipped, pending } = all;
  return {
    share: all.text,
    numbers: all.numbers,
    formula: ADHERENCE_FORMULA,
    counts: `${taken} taken, ${missed} missed, ${skipped} skipped, ${pending} not logged yet${unplanned > 0 ? `, ${unplanned} without a plan` : ''}`,
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

function vialSection(vials: readonly Vial[], isOfCompound: (name: string | null) => boolean): ReportSection {
  const current = vials.filter(
    (vial) => isOfCompound(vial.name) || contentsOf(vial).some((one) => isOfCompound(one.name)),
  );
  return {
    title: 'Current vials',
    note: cappedNote(Math.min(current.length, MAX_LISTED), current.length),
    columns: VIAL_COLUMNS,
    months: [],
    rows: current.slice(-MAX_LISTED).map(vialCells),
    nothing: 'No vials in use.',
  };
}

/** The doses in a report. */
interface DosePart {
  section: ReportSection;
  /** By compound. */
  counts: StatusCount[];
  /** Doses without a plan, which adherence does not count. */
  unplanned: number;
  timing: TimingCounts;
  /** By dose id: the blend it was drawn from; null for a single peptide. For at most {@link MAX_LISTED} doses. */
  drawnFrom: ReadonlyMap<string, Blend | null>;
}

/**
 * Reads the due doses of a period. A dose belongs to the day in its schedule's zone, as in the adherence on the schedule's
 * pages, wherever its owner was.
 */
async function readReportDoses(
  ctx: Ctx,
  { id, timeZone }: ReportOwner,
  { start, end, notes }: ReportScope,
  isOfCompound: (name: string | null) => boolean,
): Promise<DosePart> {
  const now = ctx.now();
  // Time zones differ by 26 hours at most.
  const around = instantsOfDays(daysBefore(start, 2), dayAfter(end, 2), timeZone);
  const compounds = compoundCounter();
  const months = compoundCounter();
  const unplanned = compoundCounter();
  const timing = new Map<number, number>();
  const drawnFrom = new Map<string, Blend | null>();
  const listed = await listedRows(repos(ctx).reports.doses(id, around), (dose) => {
    const { localDay, name, status } = dose;
    if (drawnFrom.size < MAX_LISTED) drawnFrom.set(dose._id, dose.drawn ?? null);
    const isDue = dose.dueDate <= now || status !== 'pending';
    if (localDay < start || localDay > end || !isDue || !namesOfDose(dose).some(isOfCompound)) return false;
    const late = latenessOf(dose);
    if (!isPlanned(dose)) unplanned.count(monthOf(dose), status);
    else {
      const counted = dose.offTime ? 'missed' : status;
      compounds.count(name, counted);
      months.count(monthOf(dose), counted);
    }
    if (late !== null) timing.set(late, (timing.get(late) ?? 0) + 1);
    return true;
  });
  const byMonths = groupWithUnplanned(months.counts(), unplanned.counts());
  const section = listSection(listed, {
    title: 'Doses',
    columns: doseColumns(Boolean(notes)),
    monthOf,
    summaries: new Map(byMonths.map((group) => [group.key, monthAdherence(group)])),
    cells: (dose) => doseCells(dose, timeZone, Boolean(notes)),
    nothing: 'No doses were due or logged in this period.',
  });
  const withoutPlan = byMonths.reduce((sum, month) => sum + month.unplanned, 0);
  return { section, counts: compounds.counts(), unplanned: withoutPlan, timing, drawnFrom };
}

/** Counts doses by compound and status. Names that differ only in case or spaces are the same compound. */
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

/** The month of the schedule's day, as in the counts. */
const monthOf = ({ localDay }: { localDay: string }): string => localDay.slice(0, 7);

/** What is needed to find the compound of a side effect. */
interface EffectLinks {
  /** By the vial's id. */
  vialNames: ReadonlyMap<string, string>;
  isOfCompound(name: string | null): boolean;
}

/** The side effects in a report. */
interface EffectPart {
  section: ReportSection;
  /** A row for each kind; empty if each occurred once. */
  byKind: ReportSection[];
}

/**
 * The side effects that began in a period. If a compound is chosen, unlinked side effects are listed too, because otherwise
 * no report about one compound would show them.
 */
async function readReportEffects(
  ctx: Ctx,
  { id, timeZone }: ReportOwner,
  { start, end, compound, notes }: ReportScope,
  { vialNames, isOfCompound }: EffectLinks,
): Promise<EffectPart> {
  const effects = repos(ctx).reports.effects(id, instantsOfDays(start, end, timeZone));
  const named = withCompounds(ctx, id, effects, vialNames);
  const kinds = effectKinds();
  const months = monthCounter('side effect');
  const monthOf = ({ startedAt }: Named) => calendarDay(startedAt, timeZone).slice(0, 7);
  const listed = await listedRows(named, (effect) => {
    if (effect.compound !== null && !isOfCompound(effect.compound)) return false;
    kinds.add(effect);
    months.add(monthOf(effect));
    return true;
  });
  const section = listSection(listed, {
    title: 'Side effects',
    remark: compound ? 'Side effects not linked to a compound are listed too.' : undefined,
    columns: effectColumns(Boolean(notes)),
    monthOf,
    summaries: months.summaries(),
    cells: (effect) => effectCells(effect, effect.compound, timeZone, Boolean(notes)),
    nothing: 'No side effects began in this period.',
  });
  return { byKind: kindSection(kinds.rows()), section };
}

type Named = ReportedEffect & { compound: string | null };

/** The side effects with the compound of their vial, else of their dose; null if they have neither. */
async function* withCompounds(
  ctx: Ctx,
  ownerId: string,
  effects: AsyncIterable<ReportedEffect[]>,
  vialNames: ReadonlyMap<string, string>,
): AsyncGenerator<Named[]> {
  async function named(batch: readonly ReportedEffect[]): Promise<Named[]> {
    const ids = batch.flatMap(({ compoundId, doseId }) => (compoundId === null && doseId ? [doseId] : []));
    const doseNames = await repos(ctx).reports.doseNames(ownerId, [...new Set(ids)]);
    return batch.map((effect) => {
      const { compoundId, doseId } = effect;
      const compound = compoundId === null ? doseNames.get(doseId ?? '') : vialNames.get(compoundId);
      return { ...effect, compound: compound ?? null };
    });
  }
  for await (const batch of effects) yield await named(batch);
}

/**
 * The injections with the blends that their doses were drawn from.
 * @param drawnFrom the blends of doses that have been read already; the others are looked up
 */
async function* withBlends(
  ctx: Ctx,
  ownerId: string,
  entries: AsyncIterable<ReportedSite[]>,
  drawnFrom: ReadonlyMap<string, Blend | null>,
): AsyncGenerator<ReportedSite[]> {
  for await (const batch of entries) {
    const ids = batch.flatMap(({ doseId }) => (doseId === null || drawnFrom.has(doseId) ? [] : [doseId]));
    const blends = await repos(ctx).doses.blendsDrawn(ownerId, ids);
    const blendOf = (doseId: string) => drawnFrom.get(doseId) ?? blends.get(doseId) ?? null;
    yield batch.map((entry) => ({ ...entry, blend: blendOf(entry.doseId ?? '') }));
  }
}

const componentNames = (blend: Blend | null | undefined): string[] =>
  (blend?.components ?? []).map(({ name }) => name);

/** The names that a dose counts for: its own, and those of the components of its blend. */
const namesOfDose = (dose: ReportedDose): string[] => [dose.name, ...componentNames(blendOfDose(dose))];

function kindSection(rows: string[][]): ReportSection[] {
  if (rows.length === 0) return [];
  return [
    { title: 'Side effects by kind', note: null, columns: KIND_COLUMNS, months: [], rows, nothing: '' },
  ];
}

async function siteSection(
  ctx: Ctx,
  { id, timeZone }: ReportOwner,
  { start, end, notes }: ReportScope,
  { isOfCompound, drawnFrom }: { isOfCompound(name: string | null): boolean } & Pick<DosePart, 'drawnFrom'>,
): Promise<ReportSection> {
  const sites = repos(ctx).reports.sites(id, instantsOfDays(start, end, timeZone));
  const entries = withBlends(ctx, id, sites, drawnFrom);
  const months = monthCounter('injection');
  const monthOf = ({ takenAt }: ReportSite) => calendarDay(takenAt, timeZone).slice(0, 7);
  const listed = await listedRows(entries, (entry) => {
    if (![entry.name, ...componentNames(entry.blend)].some(isOfCompound)) return false;
    months.add(monthOf(entry));
    return true;
  });
  return listSection(listed, {
    title: 'Injection sites',
    columns: siteColumns(Boolean(notes)),
    monthOf,
    summaries: months.summaries(),
    cells: (entry) => siteCells(entry, timeZone, Boolean(notes)),
    nothing: 'No injections were logged in this period.',
  });
}

/** The measurements in a report. */
interface MeasurementPart {
  /** A row for each measure. */
  summary: ReportSection;
  section: ReportSection;
}

/** The measurements of a period: a row for each measure, then each value, whichever compound is chosen. */
async function readReportMeasurements(
  ctx: Ctx,
  { id, timeZone }: ReportOwner,
  { start, end, notes }: ReportScope,
): Promise<MeasurementPart> {
  const [user, choices] = await Promise.all([repos(ctx).users.find(id), repos(ctx).trackingChoices.find(id)]);
  const { metrics, units } = measuresFrom(choices.metrics, user?.units);
  const known = new Map(metrics.map((metric) => [metric.key, metric]));
  const metricOf = (row: ReportMeasurement) => known.get(row.metric) ?? gone(row);
  const summary = measurementSummary(units);
  const months = monthCounter('measurement');
  const monthOf = ({ measuredAt }: ReportMeasurement) => calendarDay(measuredAt, timeZone).slice(0, 7);
  const entries = repos(ctx).reports.measurements(id, instantsOfDays(start, end, timeZone));
  const listed = await listedRows(entries, (row) => {
    summary.add(metricOf(row), row);
    months.add(monthOf(row));
    return true;
  });
  const shown = { timeZone, units, notes: Boolean(notes) };
  return {
    summary: {
      title: 'Measurements',
      note: null,
      columns: SUMMARY_COLUMNS,
      months: [],
      rows: summary.rows([...known.keys()]),
      nothing: NOTHING,
    },
    section: listSection(listed, {
      title: 'Each measurement',
      columns: measurementColumns(shown.notes),
      monthOf,
      summaries: months.summaries(),
      cells: (row) => measurementCells(row, metricOf(row), shown),
      nothing: NOTHING,
    }),
  };
}

const NOTHING = 'No measurements in this period.';

/** Replaces a measure that its owner has removed. */
const gone = ({ metric, unit }: ReportMeasurement): Metric =>
  ownMetric({ key: metric, name: 'Removed measure', unit });

/** The listed rows of a section, and the total. */
interface ListedRows<Row> {
  rows: Row[];
  total: number;
}

/** Reads all rows and keeps the first {@link MAX_LISTED} that match. */
async function listedRows<Row>(
  all: AsyncIterable<Row[]>,
  isOfCompound: (row: Row) => boolean,
): Promise<ListedRows<Row>> {
  const rows: Row[] = [];
  let total = 0;
  for await (const batch of all) {
    const matching = batch.filter(isOfCompound);
    total += matching.length;
    rows.push(...matching.slice(0, MAX_LISTED - rows.length));
  }
  return { rows, total };
}

interface ListSection<Row> extends Pick<ReportSection, 'title' | 'columns' | 'nothing'> {
  /** A remark above the list if it has rows. */
  remark?: string | undefined;
  /** `YYYY-MM` of a row. */
  monthOf: (row: Row) => string;
  /** For each month that has rows, listed or not. */
  summaries: ReadonlyMap<string, MonthSummary>;
  cells: (row: Row) => string[];
}

/** A long list of the report, by month. */
function listSection<Row>(
  { rows, total }: ListedRows<Row>,
  { title, columns, nothing, remark, monthOf, summaries, cells }: ListSection<Row>,
): ReportSection {
  const parted = byMonth(rows, monthOf, summaries);
  const notes = [cappedNote(rows.length, total), rows.length > 0 ? remark : undefined];
  return {
    title,
    note: notes.filter(Boolean).join(' ') || null,
    columns,
    months: parted.months,
    rows: parted.rows.map(cells),
    nothing,
  };
}
