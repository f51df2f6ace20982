import { readPeriod } from '#app/domain/analytics/periods.ts';
import { MAX_VENDOR_NAME_LENGTH } from '#app/domain/vendors/vendor-schema.ts';
import { getAnalytics } from './analytics.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { levelBand } from './levels.server.ts';
import { measuredDays, measuredView } from '#app/features/tracking/index.server.ts';
import { effectWeeks, levelView, siteRow, spendView, stockRow } from './analytics-views.server.ts';

/** Compounds whose curves stand on one page; a further one is chosen by the filter. */
const MAX_CURVES = 4;

/** Reads the analytics page from its address. */
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
