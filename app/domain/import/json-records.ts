import type { ImportCells, RawFile } from '#app/domain/records/record-type.ts';
import { EXPORT_TYPES, type ExportType } from '#app/domain/records/type-names.ts';
import { cellProblem, COLUMN_IS_TEXT } from './cells.ts';
import { JsonValues, type JsonFault } from './json-values.ts';

/** What is wrong with a file as a whole. */
export interface FileProblem {
  problem: string;
}

const FAULTS: Readonly<Record<JsonFault, string>> = {
  broken: 'This file is not valid JSON.',
  deep: 'This is not an export: it is nested too deeply.',
  large: 'This is not an export: one of its records is too large.',
  list: 'This is not an export: it must be a JSON object.',
};

function parsed(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

/**
 * The records of a JSON export whose text comes piece by piece: one record at a time is held, however long the lists
 * are.
 */
export class JsonRecords {
  private readonly values = new JsonValues();
  private readonly lines = new Map<ExportType, number>();
  private type: ExportType | 'metadata' | null = null;

  /** The records that end in a piece of text, or what is wrong with the file. */
  push(text: string): RawFile | FileProblem {
    const file: RawFile = { rows: [], bad: [] };
    for (const event of this.values.push(text)) {
      const problem = this.take(event, file);
      if (problem !== null) return { problem };
    }
    return file;
  }

  /** To be called after the last piece of text. @returns what is wrong with the file then, or null */
  end(): FileProblem | null {
    return this.values.isComplete ? null : { problem: FAULTS.broken };
  }

  private take(event: ReturnType<JsonValues['push']>[number], file: RawFile): string | null {
    if (event.kind === 'fault') return FAULTS[event.fault];
    if (event.kind === 'name') return this.open(event.text);
    if (event.kind === 'list') return this.type === 'metadata' ? FAULTS.broken : null;
    if (event.kind === 'item') return this.record(event.text, file);
    if (this.type !== 'metadata') return `"${this.type ?? ''}" must be a list.`;
    return parsed(event.text) === null ? FAULTS.broken : null;
  }

  private open(text: string): string | null {
    const name = parsed(text)?.value;
    if (typeof name !== 'string') return FAULTS.broken;
    this.type = name === 'metadata' ? name : (EXPORT_TYPES.find((known) => known === name) ?? null);
    return this.type === null ? `This is not an export: exports have no "${name.slice(0, 40)}".` : null;
  }

  private record(text: string, file: RawFile): string | null {
    const { type } = this;
    const read = parsed(quotedNumbers(text));
    if (read === null || type === null || type === 'metadata') return FAULTS.broken;
    const line = (this.lines.get(type) ?? 0) + 1;
    this.lines.set(type, line);
    const cells = cellsOfRecord(type, read.value);
    if (typeof cells === 'string') file.bad.push({ type, line, reason: cells });
    else file.rows.push({ type, line, cells });
    return null;
  }
}

/** Strings, and numbers outside of them. A string is one token, so no digit within it is taken for a number. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** The JSON text with every number as a string, so that reading it loses no digit of a decimal. */
export function quotedNumbers(text: string): string {
  return text.replace(TOKENS, (token) => (token.startsWith('"') ? token : `"${token}"`));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The cells of one record of a JSON export.
 * @param value what `JSON.parse` makes of {@link quotedNumbers}
 * @returns or what is wrong with it
 */
function cellsOfRecord(type: ExportType, value: unknown): ImportCells | string {
  if (!isObject(value)) return 'This is not a record';
  const cells: Record<string, string> = {};
  for (const [name, cell] of Object.entries(value)) {
    const isText = COLUMN_IS_TEXT.get(type)?.get(name);
    if (isText === undefined) return `${name.slice(0, 100)}: Unknown field`;
    if (cell === null || cell === '') continue;
    if (typeof cell !== 'string') return `${name}: This must be text or a number`;
    const problem = cellProblem(cell, isText);
    if (problem !== null) return `${name}: ${problem}`;
    cells[name] = cell;
  }
  return cells;
}
