import { weekStart } from '#app/domain/doses/adherence.ts';
import { labelDays, readPeriod } from '#app/domain/analytics/periods.ts';
import type { EffectDayInput } from '#app/domain/analytics/compare-periods.ts';
import type { SpendOf } from '#app/domain/analytics/spend.ts';
import { fixedText } from '#app/domain/decimal/decimal.ts';
import type { StockForecast } from '#app/domain/vials/forecast.ts';
import { stockText, wasteReason } from '#app/domain/vials/forecast-texts.ts';
import { isSite, siteName } from '#app/domain/tracking/sites.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import { shownDay } from '#app/domain/time/calendar-day.ts';
import { shownMoney } from '#app/domain/vendors/price-per-mg.ts';
import { type LevelBand, levelBand } from './levels.server.ts';
import { DAY_MS } from '#app/domain/time/durations.ts';
import { plural } from '#app/domain/text/plural.ts';
import { MAX_VENDOR_NAME_LENGTH } from '#app/domain/vendors/vendor-schema.ts';
import { getAnalytics } from './analytics.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { measuredDays, measuredView } from '#app/features/tracking/index.server.ts';

/** The most curves on one page; the filter chooses another compound. */
const MAX_CURVES = 4;

/** Reads the analytics page for a URL. */
export async function readAnalytics(ctx: Ctx, url: URL) {
  const days = readPeriod(url.searchParams.get('period'));
  const chosen = (url.searchParams.get('compound') ?? '').trim().slice(0, MAX_VENDOR_NAME_LENGTH);
  const [found, { period, units, measured }] = await Promise.all([
    getAnalytics(ctx, { days, name: chosen === '' ? null : chosen }),
    measuredDays(ctx, days),
  ]);
  const measure = measured.find(({ metric }) => metric.key === url.searchParams.get('measure'));
  const curves = (chosen === '' ? found.names : [chosen]).slice(0, MAX_CURVES);
  const bands = await Promise.all(
    curves.map(async (name) => ({ name, band: await levelBand(ctx, name, days) })),
  );
  const effects = effectWeeks(found.effects);
  const hasEffects = effects.some((week) => week.effects > 0);
  const taken = new Set(found.compounds.filter((one) => one.taken > 0).map(({ key }) => key));
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
    levels: bands.flatMap(({ band }) => (band === null ? [] : [levelView(band, ctx.timeZone)])),
    unknown: bands.filter(({ name, band }) => band === null && taken.has(name)).map(({ name }) => name),
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

/** Spend as texts. */
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
  'no-doses': 'unknown, no doses are planned',
  'no-vials': 'unknown, you have no vial of it',
  'no-amount': 'unknown, an amount is missing',
} as const;

/** How long the stock of a compound lasts, as texts. */
function stockRow(forecast: StockForecast) {
  const { name, why, runOutDay, daysOfSupply, reorderBy, until } = forecast;
  const lasts =
    why !== null
      ? WHY[why]
      : runOutDay === null
        ? `lasts beyond ${shownDay(until)}`
        : `runs out ${daysOfSupply === 0 ? 'today' : `in ${plural(daysOfSupply ?? 0, 'day')}, on ${shownDay(runOutDay)}`}${wasteReason(forecast)}`;
  return {
    name,
    stock: stockText(forecast),
    share: null,
    lasts,
    reorderBy: reorderBy === null ? '–' : shownDay(reorderBy),
  };
}

const hoursText = (hours: number): string => String(Number(hours.toFixed(2)));

/** The lowest and highest level of each day. */
function daysOfLevels({ points }: LevelBand, timeZone: string) {
  const days = new Map<string, { low: number; high: number }>();
  for (const { at, low, high } of points) {
    const day = calendarDay(new Date(at), timeZone);
    const known = days.get(day);
    days.set(day, {
      low: Math.min(known?.low ?? Infinity, low),
      high: Math.max(known?.high ?? 0, high),
    });
  }
  const text = (share: number) => `${share.toFixed(0)} %`;
  return [...days].map(([day, { low, high }]) => ({ day, low: text(low), high: text(high) }));
}

/** A level curve with its texts. */
function levelView(band: LevelBand, timeZone: string) {
  const { halfLife, absorptionHours, from, to } = band;
  const { lowHours, highHours, source, isOwn } = halfLife;
  const isBand = lowHours !== highHours;
  const rounded = (value: number) => Number(value.toFixed(2));
  return {
    name: band.name,
    doses: band.doses,
    from,
    to,
    now: band.now,
    points: band.points.map(({ at, low, high }) => ({ at, low: rounded(low), high: rounded(high) })),
    halfLife: isBand ? `${hoursText(lowHours)}–${hoursText(highHours)} h` : `${hoursText(lowHours)} h`,
    hours: isOwn ? hoursText(lowHours) : '',
    source,
    isOwn,
    isBand,
    absorption:
      absorptionHours === null
        ? 'taken as an immediate bolus'
        : `with an absorption half-time of ${absorptionHours} h under the skin`,
    labels: labelDays(
      Array.from({ length: Math.round((to - from) / DAY_MS) + 1 }, (_, index) =>
        calendarDay(new Date(from + index * DAY_MS), timeZone),
      ),
    ).map(shownDay),
    days: daysOfLevels(band, timeZone),
  };
}
