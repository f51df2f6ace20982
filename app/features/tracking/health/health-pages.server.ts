import { randomUUID } from 'node:crypto';
import {
  shownValue,
  unitOf,
  valueIn,
  type Metric,
  type UnitSystem,
} from '#app/domain/tracking/health-metrics.ts';
import { momentField } from '#app/domain/time/days.ts';
import { shownInstant } from '#app/domain/time/format-instant.ts';
import { latestMeasurements, measurementTrend, type Trend } from './measurement-trend.server.ts';
import { getMeasurement, listMeasurements } from './measurements.server.ts';
import { readMeasures } from './measures.server.ts';
import { listPages, queryOf } from '#app/platform/http/list-page.server.ts';
import { pageAddress } from '#app/platform/http/page-address.ts';
import type { UserPageArgs } from '#app/platform/http/route-handlers.server.ts';
import { drawTrend } from './trend-chart.server.ts';

const PERIODS = [
  { days: '30', label: '30 days' },
  { days: '90', label: '90 days' },
  { days: '365', label: 'A year' },
  { days: 'all', label: 'All' },
];

/** "Weight: 80.4 kg on 3 Mar 2026, 1.2 kg less than on 1 Feb 2026." */
function trendSentence({ metric, units, measurements }: Trend, timeZone: string): string | null {
  const [first, last] = [measurements[0], measurements.at(-1)];
  if (!first || !last) return null;
  const dayOf = (at: Date) => shownInstant(at, timeZone).split(',')[0] ?? '';
  const now = `${metric.name}: ${shownValue(metric, last, units)} on ${dayOf(last.measuredAt)}`;
  if (first === last) return `${now}, measured once in this period.`;
  const change = valueIn(metric, last.value, units) - valueIn(metric, first.value, units);
  const amount =
    `${Number(Math.abs(change).toFixed(Math.max(1, metric.decimals)))} ${unitOf(metric, units)}`.trim();
  const since = `than on ${dayOf(first.measuredAt)}`;
  if (Number(Math.abs(change).toFixed(3)) === 0) return `${now}, the same as on ${dayOf(first.measuredAt)}.`;
  return `${now}, ${amount} ${change < 0 ? 'less' : 'more'} ${since}.`;
}

function trendView(url: URL, trend: Trend, days: string, metrics: readonly Metric[], timeZone: string) {
  const { metric, units, measurements } = trend;
  const last = measurements.at(-1);
  const to = (changes: Record<string, string>) =>
    `${pageAddress(url.pathname, url.searchParams, { ...changes, page: null })}#trend`;
  return {
    title: metric.name,
    metrics: metrics.map(({ key, name }) => ({
      label: name,
      href: to({ metric: key }),
      isChosen: key === metric.key,
    })),
    periods: PERIODS.map((period) => ({
      label: period.label,
      href: to({ days: period.days }),
      isChosen: period.days === days,
    })),
    sentence: trendSentence(trend, timeZone),
    drawing: last
      ? drawTrend(
          measurements.map(({ measuredAt, value }) => ({
            at: measuredAt,
            value: valueIn(metric, value, units),
          })),
          shownValue(metric, last, units),
        )
      : null,
    rows: [...measurements].reverse().map((measurement) => ({
      id: measurement.id,
      when: shownInstant(measurement.measuredAt, timeZone),
      value: shownValue(metric, measurement, units),
    })),
  };
}

async function readTrend({ ctx, url }: UserPageArgs, metrics: readonly Metric[]) {
  const measured = new Set((await latestMeasurements(ctx)).map(({ metric }) => metric));
  const shown = metrics.filter(({ key }) => measured.has(key));
  const chosen = shown.find(({ key }) => key === url.searchParams.get('metric')) ?? shown[0];
  if (chosen === undefined) return null;
  const asked = url.searchParams.get('days');
  const days = PERIODS.find((period) => period.days === asked)?.days ?? '90';
  const trend = await measurementTrend(ctx, chosen.key, days === 'all' ? null : Number(days));
  return trend && trendView(url, trend, days, shown, ctx.timeZone);
}

function itemOf(
  measurement: Awaited<ReturnType<typeof getMeasurement>>,
  metrics: readonly Metric[],
  units: UnitSystem,
  timeZone: string,
) {
  const metric = metrics.find(({ key }) => key === measurement.metric);
  const { id, measuredAt, text, unit, notes } = measurement;
  return {
    id,
    when: shownInstant(measuredAt, timeZone),
    // A measure that was taken off has no name any more.
    name: metric?.name ?? 'Your own measure',
    value: metric ? shownValue(metric, measurement, units) : `${text} ${unit}`.trim(),
    notes,
  };
}

/** What the health page shows. */
export async function readHealthPage(args: UserPageArgs) {
  const { ctx, url } = args;
  const { metrics, units } = await readMeasures(ctx);
  const [trend, page] = await Promise.all([
    readTrend(args, metrics),
    listMeasurements(ctx, queryOf(url, 'page', 'limit')),
  ]);
  return {
    measures: metrics.map((metric) => ({ key: metric.key, name: metric.name, unit: unitOf(metric, units) })),
    measuredAt: momentField(ctx.now(), ctx.timeZone),
    saveKey: randomUUID(),
    trend,
    items: page.items.map((measurement) => itemOf(measurement, metrics, units, ctx.timeZone)),
    pages: listPages(url, page, '#measurements'),
  };
}

/** What the pages of one measurement show. */
export async function readMeasurementPage({ ctx, params, url }: UserPageArgs) {
  const measurement = await getMeasurement(ctx, params.id ?? '');
  const { metrics, units } = await readMeasures(ctx);
  const { text, unit, measuredAt, notes } = measurement;
  return {
    path: url.pathname,
    item: itemOf(measurement, metrics, units, ctx.timeZone),
    unit,
    values: { value: text, measuredAt: momentField(measuredAt, ctx.timeZone), notes: notes ?? '' },
  };
}
