import { readDecimalText } from '#app/domain/decimal/decimal.ts';
import { plainName } from '#app/domain/calculator/components.ts';
import { instantOfWallTime, readMoment } from '#app/domain/time/zoned-time.ts';
import { isCalendarDay, DAY_MS } from '#app/domain/time/calendar.ts';
import { canonicalValue, unitOf, type Metric, type UnitSystem } from './measurements.ts';

/** A value from a table. */
export interface CsvReading {
  metric: string;
  measuredAt: Date;
  text: string;
  unit: string;
  value: number;
}

/** A line of a table: its line number in the text, from 1, and its cells. */
export interface CsvLine {
  line: number;
  cells: readonly string[];
}

/** A line that cannot be imported, and why. */
export interface BadLine {
  line: number;
  reason: string;
}

/** The contents of a table. */
export interface CsvReadings {
  readings: CsvReading[];
  bad: BadLine[];
}

/** What it takes to read a table: the user's measures, units and time zone, and the current time. */
export interface CsvReader {
  metrics: readonly Metric[];
  units: UnitSystem;
  timeZone: string;
  now: Date;
}

interface CsvColumn {
  metric: Metric;
  unit: string;
}

/** The longest heading: a name of the user's own measure, and its unit. */
const MAX_HEADING = 100;
/** More than every measure in both of its units. */
const MAX_COLUMNS = 100;

/** The name in a heading, and the unit in brackets after it; null if brackets are not closed. */
function headingParts(heading: string): { name: string; written?: string } | null {
  const text = heading.trimEnd();
  const open = text.indexOf('(');
  if (open < 0) return { name: text };
  if (text.indexOf(')') !== text.length - 1) return null;
  return { name: text.slice(0, open), written: text.slice(open + 1, -1) };
}

/** "weight", "Weight (lb)", "bodyFat" */
function columnOf(heading: string, { metrics, units }: CsvReader): CsvColumn | null {
  if (heading.length > MAX_HEADING) return null;
  const { name = '', written } = headingParts(heading) ?? {};
  const metric = metrics.find((known) =>
    [plainName(known.key), plainName(known.name)].includes(plainName(name)),
  );
  if (metric === undefined) return null;
  const unit = written?.trim() ?? unitOf(metric, units);
  return [metric.metric.unit, metric.imperial.unit].includes(unit) ? { metric, unit } : null;
}

/** A day without a time means noon. */
function momentOf(text: string, { timeZone, now }: CsvReader): Date | null {
  const at = isCalendarDay(text)
    ? instantOfWallTime(text, '12:00', timeZone)
    : readMoment(text, timeZone, now);
  return at !== null && /^[2-9]\d{3}-/.test(text) && at.getTime() <= now.getTime() + DAY_MS ? at : null;
}

function readCell(cell: string, { metric, unit }: CsvColumn, measuredAt: Date): CsvReading | string {
  const text = readDecimalText(cell);
  const value = text === null ? null : canonicalValue(metric, text, unit);
  if (text === null || value === null) return `${metric.name}: “${cell.slice(0, 20)}” is not a valid value`;
  return { metric: metric.key, measuredAt, text, unit, value };
}

function readRow(
  cells: readonly string[],
  columns: readonly CsvColumn[],
  reader: CsvReader,
): CsvReading[] | string {
  const measuredAt = momentOf((cells[0] ?? '').trim(), reader);
  if (measuredAt === null)
    return 'The first column must be a date up to today, such as 2026-03-09 or 2026-03-09 08:30';
  const readings: CsvReading[] = [];
  for (const [index, column] of columns.entries()) {
    const cell = (cells[index + 1] ?? '').trim();
    if (cell === '') continue;
    const reading = readCell(cell, column, measuredAt);
    if (typeof reading === 'string') return reading;
    readings.push(reading);
  }
  return readings.length > 0 ? readings : 'This line has no values';
}

/**
 * Reads a table of measurements. The first line is `date` and a column for each measure: its key or name, with the unit
 * in brackets if it is not the user's own. Each further line is one time; it is imported whole or not at all.
 * @param rows all lines, the heading first
 */
export function readMeasurementRows(rows: readonly CsvLine[], reader: CsvReader): CsvReadings {
  const [{ cells: heading } = { cells: [] }, ...lines] = rows;
  if (plainName(heading[0] ?? '') !== 'date' || heading.length < 2)
    return { readings: [], bad: [{ line: 1, reason: 'The first line must be: date, then the measures' }] };
  const columns: CsvColumn[] = [];
  for (const text of heading.slice(1)) {
    const column = columns.length < MAX_COLUMNS ? columnOf(text, reader) : null;
    if (column === null)
      return { readings: [], bad: [{ line: 1, reason: `Unknown measure “${text.slice(0, 40)}”` }] };
    columns.push(column);
  }
  const result: CsvReadings = { readings: [], bad: [] };
  for (const { line, cells } of lines) {
    const read = readRow(cells, columns, reader);
    if (typeof read === 'string') result.bad.push({ line, reason: read });
    else result.readings.push(...read);
  }
  return result;
}
