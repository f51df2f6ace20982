import { adherenceOf, NO_DOSES, type DoseGroup, weekStart } from '#app/domain/doses/adherence.ts';
import { labelDays, readPeriod, LEVEL_DAYS, readLevelDays } from '#app/domain/analytics/periods.ts';
import type { EffectDayInput } from '#app/domain/analytics/day-figures.ts';
import type { SpendOf } from '#app/domain/analytics/spend.ts';
import { fixedText } from '#app/domain/decimal/decimal.ts';
import type { StockForecast } from '#app/domain/vials/forecast.ts';
import { estimateNote, lastsText, stockText, wasteNote } from '#app/domain/vials/forecast-texts.ts';
import { isSite, siteName } from '#app/domain/tracking/sites.ts';
import { calendarDay, localDateTime, momentField } from '#app/domain/time/zoned-time.ts';
import { shownDay, DAY_MS, HOUR_MS } from '#app/domain/time/calendar.ts';
import { shownMoney } from '#app/domain/vendors/price-per-mg.ts';
import { comingDoses, levelBand, type LevelBand, type UsedHours } from './levels.server.ts';
import { envelopeOf, type BandPoint } from '#app/domain/analytics/level-curve.ts';
import { drawLines, type Series } from '#app/ui/charts/plots.tsx';
import { vialNameKey } from '#app/domain/vials/vial.ts';
import { readWhatIf, withoutWhatIf, type WhatIf } from '#app/domain/analytics/what-if.ts';
import { MAX_VENDOR_NAME_LENGTH } from '#app/domain/vendors/vendor-schema.ts';
import { getAnalytics } from './analytics.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { measuredDays, measuredView } from '#app/features/tracking/index.server.ts';

/** The most curves on one page; the filter chooses another compound. */
const MAX_CURVES = 4;

/** Data for the analytics page. */
export async function readAnalytics(ctx: Ctx, url: URL) {
  const days = readPeriod(url.searchParams.get('period'));
  const chosen = (url.searchParams.get('compound') ?? '').trim().slice(0, MAX_VENDOR_NAME_LENGTH);
  const [found, { period, units, measured }] = await Promise.all([
    getAnalytics(ctx, { days, name: chosen === '' ? null : chosen }),
    measuredDays(ctx, days),
  ]);
  const measure = measured.find(({ metric }) => metric.key === url.searchParams.get('measure'));
  const curves = found.substances.slice(0, MAX_CURVES);
  const whatIf = readWhatIf(url.searchParams, ctx.timeZone, ctx.now());
  const span = readLevelDays(url.searchParams.get('span')) ?? (url.searchParams.has('period') ? days : null);
  const coming = comingDoses(ctx);
  const bands = await Promise.all(
    curves.map(async (name) => ({
      name,
      band: await levelBand(ctx, name, span, whatIf.doses, coming),
    })),
  );
  const effects = effectWeeks(found.effects);
  const hasEffects = effects.some((week) => week.effects > 0);
  const taken = new Set(found.takenNames);
  const { weeks, sites, spend, stock } = found;
  return {
    days,
    name: chosen,
    search: url.search,
    names: found.names,
    measure: measure?.metric.key ?? '',
    measures: measured.map(({ metric }) => ({ value: metric.key, label: metric.name })),
    measured: (measure ? [measure] : measured).map((one) => measuredView(one, period, units)),
    isEmpty: measured.length + weeks.length + sites.length + spend.length + stock.length === 0 && !hasEffects,
    figures: weeks.length === 0 && !hasEffects ? null : periodFigures(weeks, effects),
    weeks,
    compounds: found.compounds,
    heat: found.heat,
    taken: found.taken,
    effects,
    hasEffects,
    comparison: found.comparison,
    sites: sites.map(siteRow),
    spend: spend.map(spendView),
    stock: stock.map(stockRow),
    levels: bands.flatMap(({ band }) =>
      band === null ? [] : [levelView(band, ctx.timeZone, url.searchParams, whatIf)],
    ),
    unknown: bands.filter(({ name, band }) => band === null && taken.has(name)).map(({ name }) => name),
  };
}

/** The sums over a period's weeks. */
function periodFigures(weeks: readonly DoseGroup[], effects: readonly { effects: number }[]) {
  const sum = (of: (week: DoseGroup) => number) => weeks.reduce((total, week) => total + of(week), 0);
  const planned = { taken: sum((week) => week.taken), missed: sum((week) => week.missed) };
  return {
    taken: planned.taken + sum((week) => week.unplanned),
    missed: planned.missed,
    adherence: adherenceOf({ ...NO_DOSES, ...planned }).text,
    effects: effects.reduce((total, week) => total + week.effects, 0),
  };
}

/** Side effects by week. */
function effectWeeks(days: readonly EffectDayInput[]) {
  const weeks = new Map<string, { doses: number; effects: number; severity: number }>();
  for (const { day, doses, effects, severity } of days) {
    const key = weekStart(day);
    const known = weeks.get(key) ?? { doses: 0, effects: 0, severity: 0 };
    weeks.set(key, {
      doses: known.doses + doses,
      effects: known.effects + effects,
      severity: known.severity + (severity ?? 0) * effects,
    });
  }
  return [...weeks].map(([week, { doses, effects, severity }]) => ({
    week,
    doses,
    effects,
    severity: effects === 0 ? '–' : (severity / effects).toFixed(1),
  }));
}

/** A site with its name. */
function siteRow<S extends { site: string; lastDay: string }>(row: S) {
  return { ...row, lastDay: shownDay(row.lastDay), name: isSite(row.site) ? siteName(row.site) : row.site };
}

/** Spend as text. */
function spendView({ currency, total, vials, months, names }: SpendOf) {
  return {
    currency,
    total: shownMoney(total, currency),
    vials,
    months: months.map((one) => ({
      month: one.month,
      value: Number(fixedText(one.total, 2)),
      text: shownMoney(one.total, currency),
    })),
    names: names.map((one) => `${one.name} ${shownMoney(one.total, currency)}`).join(', '),
  };
}

const WHY = {
  'no-doses': 'has no planned doses',
  'no-vials': 'has no vial left',
  'no-amount': 'is missing an amount',
} as const;

/** How long the stock of a compound lasts, as text. */
function stockRow(forecast: StockForecast) {
  const { name, why, runOutDay, daysOfSupply, reorderBy, until } = forecast;
  const lasts =
    why !== null
      ? WHY[why]
      : runOutDay === null
        ? `lasts beyond ${shownDay(until)}`
        : lastsText(runOutDay, daysOfSupply ?? 0);
  return {
    name,
    stock: stockText(forecast),
    share: null,
    lasts,
    notes: `${wasteNote(forecast)}${estimateNote(forecast)}`,
    reorderBy: reorderBy === null ? '–' : shownDay(reorderBy),
  };
}

/** "4 h", "12 min" */
const hoursText = (hours: number): string =>
  hours < 1 ? `${Number((hours * 60).toFixed(1))} min` : `${Number(hours.toFixed(2))} h`;

/** "4–7 h", "5–20 min" */
function rangeText({ lowHours, highHours }: Pick<UsedHours, 'lowHours' | 'highHours'>): string {
  const [low, high] = [hoursText(lowHours), hoursText(highHours)];
  if (low === high) return low;
  const [number = '', unit = ''] = low.split(' ');
  return high.endsWith(` ${unit}`) ? `${number}–${high}` : `${low} to ${high}`;
}

/** Up to this many days, the table has a row for every six hours. */
const SHORT_DAYS = 7;

/** The lowest and highest level of each day, or of each quarter of a day. */
function levelRows({ points, whatIf, days }: LevelBand, timeZone: string) {
  const rowOf = (at: number): string => {
    const [day = '', time = ''] = localDateTime(new Date(at), timeZone).split(' ');
    if (days > SHORT_DAYS) return shownDay(day);
    const quarter = Math.floor(Number(time.slice(0, 2)) / 6) * 6;
    return `${shownDay(day)}, ${String(quarter).padStart(2, '0')}:00`;
  };
  const rows = new Map<string, { low: number; high: number; whatIf: number | null }>();
  for (const { at, low, high } of points) {
    const day = rowOf(at);
    const known = rows.get(day);
    if (known === undefined) {
      rows.set(day, { low, high: Math.max(0, high), whatIf: null });
      continue;
    }
    known.low = Math.min(known.low, low);
    known.high = Math.max(known.high, high);
  }
  for (const { at, high } of whatIf) {
    const known = rows.get(rowOf(at));
    if (known !== undefined) known.whatIf = Math.max(known.whatIf ?? 0, high);
  }
  const text = (share: number) => `${share.toFixed(0)}%`;
  return [...rows].map(([day, row]) => ({
    day,
    low: text(row.low),
    high: text(row.high),
    whatIf: row.whatIf === null ? '–' : text(row.whatIf),
  }));
}

const NO_ABSORPTION = 'Sum over all doses of dose × 0.5^(time ÷ half-life)';

/** Describes what a curve is computed from. */
function basisOf({ isBolus, isFlipFlop, peak }: LevelBand): string {
  if (isBolus) return `${NO_ABSORPTION}, taken as an immediate bolus.`;
  if (peak === null)
    return `${NO_ABSORPTION}. The peak time is unknown, so the curve is drawn without absorption.`;
  const model =
    'Sum over all doses of dose × ka ÷ (ka − ke) × (e^(−ke·t) − e^(−ka·t)): one compartment with first-order absorption; ke follows from the half-life, ka from the time of the peak.';
  return isFlipFlop
    ? `${model} Within the range shown, absorption is slower than elimination (flip-flop): it sets how long the level lasts.`
    : model;
}

/** With more peaks than this, the range between them is drawn instead. */
const MOST_PEAKS = 45;

/** The number of intervals for that range; each is at least a day. */
const STRETCHES = 60;

const isCrowded = ({ shown }: LevelBand): boolean => shown > MOST_PEAKS;

/** Rounds to two decimals of a per cent, which is all that a chart can show. */
const rounded = (points: readonly BandPoint[]): BandPoint[] =>
  points.map(({ at, low, high }) => ({
    at,
    low: Math.round(low * 100) / 100,
    high: Math.round(high * 100) / 100,
  }));

/** The lines of a level chart. @param isBand true if sources differ, so that there is a lowest and a highest level */
function seriesOf(level: LevelBand, isBand: boolean): Series[] {
  const { from, to, now } = level;
  const points = rounded(level.points);
  const past = points.filter(({ at }) => at <= now);
  const future = points.filter(({ at }) => at >= now);
  const lines = (list: readonly BandPoint[], kind: 'line' | 'dashed'): Series[] => [
    { kind, tone: 'pen', points: list.map(({ at, high }) => [at, high] as const) },
    ...(isBand
      ? [{ kind, tone: 'pen' as const, points: list.map(({ at, low }) => [at, low] as const) }]
      : []),
  ];
  const band = (list: readonly BandPoint[]): Series => ({
    kind: 'band',
    tone: 'pen',
    points: list.map(({ at, low, high }) => [at, low, high] as const),
  });
  const added: Series[] = level.whatIf.length === 0 ? [] : [whatIfLine(rounded(level.whatIf))];
  if (!isCrowded(level))
    return [...(isBand ? [band(points)] : []), ...lines(past, 'line'), ...lines(future, 'dashed'), ...added];
  const stretches = envelopeOf(past, from, Math.max(DAY_MS, (to - from) / STRETCHES));
  const edge = (which: 'low' | 'high'): Series => ({
    kind: 'line',
    tone: 'pen',
    points: stretches.map((one) => [one.at, one[which]] as const),
  });
  return [band(stretches), edge('high'), edge('low'), ...lines(future, 'dashed'), ...added];
}

/** The highest level including the what-if doses. */
const whatIfLine = (whatIf: readonly BandPoint[]): Series => ({
  kind: 'dashed',
  tone: 'danger',
  points: whatIf.map(({ at, high }) => [at, high] as const),
});

/** A figure with its source, as text. */
const usedView = (used: UsedHours) => ({
  text: rangeText(used),
  source: used.source,
  finding: used.finding,
  isConfirmed: used.isConfirmed,
  isOwn: used.isOwn,
  hours: used.isOwn ? String(used.lowHours) : '',
});

function levelView(band: LevelBand, timeZone: string, search: URLSearchParams, whatIf: WhatIf) {
  const { halfLife, peak, from, to, now, days } = band;
  const isBand =
    halfLife.lowHours !== halfLife.highHours ||
    (!band.isBolus && peak !== null && peak.lowHours !== peak.highHours);
  const key = vialNameKey(band.name);
  const isOf = (name: string) => vialNameKey(name) === key;
  const atDay = (at: number) => calendarDay(new Date(at), timeZone);
  const withSpan = (span: number) => {
    const changed = new URLSearchParams(search);
    changed.set('span', String(span));
    return `?${changed.toString()}`;
  };
  return {
    name: band.name,
    doses: band.doses,
    isCrowded: isCrowded(band),
    drawing: drawLines({
      series: seriesOf(band, isBand),
      ...{ from, to, now },
      word: (value) => `${Math.round(value)}%`,
      least: 100,
    }),
    days,
    spans: LEVEL_DAYS.map((each) => ({ days: each, href: withSpan(each), isChosen: each === days })),
    halfLife: usedView(halfLife),
    peak: peak === null ? null : usedView(peak),
    isBand,
    basis: basisOf(band),
    labels: labelDays(
      Array.from({ length: Math.round((to - from) / DAY_MS) + 1 }, (_, index) =>
        atDay(Math.min(from + index * DAY_MS, to)),
      ),
    ).map(shownDay),
    rows: levelRows(band, timeZone),
    added: whatIf.doses.flatMap(({ name, atText, doseText }, index) =>
      isOf(name)
        ? [{ text: `${doseText}, ${atText.replace('T', ' ')}`, without: `?${withoutWhatIf(search, index)}` }]
        : [],
    ),
    problem: whatIf.problem !== null && isOf(whatIf.problem.name) ? whatIf.problem : null,
    hiddenFields: keptForWhatIf(search, whatIf),
    suggested: momentField(new Date(Math.ceil(band.now / HOUR_MS) * HOUR_MS), timeZone),
  };
}

/** The hidden fields of the what-if form: all current parameters except a dose that could not be read. */
function keptForWhatIf(search: URLSearchParams, { doses }: WhatIf): [name: string, value: string][] {
  const rest = [...search].filter(([name]) => !name.startsWith('whatIf'));
  const added = doses.flatMap(({ name, atText, doseText }): [string, string][] => [
    ['whatIf', name],
    ['whatIfAt', atText],
    ['whatIfDose', doseText.replaceAll(',', '')],
  ]);
  return [...rest, ...added];
}
