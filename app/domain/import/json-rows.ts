import { EXPORT_COLUMNS } from '#app/domain/export/export-columns.ts';
import type { ExportType } from '#app/domain/export/export-schema.ts';
import { cellProblem, type KnownCells } from './cell-limits.ts';
import type { ImportCells } from './import-types.ts';

/** Strings, and numbers outside of them. A string is one token, so no digit within it is taken for a number. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** The JSON text with every number as a string, so that reading it loses no digit of a decimal. */
export function quotedNumbers(text: string): string {
  return text.replace(TOKENS, (token) => (token.startsWith('"') ? token : `"${token}"`));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const KNOWN = Object.fromEntries(
  Object.entries(EXPORT_COLUMNS).map(([type, columns]) => [
    type,
    new Map(columns.map(({ name, kind }) => [name, kind === 'text'])),
  ]),
) as unknown as Readonly<Record<ExportType, KnownCells>>;

/**
 * The cells of one record of a JSON export.
 * @param value what `JSON.parse` makes of {@link quotedNumbers}
 * @returns or what is wrong with it
 */
export function cellsOfRecord(type: ExportType, value: unknown): ImportCells | string {
  if (!isObject(value)) return 'This is no record';
  const cells: Record<string, string> = {};
  for (const [name, cell] of Object.entries(value)) {
    const isText = KNOWN[type].get(name);
    if (isText === undefined) return `${name.slice(0, 100)}: There is no such field`;
    if (cell === null || cell === '') continue;
    if (typeof cell !== 'string') return `${name}: This must be text or a number`;
    const problem = cellProblem(cell, isText);
    if (problem !== null) return `${name}: ${problem}`;
    cells[name] = cell;
  }
  return cells;
}
