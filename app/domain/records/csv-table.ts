import { cellProblem, COLUMN_IS_TEXT, RECORD_TYPES } from './record-types.ts';
import {
  type ImportType,
  EXPORT_TYPES,
  type ExportType,
  DOSE_COLUMNS,
  REQUIRED_DOSE_COLUMNS,
} from './type-names.ts';
import type { BadRow, ImportCells, RawFile, ExportCells } from './record-type.ts';
import { plural } from '#app/domain/text/plural.ts';
import { METADATA_COLUMNS, type ExportMetadata } from '#app/domain/export/export-file.ts';

/**
 * Characters with which a formula begins, including the full-width ones of East Asian keyboards, which some spreadsheets
 * treat alike.
 */
const FORMULA = '=+\\-@\\t\\r\uff1d\uff0b\uff0d\uff20';

/** Those, and the apostrophe that marks text. */
const RISKY = new RegExp(`^[${FORMULA}']`);
const GUARDED = new RegExp(`^'[${FORMULA}']`);

/**
 * Text for a CSV cell that no spreadsheet runs as a formula (CWE-1236): an apostrophe is put before a risky beginning.
 * Text that begins with an apostrophe gets another one, so that removing one always restores the text.
 */
export function guardFormula(text: string): string {
  return RISKY.test(text) ? `'${text}` : text;
}

/** Removes the apostrophe that `guardFormula` added. */
export function unguardFormula(cell: string): string {
  return GUARDED.test(cell) ? cell.slice(1) : cell;
}

/** One table for rows of several types. */
interface CsvTable {
  header: string[];
  metadataRow(metadata: ExportMetadata): string[];
  /** A function that places a row of one type. */
  placer(type: ExportType): (cells: ExportCells) => string[];
}

/**
 * One table for all chosen types: `dataType`, the metadata's columns when there is metadata, then every column once.
 * Missing values are empty cells.
 */
export function csvTable(types: readonly ExportType[], withMetadata: boolean): CsvTable {
  const header = ['dataType', ...(withMetadata ? METADATA_COLUMNS : []), ...unionOfColumns(types)];
  const emptyRow = () => new Array<string>(header.length).fill('');
  return {
    header,
    metadataRow(metadata) {
      const row = emptyRow();
      row[0] = 'metadata';
      METADATA_COLUMNS.forEach((name, index) => (row[1 + index] = guardFormula(String(metadata[name]))));
      return row;
    },
    placer(type) {
      const places = RECORD_TYPES[type].columns.map(({ name, kind }) => ({
        at: header.indexOf(name),
        isText: kind === 'text',
      }));
      return (cells) => {
        const row = emptyRow();
        row[0] = type;
        for (let index = 0; index < places.length; index += 1) {
          const { at, isText } = places[index] as (typeof places)[number];
          const cell = cells[index];
          if (cell !== null && cell !== undefined) row[at] = isText ? guardFormula(cell) : cell;
        }
        return row;
      };
    },
  };
}

/** The columns of several types, each name once, in order of first appearance. */
export function unionOfColumns(types: readonly ExportType[]): string[] {
  return [...new Set(types.flatMap((type) => RECORD_TYPES[type].columns.map((column) => column.name)))];
}

/** A line of a table: its line number, and its cells in order. */
export interface TableLine {
  line: number;
  cells: readonly string[];
}

/** Which of the known tables a first line belongs to. */
function tableKind(header: readonly string[]): 'export' | 'doses' | null {
  if (header[0] === 'dataType') return 'export';
  return REQUIRED_DOSE_COLUMNS.every((name) => header.includes(name)) ? 'doses' : null;
}

/** Why a first line cannot be read; null when it can. */
export function headerProblem(header: readonly string[]): string | null {
  if (new Set(header).size !== header.length) return 'Two columns in the first line have the same name.';
  const kind = tableKind(header);
  if (kind === null)
    return `The first line must be the header of an export, or contain the columns ${REQUIRED_DOSE_COLUMNS.join(', ')}.`;
  const unknown = kind === 'doses' ? header.filter((name) => !isDoseColumn(name)) : [];
  return unknown.length === 0 ? null : `Unknown column: ${(unknown[0] ?? '').slice(0, 100)}`;
}

const isDoseColumn = (name: string): boolean => (DOSE_COLUMNS as readonly string[]).includes(name);

const isExportType = (name: string): name is ExportType => (EXPORT_TYPES as readonly string[]).includes(name);

/** Cells by column without the empty ones, or a message about a cell that this type has no column for. */
function cellsOf(header: readonly string[], cells: readonly string[], type: string): ImportCells | string {
  const named: Record<string, string> = {};
  for (const [index, name] of header.entries()) {
    const cell = cells[index] ?? '';
    if (cell === '' || name === 'dataType') continue;
    const isText = COLUMN_IS_TEXT.get(type)?.get(name);
    if (isText === undefined) return `${name.slice(0, 100)}: Unknown column for this type of data`;
    const problem = cellProblem(cell, isText);
    if (problem !== null) return `${name}: ${problem}`;
    named[name] = isText ? unguardFormula(cell) : cell;
  }
  return named;
}

type ReadLine = { type: ImportType; cells: ImportCells } | { type: string; reason: string } | null;

function readLine(header: readonly string[], cells: readonly string[]): ReadLine {
  const isDose = tableKind(header) === 'doses';
  const name = isDose ? 'doses' : (cells[0] ?? '');
  const shown = name.slice(0, 40);
  if (name === 'metadata') return null;
  if (cells.length !== header.length)
    return {
      type: shown,
      reason: `This line has ${plural(cells.length, 'cell')}, but the first line has ${header.length}`,
    };
  if (!isDose && !isExportType(name)) return { type: shown, reason: 'dataType: Unknown data type' };
  const read = cellsOf(header, cells, name);
  return typeof read === 'string' ? { type: shown, reason: read } : { type: name as ImportType, cells: read };
}

/** The records of a table whose first line was checked; the metadata line is skipped. */
export function rowsOfTable(header: readonly string[], lines: readonly TableLine[]): RawFile {
  const file: RawFile = { rows: [], bad: [] };
  for (const { line, cells } of lines) {
    const read = readLine(header, cells);
    if (read === null) continue;
    if ('reason' in read) file.bad.push({ ...read, line } satisfies BadRow);
    else file.rows.push({ ...read, line });
  }
  return file;
}
