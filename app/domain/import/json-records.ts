import { EXPORT_TYPES, type ExportType } from '#app/domain/export/export-schema.ts';
import { cellsOfRecord, quotedNumbers } from './json-rows.ts';
import { JsonValues, type JsonFault } from './json-values.ts';
import type { RawFile } from './import-types.ts';

/** What is wrong with a file as a whole. */
export interface FileProblem {
  problem: string;
}

const FAULTS: Readonly<Record<JsonFault, string>> = {
  broken: 'This file is not valid JSON.',
  deep: 'This is no export: it is nested too deeply.',
  large: 'This is no export: one of its records is too large.',
  list: 'This is no export: it must be a JSON object.',
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

  /** To be asked when there is no more text: what is wrong then, or null. */
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
    return this.type === null ? `This is no export: there is no "${name.slice(0, 40)}" in one.` : null;
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
