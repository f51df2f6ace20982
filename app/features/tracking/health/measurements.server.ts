import { createHash } from 'node:crypto';
import { AppError, conflict, type FieldErrors, fieldError } from '#app/domain/errors.ts';
import {
  MAX_OWN_METRICS,
  METRICS,
  measuresFrom,
  ownMetric,
  type Measures,
  type Metric,
  type UnitSystem,
  canonicalValue,
  limitsText,
  swappedPressure,
  swappedPressureText,
  unitOf,
  HEALTH_MESSAGES,
  ownMetricSchema,
  type OwnMetricInput,
  measurementQuerySchema,
  measurementDetailsOf,
  measurementSchema,
  updateMeasurementSchema,
  type MeasurementInput,
  type MeasurementQueryInput,
  type UpdateMeasurementInput,
  csvSchema,
  quickEntrySchema,
  type CsvInput,
  type QuickEntryInput,
} from '#app/domain/tracking/measurements.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import { pageFrom, type Changes, type PageRequest } from '#app/platform/pagination.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { MINUTE_MS } from '#app/domain/time/calendar.ts';
import { calendarDay, daysBefore, instantsOfDays } from '#app/domain/time/zoned-time.ts';
import type { MeasurementRecord } from '#models/index.server.ts';
import { takeRows } from '#app/platform/access/row-quota.server.ts';
import { pageWithin, type Page, type Period } from '#app/domain/forms/paging.ts';
import { presentFields } from '#app/platform/partial-changes.server.ts';
import { idFromKey } from '#app/platform/ids.server.ts';
import { pastInstant } from '#app/platform/event-time.server.ts';
import { readDecimalText } from '#app/domain/decimal/decimal.ts';
import type { CsvReadings } from '#app/domain/tracking/measurement-csv.ts';
import { readTextInThread } from '#app/platform/threads/reader-thread.server.ts';
import type { TableReading } from './measurement-table.server.ts';
import { repos } from '../repositories.server.ts';

/** The signed-in user's measures and units. @throws AppError PREMIUM_REQUIRED */
export async function readMeasures(ctx: Ctx): Promise<Measures> {
  const { id } = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const user = await repos(ctx).users.find(id);
  const choices = await repos(ctx).trackingChoices.find(id);
  return measuresFrom(choices.metrics, user?.units);
}

/** Names that differ only in case are one measure. */
const keyOf = (name: string) =>
  `own-${createHash('sha256').update(name.toLowerCase()).digest('hex').slice(0, 16)}`;

/** @throws AppError PREMIUM_REQUIRED, INVALID_INPUT, CONFLICT when it exists, or there are too many */
export async function addMeasure(ctx: Ctx, input: OwnMetricInput): Promise<Metric> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { name, unit } = parseInput(ownMetricSchema, input);
  const row = { key: keyOf(name), name, unit: unit ?? '' };
  const isBuiltIn = METRICS.some((metric) => metric.name.toLowerCase() === name.toLowerCase());
  if (isBuiltIn || !(await repos(ctx).trackingChoices.addMetric(user.id, row, MAX_OWN_METRICS)))
    throw conflict('ALREADY_EXISTS', HEALTH_MESSAGES.metricThere);
  return ownMetric(row);
}

/** Removes one of the user's own measures from the form; its measurements stay. @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function removeMeasure(ctx: Ctx, key: string): Promise<void> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  if (!(await repos(ctx).trackingChoices.deleteMetric(user.id, key)))
    throw new AppError('NOT_FOUND', HEALTH_MESSAGES.noMetric);
}

/** The values of one measure. */
export interface Trend {
  metric: Metric;
  units: UnitSystem;
  /** Oldest first; at most {@link MAX_POINTS}, the latest. */
  measurements: MeasurementRecord[];
}

/** A chart on a screen cannot show more points. */
const MAX_POINTS = 1000;

/**
 * The measurements of one measure over the last days.
 * @param days null for all of them
 * @returns null for an unknown measure
 * @throws AppError PREMIUM_REQUIRED
 */
export async function measurementTrend(ctx: Ctx, key: string, days: number | null): Promise<Trend | null> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { metrics, units } = await readMeasures(ctx);
  const metric = metrics.find((known) => known.key === key);
  if (metric === undefined) return null;
  const today = calendarDay(ctx.now(), ctx.timeZone);
  const first = days === null ? null : daysBefore(today, days - 1);
  const selection = { metric: key, range: instantsOfDays(first, null, ctx.timeZone) };
  const latest = await repos(ctx).measurements.list(user.id, selection, { skip: 0, limit: MAX_POINTS });
  return { metric, units, measurements: latest.reverse() };
}

/** The last measurement of each measure, in the form's order. */
export async function latestMeasurements(ctx: Ctx): Promise<MeasurementRecord[]> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { metrics } = await readMeasures(ctx);
  return repos(ctx).measurements.latest(
    user.id,
    metrics.map(({ key }) => key),
  );
}

const noMeasurement = () => new AppError('NOT_FOUND', HEALTH_MESSAGES.notFound);

/** @throws AppError INVALID_INPUT for a value beyond the limits, or a unit that the measure does not have */
function valueOf(metric: Metric, text: string, unit: string) {
  if (![metric.metric.unit, metric.imperial.unit].includes(unit))
    throw fieldError('unit', HEALTH_MESSAGES.unit);
  const value = canonicalValue(metric, text, unit);
  if (value === null) throw fieldError('value', limitsText(metric));
  return { value, text, unit };
}

/** Measurements of a removed measure can still be edited. */
const metricOf = (metrics: readonly Metric[], key: string) => metrics.find((metric) => metric.key === key);

/**
 * Saves a measurement. `saveKey` identifies one submission: sent twice, it is saved once.
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT, PLAN_LIMIT when the account is full
 */
export async function addMeasurement(ctx: Ctx, input: MeasurementInput): Promise<MeasurementRecord> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const fields = parseInput(measurementSchema, input);
  const { metrics, units } = await readMeasures(ctx);
  const metric = metricOf(metrics, fields.metric);
  if (metric === undefined) throw fieldError('metric', HEALTH_MESSAGES.metric);
  const id = idFromKey('health', ctx.now(), user.id, fields.saveKey);
  const measurement = {
    metric: metric.key,
    measuredAt: pastInstant(ctx, fields.measuredAt, 'measuredAt', HEALTH_MESSAGES.future),
    ...valueOf(metric, fields.value, fields.unit ?? unitOf(metric, units)),
    ...measurementDetailsOf(fields),
    createdAt: ctx.now(),
  };
  await takeRows(
    ctx,
    { id: user.id, isPremium: true },
    { findEarlier: () => repos(ctx).measurements.find(user.id, id) },
  );
  if (await repos(ctx).measurements.create({ _id: id, userId: user.id, ...measurement }))
    return { id, ...measurement };
  return getMeasurement(ctx, id);
}

/** Pages ask about these before saving; the API saves the measurement anyway. */
export const MEASUREMENT_WARNINGS = ['PRESSURE_SWAPPED'] as const;

/** The two numbers of a blood pressure, each with its counterpart. */
const COUNTERPART: Readonly<Record<string, string>> = { systolic: 'diastolic', diastolic: 'systolic' };

type Reading = Pick<MeasurementRecord, 'metric' | 'measuredAt' | 'value'>;

/** Compares a blood pressure reading with its counterpart of the same minute; null unless the two seem swapped. */
async function findSwappedPressure(ctx: Ctx, { metric, measuredAt, value }: Reading): Promise<string | null> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const counterpart = COUNTERPART[metric];
  if (counterpart === undefined) return null;
  // Forms save whole minutes, but the API and imports may save seconds.
  const from = new Date(Math.floor(measuredAt.getTime() / MINUTE_MS) * MINUTE_MS);
  const range = { from, before: new Date(from.getTime() + MINUTE_MS) };
  const selection = { metric: counterpart, range };
  const [other] = await repos(ctx).measurements.list(user.id, selection, { skip: 0, limit: 1 });
  if (other === undefined) return null;
  return metric === 'systolic' ? swappedPressure(value, other.value) : swappedPressure(other.value, value);
}

/**
 * Likely mistakes in a measurement: a systolic pressure that is not above the diastolic one of the same minute.
 * @throws AppError PREMIUM_REQUIRED
 */
export async function measurementWarnings(
  ctx: Ctx,
  measurement: MeasurementRecord,
): Promise<{ code: (typeof MEASUREMENT_WARNINGS)[number]; message: string }[]> {
  const pair = await findSwappedPressure(ctx, measurement);
  return pair === null ? [] : [{ code: 'PRESSURE_SWAPPED', message: swappedPressureText(pair) }];
}

/** @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function getMeasurement(ctx: Ctx, id: string): Promise<MeasurementRecord> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const measurement = await repos(ctx).measurements.find(user.id, id);
  if (measurement === null) throw noMeasurement();
  return measurement;
}

/** The signed-in user's measurements, the latest first; of one measure when it is named. */
export async function listMeasurements(
  ctx: Ctx,
  input: MeasurementQueryInput = {},
): Promise<Page<MeasurementRecord>> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { metric, ...paging } = measurementQuerySchema.parse(input);
  const selection = { metric, range: instantsOfDays(null, null, user.timeZone) };
  const total = await repos(ctx).measurements.count(user.id, selection);
  const { skip, ...page } = pageWithin(paging, total);
  return {
    ...page,
    items: await repos(ctx).measurements.list(user.id, selection, { skip, limit: page.limit }),
  };
}

/**
 * The measurements of a period for the API, the latest first; of one measure when it is named.
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT
 */
export async function pageOfMeasurements(
  ctx: Ctx,
  {
    start,
    end,
    metric,
    updatedSince,
    ...request
  }: PageRequest & Period & Changes & { metric?: string | undefined },
) {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const range = instantsOfDays(start ?? null, end ?? null, user.timeZone);
  const selection = { metric, range, updatedSince };
  return pageFrom<MeasurementRecord>(request, {
    name: 'health',
    kinds: ['instant', 'text'],
    placeOf: ({ measuredAt, id }) => [measuredAt, id],
    read: (slice) => repos(ctx).measurements.list(user.id, selection, slice),
    count: () => repos(ctx).measurements.count(user.id, selection),
  });
}

/** A measurement, and the changes that an input makes to it. @throws AppError PREMIUM_REQUIRED, INVALID_INPUT, NOT_FOUND */
async function readChanges(ctx: Ctx, id: string, input: UpdateMeasurementInput) {
  const { value, unit, measuredAt, ...details } = parseInput(updateMeasurementSchema, input);
  const present = await getMeasurement(ctx, id);
  // The value alone would keep its number and mean another amount.
  if (value === undefined && unit !== undefined && unit !== present.unit)
    throw fieldError('value', HEALTH_MESSAGES.unitAlone);
  const metric =
    metricOf((await readMeasures(ctx)).metrics, present.metric) ??
    ownMetric({ key: present.metric, name: 'This measure', unit: present.unit });
  const number = value === undefined ? {} : valueOf(metric, value, unit ?? present.unit);
  const at =
    measuredAt === undefined
      ? {}
      : { measuredAt: pastInstant(ctx, measuredAt, 'measuredAt', HEALTH_MESSAGES.future) };
  return { present, changes: { ...number, ...at, ...presentFields(details) } };
}

/**
 * The blood pressure, such as "80/120", if its numbers would seem swapped after a change.
 * @returns null also when neither its value nor its minute changes, because the user was asked before
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT, NOT_FOUND
 */
export async function findPressureQuestion(
  ctx: Ctx,
  id: string,
  input: UpdateMeasurementInput,
): Promise<string | null> {
  authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { present, changes } = await readChanges(ctx, id, input);
  const reading = { ...present, ...changes };
  const minuteOf = ({ measuredAt }: Reading) => Math.floor(measuredAt.getTime() / MINUTE_MS);
  if (reading.value === present.value && minuteOf(reading) === minuteOf(present)) return null;
  return findSwappedPressure(ctx, reading);
}

/** Changes the given fields. @throws AppError PREMIUM_REQUIRED, INVALID_INPUT, NOT_FOUND */
export async function updateMeasurement(
  ctx: Ctx,
  id: string,
  input: UpdateMeasurementInput,
): Promise<MeasurementRecord> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { changes } = await readChanges(ctx, id, input);
  const measurement = await repos(ctx).measurements.update(user.id, id, changes);
  if (measurement === null) throw noMeasurement();
  return measurement;
}

/** @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function deleteMeasurement(ctx: Ctx, id: string): Promise<MeasurementRecord> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const removed = await repos(ctx).measurements.delete(user.id, id);
  if (removed === null) throw noMeasurement();
  return removed;
}

/**
 * Saves all measures taken at one time, or none if a value is invalid.
 * @param input numbers by the key of their measure, in the person's units; blank ones are left out
 * @returns how many values were saved
 * @throws AppError PREMIUM_REQUIRED, PLAN_LIMIT when the account is full, INVALID_INPUT by the measures' keys
 */
export async function addQuickEntry(ctx: Ctx, input: QuickEntryInput): Promise<number> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { measuredAt, values, saveKey, ...details } = parseInput(quickEntrySchema, input);
  const at = pastInstant(ctx, measuredAt, 'measuredAt', HEALTH_MESSAGES.future);
  const { metrics, units } = await readMeasures(ctx);
  const fields: FieldErrors = {};
  const readings = metrics.flatMap((metric) => {
    const entered = values[metric.key] ?? '';
    if (entered === '') return [];
    const [text, unit] = [readDecimalText(entered), unitOf(metric, units)];
    const value = text === null ? null : canonicalValue(metric, text, unit);
    if (text !== null && value !== null) return [{ metric: metric.key, text, unit, value }];
    fields[metric.key] = [text === null ? HEALTH_MESSAGES.value : limitsText(metric)];
    return [];
  });
  const [problem] = Object.values(fields).flat();
  if (problem !== undefined) throw new AppError('INVALID_INPUT', problem, { fields });
  if (readings.length === 0) throw new AppError('INVALID_INPUT', HEALTH_MESSAGES.empty);
  await takeRows(ctx, { id: user.id, isPremium: true }, { rows: readings.length });
  for (const reading of readings) {
    const idempotencyKey = saveKey ? `${saveKey} ${reading.metric}` : undefined;
    const row = { ...reading, measuredAt: at, ...measurementDetailsOf(details), createdAt: ctx.now() };
    const _id = idFromKey('health', ctx.now(), user.id, idempotencyKey);
    await repos(ctx).measurements.create({ _id, userId: user.id, ...row });
  }
  return readings.length;
}

/**
 * Checks a pasted table without saving anything.
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT
 */
export async function checkCsv(ctx: Ctx, input: CsvInput): Promise<CsvReadings> {
  authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { text } = parseInput(csvSchema, input);
  const { metrics, units } = await readMeasures(ctx);
  const reader = { metrics, units, timeZone: ctx.timeZone, now: ctx.now() };
  return readTextInThread<CsvReadings>('measurements', { text, reader } satisfies TableReading);
}

/**
 * Imports a pasted table; bad lines are skipped. Importing the same table again adds nothing.
 * @returns how many values are new
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT, PLAN_LIMIT when the account is full
 */
export async function importCsv(ctx: Ctx, input: CsvInput): Promise<number> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { readings } = await checkCsv(ctx, input);
  const rows = readings.map((reading) => {
    const idempotencyKey = `csv ${reading.metric} ${reading.measuredAt.toISOString()} ${reading.text} ${reading.unit}`;
    const _id = idFromKey('health', ctx.now(), user.id, idempotencyKey);
    return { _id, userId: user.id, ...reading, ...measurementDetailsOf({}), createdAt: ctx.now() };
  });
  await takeRows(ctx, { id: user.id, isPremium: true }, { rows: rows.length });
  return repos(ctx).measurements.createMissing(rows);
}
