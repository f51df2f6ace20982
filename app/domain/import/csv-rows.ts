import { RECORD_TYPES } from '#app/domain/records/record-types.ts';
import {
  IMPORT_TYPES,
  type ImportType,
  EXPORT_TYPES,
  type ExportType,
  DOSE_COLUMNS,
  REQUIRED_DOSE_COLUMNS,
} from '#app/domain/records/type-names.ts';
import { unguardFormula } from '#app/domain/export/spreadsheet.ts';
import type { BadRow, ImportCells, RawFile } from '#app/domain/records/record-type.ts';
import { plural } from '#app/domain/text/plural.ts';

/** Whether each column of each type holds text that a person wrote. */
export const COLUMN_IS_TEXT: ReadonlyMap<string, ReadonlyMap<string, boolean>> = new Map(
  IMPORT_TYPES.map((type: ImportType) => [
    type,
    new Map(RECORD_TYPES[type].columns.map(({ name, kind }) => [name, kind === 'text'])),
  ]),
);

/** Most characters of a cell: texts have at most a fifth of that, the longest of the others is a day's 24 times. */
const MAX_LENGTH = { text: 10_000, other: 300 } as const;

/** Why a cell is too long to be read; null when it is not. It keeps what waits to be imported within bounds. */
export function cellProblem(cell: string, isText: boolean): string | null {
  const most = isText ? MAX_LENGTH.text : MAX_LENGTH.other;
  return cell.length > most ? `This can have at most ${most} characters` : null;
}

/** A line of a table: its cells in order, and where it stands. */
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

/** Cells by column without the empty ones; null when a cell stands where this type has no column. */
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

/** The records of a table whose first line is right; the line of the metadata is skipped. */
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
