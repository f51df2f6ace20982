import { parse } from 'csv-parse/sync';
import { AppError, type FieldErrors } from '#app/domain/errors.ts';
import { readDecimalText } from '#app/domain/decimal/decimal.ts';
import { canonicalValue, limitsText, unitOf } from '#app/domain/tracking/health-metrics.ts';
import { readMeasurementRows, type CsvLine, type CsvReadings } from '#app/domain/tracking/measurement-csv.ts';
import {
  csvSchema,
  HEALTH_MESSAGES,
  quickEntrySchema,
  type CsvInput,
  type QuickEntryInput,
} from '#app/domain/tracking/measurement-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { takeRows } from '#app/platform/access/row-quota.server.ts';
import { idFromKey } from '#app/platform/ids.server.ts';
import { readMeasures } from './measures.server.ts';
import { pastInstant } from '#app/platform/event-time.server.ts';

/**
 * Saves all measures taken at one time, or none if a value is invalid.
 * @param input numbers by the key of their measure, in the person's units; blank ones are left out
 * @returns how many values were saved
 * @throws AppError PREMIUM_REQUIRED, PLAN_LIMIT when the account is full, INVALID_INPUT by the measures' keys
 */
export async function addQuickEntry(ctx: Ctx, input: QuickEntryInput): Promise<number> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { measuredAt, values, notes, saveKey } = parseInput(quickEntrySchema, input);
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
    const row = { ...reading, measuredAt: at, notes: notes ?? null, createdAt: ctx.now() };
    const _id = idFromKey('health', ctx.now(), user.id, idempotencyKey);
    await ctx.repos.measurements.create({ _id, userId: user.id, ...row });
  }
  return readings.length;
}

/** The longest table that can be pasted. */
const MAX_LINES = 5000;

const unreadable = (message: string) =>
  new AppError('INVALID_INPUT', message, { fields: { text: [message] } });

/** All lines of a table, whatever separates its cells. @throws AppError INVALID_INPUT when it is no table */
function linesOf(text: string): CsvLine[] {
  const [first = ''] = text.trimStart().split(/\r?\n/, 1);
  const delimiter = ['\t', ';', ','].find((sign) => first.includes(sign)) ?? ',';
  const options = { delimiter, bom: true, relax_column_count: true, skip_empty_lines: true, trim: true };
  let rows: { record: string[]; info: { lines: number } }[];
  try {
    rows = parse(text, { ...options, info: true }) as unknown as typeof rows;
  } catch (error) {
    throw unreadable(error instanceof Error ? error.message : HEALTH_MESSAGES.csvEmpty);
  }
  if (rows.length > MAX_LINES) throw unreadable(HEALTH_MESSAGES.csvLines);
  return rows.map(({ record, info }) => ({ line: info.lines, cells: record }));
}

/**
 * Checks a pasted table without saving anything.
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT
 */
export async function checkCsv(ctx: Ctx, input: CsvInput): Promise<CsvReadings> {
  authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { text } = parseInput(csvSchema, input);
  const { metrics, units } = await readMeasures(ctx);
  return readMeasurementRows(linesOf(text), { metrics, units, timeZone: ctx.timeZone, now: ctx.now() });
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
    return { _id, userId: user.id, ...reading, notes: null, createdAt: ctx.now() };
  });
  await takeRows(ctx, { id: user.id, isPremium: true }, { rows: rows.length });
  return ctx.repos.measurements.createMissing(rows);
}
