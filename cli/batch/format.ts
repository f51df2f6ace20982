import { doubleText } from '#app/domain/decimal/decimal.ts';
import type { RowResult } from './compute.ts';

/** The columns a batch adds to those of its input. */
export const RESULT_COLUMNS = [
  'concentration',
  'injectionVolume',
  'concentrationText',
  'injectionVolumeText',
  'units',
  'warnings',
  'error',
] as const;

/** How a CSV text is written. With semicolons, which spreadsheets use where numbers have a decimal comma, both are possible. */
export interface CsvDialect {
  readonly delimiter: ',' | ';';
  readonly decimalMark: '.' | ',';
}

export const COMMAS: CsvDialect = { delimiter: ',', decimalMark: '.' };

/** A row of the input, in both formats it can be written in. */
export interface SourceRow {
  /** Number of its first line in the input, from 1. */
  readonly line: number;
  /** As CSV, with as many fields as the header. */
  readonly csv: () => string;
  /** How the row is written as CSV, its results included. */
  readonly dialect: CsvDialect;
  /** As fields by name. */
  readonly values: () => Record<string, unknown>;
}

export type BatchFormat = 'csv' | 'ndjson';

const SPECIAL = { ',': /[",\r\n]/, ';': /[";\r\n]/ } as const;

/** Quotes a CSV field where RFC 4180 asks for it. */
export function csvField(text: string, delimiter: CsvDialect['delimiter'] = ','): string {
  return SPECIAL[delimiter].test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Fields as one CSV line without its end. */
export const csvLine = (fields: readonly string[], { delimiter }: CsvDialect): string =>
  fields.map((field) => csvField(field, delimiter)).join(delimiter);

function csvResult(result: RowResult, { delimiter, decimalMark }: CsvDialect): string {
  if ('error' in result) return delimiter.repeat(6) + csvField(result.error, delimiter);
  const { concentrationText, injectionVolumeText, unitsText, warnings } = result;
  const [concentration, volume] = [doubleText(result.concentration), doubleText(result.injectionVolume)];
  const told = csvField(warnings.join(';'), delimiter);
  if (decimalMark === '.')
    return (
      concentration +
      delimiter +
      volume +
      delimiter +
      concentrationText +
      delimiter +
      injectionVolumeText +
      delimiter +
      unitsText +
      delimiter +
      told +
      delimiter
    );
  const figures = [concentration, volume, concentrationText, injectionVolumeText, unitsText];
  return [...figures.map((figure) => figure.replace('.', decimalMark)), told, ''].join(delimiter);
}

function jsonResult(result: RowResult): Record<string, unknown> {
  if ('error' in result) return { error: result.error };
  const { concentration, injectionVolume, concentrationText, injectionVolumeText, unitsText, warnings } =
    result;
  return {
    concentration,
    injectionVolume,
    concentrationText,
    injectionVolumeText,
    units: Number(unitsText),
    warnings,
  };
}

/** One line of output: the original row, then its results or its error. */
export function outputLine(format: BatchFormat, row: SourceRow, result: RowResult): string {
  return format === 'csv'
    ? `${row.csv()}${row.dialect.delimiter}${csvResult(result, row.dialect)}\n`
    : `${JSON.stringify({ ...row.values(), ...jsonResult(result) })}\n`;
}
