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

/** A row of the input, in both formats it can be written in. */
export interface SourceRow {
  /** Number of its first line in the input, from 1. */
  readonly line: number;
  /** As CSV, with as many fields as the header. */
  readonly csv: () => string;
  /** As fields by name. */
  readonly values: () => Record<string, unknown>;
}

export type BatchFormat = 'csv' | 'ndjson';

/** Quotes a CSV field where RFC 4180 asks for it. */
export function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function csvResult(result: RowResult): string {
  if ('error' in result) return `,,,,,,${csvField(result.error)}`;
  const { concentration, injectionVolume, concentrationText, injectionVolumeText, unitsText, warnings } =
    result;
  const numbers = `${doubleText(concentration)},${doubleText(injectionVolume)}`;
  return `${numbers},${concentrationText},${injectionVolumeText},${unitsText},${warnings.join(';')},`;
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
    ? `${row.csv()},${csvResult(result)}\n`
    : `${JSON.stringify({ ...row.values(), ...jsonResult(result) })}\n`;
}
