import { data } from '@remix-run/node';
import { createHash, randomUUID } from 'node:crypto';
import { readDecimalText } from '#app/domain/decimal/decimal.ts';
import { fieldError } from '#app/domain/errors.ts';
import {
  measurementDetailsOf,
  measurementFormSchema,
  pasteFormSchema,
  quickEntryFormSchema,
  shownValue,
  swappedPressure,
  swappedPressureText,
  unitOf,
  valueIn,
  type Metric,
  type UnitSystem,
} from '#app/domain/tracking/measurements.ts';
import {
  addQuickEntry,
  checkCsv,
  importCsv,
  findPressureQuestion,
  latestMeasurements,
  measurementTrend,
  getMeasurement,
  listMeasurements,
  updateMeasurement,
  readMeasures,
  type Trend,
} from './measurements.server.ts';
import { controlTexts } from '#app/domain/forms/fields.ts';
import { plural } from '#app/domain/text/plural.ts';
import { submit, done, type LastResult } from '#app/platform/http/forms.server.ts';
import type { UserPageArgs } from '#app/platform/http/route-handlers.server.ts';
import { drawLines, type Point } from '#app/ui/charts/plots.tsx';
import { listPages, queryOf, pageAddress } from '#app/platform/http/addresses.ts';
import { momentField, shownInstant } from '#app/domain/time/zoned-time.ts';

const dayLabel = (at: Date, timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone }).format(at);

/** Up to so many values get a dot each. */
const MOST_DOTS = 60;

/** A line of measurements, oldest first; null without any. */
function drawTrend({ metric, units, measurements }: Trend, timeZone: string) {
  const [first, last] = [measurements[0], measurements.at(-1)];
  if (!first || !last) return null;
  const points = measurements.map(({ measuredAt, value }): Point => [
    measuredAt.getTime(),
    valueIn(metric, value, units),
  ]);
  const drawing = drawLines({
    series: [
      { kind: 'line', tone: 'pen', points },
      { kind: 'dots', tone: 'pen', points: points.length <= MOST_DOTS ? points : points.slice(-1) },
    ],
    from: first.measuredAt.getTime(),
    to: last.measuredAt.getTime(),
    word: (value) => String(Number(value.toFixed(2))),
    isClose: true,
  });
  const days = [first, last].map(({ measuredAt }) => dayLabel(measuredAt, timeZone));
  return { drawing, labels: [...new Set(days)] };
}

/** Saves the measurements of a form and redirects to it, or returns the errors of each measure. */
export function saveQuickEntry({ request, ctx }: UserPageArgs) {
  const refused = (lastResult: LastResult, init: ResponseInit) =>
    data({ lastResult, askedPressure: null as string | null }, init);
  return submit(
    request,
    quickEntryFormSchema,
    async ({ value: values, measuredAt, saveKey, confirmedPressure }, reply) => {
      const question = pressureQuestion(values);
      if (question !== null && question.pair !== confirmedPressure) {
        const lastResult = reply({ fieldErrors: { diastolic: [question.message] } });
        return data({ lastResult, askedPressure: question.pair }, { status: 400 });
      }
      await addQuickEntry(ctx, { measuredAt, values, saveKey });
      return done('/dashboard/tracking/health', 'Measurements saved');
    },
    { refused },
  );
}

/**
 * Asks about a blood pressure whose two numbers seem swapped. Sending the form again with the same numbers confirms it.
 */
function pressureQuestion({ systolic = '', diastolic = '' }: Record<string, string>) {
  const [upper, lower] = [readDecimalText(systolic), readDecimalText(diastolic)];
  if (upper === null || lower === null) return null;
  const pair = swappedPressure(Number(upper), Number(lower));
  return pair === null ? null : { pair, message: askedText(pair) };
}

const askedText = (pair: string): string => `${swappedPressureText(pair)} If this is correct, save again.`;

/** Saves a changed measurement and redirects to the list, or returns the form with its errors or a question. */
export function saveMeasurement({ request, ctx, params }: UserPageArgs) {
  let askedPressure: string | null = null;
  const id = params.id ?? '';
  return submit(
    request,
    measurementFormSchema,
    async ({ confirmedPressure, ...input }) => {
      // The form shows all details: an empty one clears its value.
      const changes = { ...input, ...measurementDetailsOf(input) };
      askedPressure = await findPressureQuestion(ctx, id, changes);
      if (askedPressure !== null && askedPressure !== confirmedPressure)
        throw fieldError('value', askedText(askedPressure));
      await updateMeasurement(ctx, id, changes);
      return done('/dashboard/tracking/health#measurements', 'Measurement saved');
    },
    { refused: (lastResult, init) => data({ lastResult, askedPressure }, init) },
  );
}

/** Checks a pasted table. Only the second button imports it, and only after suspicious blood pressures were shown. */
export function savePastedTable({ request, ctx }: UserPageArgs) {
  return submit(
    request,
    pasteFormSchema,
    async ({ text, step, confirmedPressures }, reply) => {
      const { readings, bad } = await checkCsv(ctx, { text });
      const swapped = swappedPressures(readings, ctx.timeZone);
      const question =
        swapped.length === 0 ? null : createHash('sha256').update(swapped.join('\n')).digest('base64url');
      if (step !== 'import' || (question !== null && question !== confirmedPressures)) {
        const check = { count: readings.length, bad, swapped: swapped.slice(0, 100), question };
        return data({ lastResult: reply(), check });
      }
      const added = await importCsv(ctx, { text });
      return done('/dashboard/tracking/health', `${plural(added, 'new value')} imported`);
    },
    { refused: (lastResult, init) => data({ lastResult, check: null }, init) },
  );
}

/** The blood pressures of a table whose numbers seem swapped: "80/120 on 9 Mar 2026, 07:30". */
function swappedPressures(
  readings: readonly { metric: string; measuredAt: Date; value: number }[],
  timeZone: string,
): string[] {
  const upper = new Map<number, number>();
  for (const { metric, measuredAt, value } of readings)
    if (metric === 'systolic') upper.set(measuredAt.getTime(), value);
  const swapped = readings.flatMap(({ metric, measuredAt, value }) => {
    const systolic = metric === 'diastolic' ? upper.get(measuredAt.getTime()) : undefined;
    const pair = systolic === undefined ? null : swappedPressure(systolic, value);
    return pair === null ? [] : [`${pair} on ${shownInstant(measuredAt, timeZone)}`];
  });
  return [...new Set(swapped)];
}

const PERIODS = [
  { days: '30', label: '30 days' },
  { days: '90', label: '90 days' },
  { days: '365', label: '1 year' },
  { days: 'all', label: 'All' },
];

/** "Weight: 80.4 kg on 3 Mar 2026, 1.2 kg less than on 1 Feb 2026." */
function trendSentence({ metric, units, measurements }: Trend, timeZone: string): string | null {
  const [first, last] = [measurements[0], measurements.at(-1)];
  if (!first || !last) return null;
  const dayOf = (at: Date) => shownInstant(at, timeZone).split(',')[0] ?? '';
  const now = `${metric.name}: ${shownValue(metric, last, units)} on ${dayOf(last.measuredAt)}`;
  if (first === last) return `${now}, the only value in this period.`;
  const change = valueIn(metric, last.value, units) - valueIn(metric, first.value, units);
  const amount =
    `${Number(Math.abs(change).toFixed(Math.max(1, metric.decimals)))} ${unitOf(metric, units)}`.trim();
  const since = `than on ${dayOf(first.measuredAt)}`;
  if (Number(Math.abs(change).toFixed(3)) === 0) return `${now}, the same as on ${dayOf(first.measuredAt)}.`;
  return `${now}, ${amount} ${change < 0 ? 'less' : 'more'} ${since}.`;
}

function trendView(url: URL, trend: Trend, days: string, metrics: readonly Metric[], timeZone: string) {
  const { metric, units, measurements } = trend;
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
    chart: drawTrend(trend, timeZone),
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
  const question = url.searchParams.get('days');
  const days = PERIODS.find((period) => period.days === question)?.days ?? '90';
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
    // A measure that was removed no longer has a name.
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
  const { text, unit, measuredAt } = measurement;
  const details = controlTexts(measurementDetailsOf(measurement));
  return {
    path: url.pathname,
    item: itemOf(measurement, metrics, units, ctx.timeZone),
    unit,
    values: { value: text, measuredAt: momentField(measuredAt, ctx.timeZone), ...details },
  };
}
