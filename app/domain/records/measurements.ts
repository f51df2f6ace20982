import * as z from 'zod';
import {
  canonicalValue,
  isOwnMetricKey,
  limitsText,
  METRICS,
  ownMetric,
  HEALTH_MESSAGES,
  measurementDetails,
  measurementDetailsOf,
  measurementSchema,
  type Metric,
  type Measurement,
} from '#app/domain/tracking/measurements.ts';
import {
  cellsOf,
  columnsWith,
  fixed,
  number,
  text,
  readIdentity,
  readPastInstant,
  reasonOf,
  type ExportableType,
  type ImportCells,
  type ImportSetting,
  type ReadRow,
} from './record-type.ts';

const ID_PREFIX = 'health';

type Stored = Measurement & { createdAt: Date };

/** The name that a report prints for a measure. */
const metricName = (key: string): string =>
  METRICS.find((metric) => metric.key === key)?.name ?? 'Own measure';

const COLUMNS = columnsWith(
  [
    fixed('id'),
    fixed('createdAt'),
    fixed('metric'),
    fixed('measuredAt'),
    number('value'),
    text('unit'),
    text('notes'),
  ],
  Object.keys(measurementDetails).map(text),
);

/**
 * Health measurements, with value and unit as entered. A user's own measure is named by its key, which is derived from its
 * name, so an account with a measure of the same name shows the values under it.
 */
export const MEASUREMENTS: ExportableType<Stored> = {
  idPrefix: ID_PREFIX,
  columns: COLUMNS,
  printColumns: [
    { heading: 'Date', source: 'measuredAt', width: 18, align: 'left' },
    { heading: 'Measure', source: 'metric', width: 22, align: 'left', show: metricName },
    { heading: 'Value', source: 'value', width: 12, align: 'right' },
    { heading: 'Unit', source: 'unit', width: 10, align: 'left' },
    { heading: 'Notes', source: 'notes', width: 50, align: 'left' },
  ],
  cells: ({ text: value, unit, ...rest }) => cellsOf(COLUMNS, { ...rest, value, unit: unit || null }),
  read: readMeasurement,
};

const rowSchema = z.object(measurementSchema.shape).omit({ saveKey: true });

function metricOf(key: string, unit: string): Metric | null {
  const own = isOwnMetricKey(key) ? ownMetric({ key, name: 'This measure', unit }) : null;
  return METRICS.find((metric) => metric.key === key) ?? own;
}

/**
 * What identifies a row: the id from an export, or the key that the reader of a phone's file gave it, which is the same
 * every time the same measurement is read.
 */
function identityOf(cells: ImportCells, now: Date): { id: string; createdAt: Date } | string {
  const { phoneKey } = cells;
  if (phoneKey !== undefined) return { id: phoneKey, createdAt: now };
  return readIdentity(cells, ID_PREFIX, 'a measurement');
}

function readMeasurement(cells: ImportCells, { now }: ImportSetting): ReadRow {
  const identity = identityOf(cells, now);
  if (typeof identity === 'string') return { reason: identity };
  const parsed = rowSchema.safeParse(cells);
  if (!parsed.success) return { reason: reasonOf(parsed.error.issues) };
  const { metric: key, value: entered, unit = '' } = parsed.data;
  const metric = metricOf(key, unit);
  if (metric === null) return { reason: `metric: ${HEALTH_MESSAGES.metric}` };
  if (![metric.metric.unit, metric.imperial.unit].includes(unit))
    return { reason: `unit: ${HEALTH_MESSAGES.unit}` };
  const value = canonicalValue(metric, entered, unit);
  if (value === null) return { reason: `value: ${limitsText(metric)}, not ${entered} ${unit}`.trim() };
  const measuredAt = readPastInstant(cells, 'measuredAt', now, HEALTH_MESSAGES.future);
  if (typeof measuredAt === 'string') return { reason: measuredAt };
  const details = measurementDetailsOf(parsed.data);
  const measurement = { metric: key, measuredAt, value, text: entered, unit, ...details };
  return { record: { type: 'measurements', ...identity, measurement } };
}
