import { parse } from 'csv-parse/sync';
import { fieldError } from '#app/domain/errors.ts';
import {
  readMeasurementRows,
  type CsvLine,
  type CsvReader,
  type CsvReadings,
} from '#app/domain/tracking/measurement-csv.ts';
import { HEALTH_MESSAGES } from '#app/domain/tracking/measurements.ts';

/** A pasted table, and how its owner reads one. */
export interface TableReading {
  text: string;
  reader: CsvReader;
}

/** The longest table that can be pasted. */
const MAX_LINES = 5000;

const unreadable = (message: string) => fieldError('text', message);

/** The lines of a table separated by tabs, semicolons or commas. @throws AppError INVALID_INPUT when it is not a table */
function linesOf(text: string): CsvLine[] {
  const [first = ''] = text.trimStart().split(/\r?\n/, 1);
  const delimiter = ['\t', ';', ','].find((sign) => first.includes(sign)) ?? ',';
  const options = { delimiter, bom: true, relax_column_count: true, skip_empty_lines: true, trim: true };
  const rows: CsvLine[] = [];
  try {
    parse(text, {
      ...options,
      on_record: (cells: string[], { lines }) => void rows.push({ line: lines, cells }),
    });
  } catch {
    throw unreadable('This table is not valid. Check its quotation marks.');
  }
  if (rows.length > MAX_LINES) throw unreadable(HEALTH_MESSAGES.csvLines);
  return rows;
}

/** The measurements of a pasted table. Runs in a thread. @throws AppError INVALID_INPUT when it is not a table */
export const readMeasurementTable = (text: string, reader: CsvReader): CsvReadings =>
  readMeasurementRows(linesOf(text), reader);
