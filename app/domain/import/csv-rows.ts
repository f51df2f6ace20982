import { EXPORT_COLUMNS } from '#app/domain/export/export-columns.ts';
import { unguardFormula } from '#app/domain/export/spreadsheet.ts';
import { EXPORT_TYPES, type ExportType } from '#app/domain/export/export-schema.ts';
import { cellProblem, type KnownCells } from './cell-limits.ts';
import type { BadRow, ImportCells, ImportType, RawFile } from './import-types.ts';

/** The columns of the plain table of doses; the last two may be missing. */
export const DOSE_COLUMNS = ['takenAt', 'name', 'amount', 'unit', 'site', 'notes'] as const;
const NEEDED_DOSE_COLUMNS = DOSE_COLUMNS.slice(0, 4);

/** A line of a table: its cells in order, and where it stands. */
export interface TableLine {
  line: number;
  cells: readonly string[];
}

/** Which of the known tables a first line belongs to. */
export function tableKind(header: readonly string[]): 'export' | 'doses' | null {
  if (header[0] === 'dataType') return 'export';
  return NEEDED_DOSE_COLUMNS.every((name) => header.includes(name)) ? 'doses' : null;
}

/** Why a first line cannot be read; null when it can. */
export function headerProblem(header: readonly string[]): string | null {
  if (new Set(header).size !== header.length) return 'A column is named twice in the first line.';
  const kind = tableKind(header);
  if (kind === null)
    return `The first line must be that of an export, or name the columns ${NEEDED_DOSE_COLUMNS.join(', ')}.`;
  const unknown = kind === 'doses' ? header.filter((name) => !isDoseColumn(name)) : [];
  return unknown.length === 0 ? null : `There is no such column: ${(unknown[0] ?? '').slice(0, 100)}`;
}

const isDoseColumn = (name: string): boolean => (DOSE_COLUMNS as readonly string[]).includes(name);

const isExportType = (name: string): name is ExportType => (EXPORT_TYPES as readonly string[]).includes(name);

/** Cells by column without the empty ones; null when a cell stands where this type has no column. */
function cellsOf(
  header: readonly string[],
  cells: readonly string[],
  texts: KnownCells,
): ImportCells | string {
  const named: Record<string, string> = {};
  for (const [index, name] of header.entries()) {
    const cell = cells[index] ?? '';
    if (cell === '' || name === 'dataType') continue;
    const isText = texts.get(name);
    if (isText === undefined) return `${name.slice(0, 100)}: There is no such column`;
    const problem = cellProblem(cell, isText);
    if (problem !== null) return `${name}: ${problem}`;
    named[name] = isText ? unguardFormula(cell) : cell;
  }
  return named;
}

const DOSE_TEXTS = new Map<string, boolean>(
  DOSE_COLUMNS.map((name) => [name, name === 'name' || name === 'notes']),
);
const TEXTS = new Map(
  EXPORT_TYPES.map((type) => [
    type,
    new Map(EXPORT_COLUMNS[type].map(({ name, kind }) => [name, kind === 'text'])),
  ]),
);

type Sorted = { type: ImportType; cells: ImportCells } | { type: string; reason: string } | null;

function sortLine(header: readonly string[], cells: readonly string[]): Sorted {
  const isDose = tableKind(header) === 'doses';
  const name = isDose ? 'doses' : (cells[0] ?? '');
  const shown = name.slice(0, 40);
  if (name === 'metadata') return null;
  if (cells.length !== header.length)
    return { type: shown, reason: `This line has ${cells.length} cells, the first one ${header.length}` };
  if (!isDose && !isExportType(name)) return { type: shown, reason: 'dataType: This is no type of data' };
  const texts = isDose ? DOSE_TEXTS : TEXTS.get(name as ExportType);
  const read = cellsOf(header, cells, texts ?? new Map<string, boolean>());
  return typeof read === 'string' ? { type: shown, reason: read } : { type: name as ImportType, cells: read };
}

/** The records of a table whose first line is right; the metadata's line is passed over. */
export function rowsOfTable(header: readonly string[], lines: readonly TableLine[]): RawFile {
  const file: RawFile = { rows: [], bad: [] };
  for (const { line, cells } of lines) {
    const sorted = sortLine(header, cells);
    if (sorted === null) continue;
    if ('reason' in sorted) file.bad.push({ ...sorted, line } satisfies BadRow);
    else file.rows.push({ ...sorted, line });
  }
  return file;
}
