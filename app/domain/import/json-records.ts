import type { ImportCells, RawFile } from '#app/domain/records/record-type.ts';
import { EXPORT_TYPES, type ExportType } from '#app/domain/records/type-names.ts';
import { cellProblem, COLUMN_IS_TEXT } from '#app/domain/records/record-types.ts';

/** Why a text cannot be read further. */
type JsonFault = 'broken' | 'deep' | 'large' | 'list';

/** What {@link JsonValues} reports: keys of the object, values that are not lists, lists, and list entries. */
type JsonEvent =
  | { kind: 'name' | 'value' | 'item'; text: string }
  | { kind: 'list' }
  | { kind: 'fault'; fault: JsonFault };

/** Deepest nesting within one entry; exports have one level. */
const MAX_DEPTH = 8;
/** Most characters of one name, value or entry. */
const MAX_LENGTH = 200_000;

type Place =
  | 'start'
  | 'name-or-end'
  | 'name'
  | 'colon'
  | 'value'
  | 'item-or-end'
  | 'item'
  | 'after-item'
  | 'after-value'
  | 'end'
  | 'fault';

/** The next place after a punctuation character. Anything not listed begins a name, a value or an entry. */
const SIGNS: Readonly<Partial<Record<Place, Readonly<Record<string, Place>>>>> = {
  start: { '{': 'name-or-end' },
  'name-or-end': { '}': 'end' },
  colon: { ':': 'value' },
  value: { '[': 'item-or-end' },
  'item-or-end': { ']': 'after-value' },
  'after-item': { ',': 'item', ']': 'after-value' },
  'after-value': { ',': 'name', '}': 'end' },
};

/** What begins at each place, and the place that follows it. */
const BEGINS: Readonly<Partial<Record<Place, { kind: 'name' | 'value' | 'item'; then: Place }>>> = {
  'name-or-end': { kind: 'name', then: 'colon' },
  name: { kind: 'name', then: 'colon' },
  value: { kind: 'value', then: 'after-value' },
  'item-or-end': { kind: 'item', then: 'after-item' },
  item: { kind: 'item', then: 'after-item' },
};

const BLANKS = ' \n\r\t';
/** Characters that end a number or a word but are not part of it. */
const DELIMITERS = `,]}:${BLANKS}`;

/**
 * Splits a JSON object of lists while its text arrives in pieces. Entries are passed on as text, for the receiver to
 * parse.
 */
class JsonValues {
  private place: Place = 'start';
  private text = '';
  private depth = 0;
  private inString = false;
  private isEscaped = false;
  private current: { kind: 'name' | 'value' | 'item'; then: Place } | null = null;

  /** Whether the object is complete. */
  get isComplete(): boolean {
    return this.place === 'end';
  }

  /** The events of a piece of text. After a fault there are no more. */
  push(piece: string): JsonEvent[] {
    const events: JsonEvent[] = [];
    let at = 0;
    while (at < piece.length && this.place !== 'fault') {
      at = this.current === null ? this.between(piece, at, events) : this.within(piece, at, events);
    }
    return events;
  }

  private fail(fault: JsonFault, events: JsonEvent[]): void {
    this.place = 'fault';
    events.push({ kind: 'fault', fault });
  }

  /** Reads one character outside of names, values and entries. @returns the next position */
  private between(piece: string, at: number, events: JsonEvent[]): number {
    const sign = piece.charAt(at);
    if (BLANKS.includes(sign)) return at + 1;
    const next = SIGNS[this.place]?.[sign];
    if (next !== undefined) {
      if (this.place === 'value') events.push({ kind: 'list' });
      this.place = next;
      return at + 1;
    }
    const begun = BEGINS[this.place];
    if (begun === undefined || DELIMITERS.includes(sign)) {
      this.fail(this.place === 'start' && sign === '[' ? 'list' : 'broken', events);
      return at;
    }
    this.current = begun;
    return at;
  }

  /** Reads to the end of the current name, value or entry, or of the piece. */
  private within(piece: string, from: number, events: JsonEvent[]): number {
    let at = from;
    let isOver = false;
    while (at < piece.length && !isOver) {
      const sign = piece.charAt(at);
      if (this.isOpen() || !DELIMITERS.includes(sign)) {
        isOver = this.step(sign);
        at += 1;
      } else isOver = true;
    }
    this.text += piece.slice(from, at);
    if (this.text.length > MAX_LENGTH) this.fail('large', events);
    else if (this.depth > MAX_DEPTH) this.fail('deep', events);
    else if (isOver) this.close(events);
    return at;
  }

  private isOpen(): boolean {
    return this.inString || this.depth > 0;
  }

  /** Reads one character of a value. @returns whether the value ends with it */
  private step(sign: string): boolean {
    if (this.inString) {
      if (this.isEscaped) this.isEscaped = false;
      else if (sign === '\\') this.isEscaped = true;
      else if (sign === '"') this.inString = false;
      return !this.isOpen();
    }
    if (sign === '"') this.inString = true;
    else if (sign === '{' || sign === '[') this.depth += 1;
    else if (sign === '}' || sign === ']') this.depth -= 1;
    // Nested too deeply; the rest need not be read.
    return this.depth > MAX_DEPTH || (!this.isOpen() && (sign === '}' || sign === ']'));
  }

  private close(events: JsonEvent[]): void {
    const { current, text } = this;
    this.text = '';
    this.current = null;
    if (current === null) return;
    this.place = current.then;
    events.push({ kind: current.kind, text });
  }
}

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
 * Reads the records of a JSON export piece by piece, holding one record at a time however long the lists are.
 */
export class JsonRecords {
  private readonly values = new JsonValues();
  private readonly lines = new Map<ExportType, number>();
  private type: ExportType | 'metadata' | null = null;

  /** The records that a piece of text completes, or what is wrong with the file. */
  push(text: string): RawFile | FileProblem {
    const file: RawFile = { rows: [], bad: [] };
    for (const event of this.values.push(text)) {
      const problem = this.take(event, file);
      if (problem !== null) return { problem };
    }
    return file;
  }

  /** Call this after the last piece. @returns what is wrong with the file, or null */
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

/**
 * Strings, and numbers outside of them. A string is one token, so digits within it are not changed; one without an end is, too,
 * so that a text full of them is read only once.
 */
const TOKENS = /"[^"\\]*(?:\\[^]?[^"\\]*)*"?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** The JSON text with every number as a string, so that reading it loses no digit of a decimal. */
export function quotedNumbers(text: string): string {
  return text.replace(TOKENS, (token) => (token.startsWith('"') ? token : `"${token}"`));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The cells of one record of a JSON export.
 * @param value what `JSON.parse` makes of {@link quotedNumbers}
 * @returns the cells, or a message about what is wrong
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
