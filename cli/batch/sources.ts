import { parse } from 'csv-parse/sync';
import { decimalTextOfNumber } from '#app/domain/decimal/decimal.ts';
import { AppError } from '#app/domain/errors.ts';
import { CONTAINER_COLUMNS, type RowTexts } from './compute.ts';
import { csvField, RESULT_COLUMNS, type SourceRow } from './format.ts';

/** Receives the lines of an input, one after the other. */
export interface LineSink {
  readonly add: (line: string) => void;
  readonly end: () => void;
}

/** Receives the header once, then each row: its values, or why it cannot be read. */
export interface RowTaker {
  readonly header: (names: readonly string[]) => void;
  readonly row: (row: SourceRow, texts: RowTexts | string) => void;
}

/** Rows of a CSV text with a header. @throws AppError INVALID_INPUT from `add` or `end` when the header is wrong */
export function csvRows(taker: RowTaker): LineSink {
  let names: readonly string[] | undefined;
  const records = new CsvRecords((record) => {
    if (names === undefined) {
      names = checkedHeader(record.fields);
      taker.header(names);
      return;
    }
    const header = names;
    const row: SourceRow = {
      line: record.line,
      csv: () => alignedCsv(record, header.length),
      values: () => Object.fromEntries(header.map((name, at) => [name, record.fields?.[at] ?? ''])),
    };
    taker.row(row, csvTexts(record, header));
  });
  return {
    add: (line) => records.add(line),
    end: () => {
      records.end();
      if (names === undefined) checkedHeader(null);
    },
  };
}

/** Rows of one JSON object per line. Written as CSV, they have the known columns. */
export function jsonRows(taker: RowTaker): LineSink {
  let line = 0;
  taker.header(KNOWN);
  const add = (text: string) => {
    line += 1;
    if (text.trim() === '') return;
    const object = parsedObject(text);
    const values = object ?? {};
    const row: SourceRow = {
      line,
      csv: () => KNOWN.map((name) => csvField(textOf(values[name]) ?? '')).join(','),
      values: () => values,
    };
    if (object === null) taker.row(row, 'This line is not a JSON object');
    else
      taker.row(row, Object.fromEntries([...KNOWN, ...MORE].map((name) => [name, jsonText(values[name])])));
  };
  return { add, end: () => {} };
}

/** One record of a CSV text, as it was written. */
interface CsvRecord {
  /** Number of its first line, from 1. */
  readonly line: number;
  readonly raw: string;
  /** Null when its quotes don't match. */
  readonly fields: readonly string[] | null;
}

/** A record with more lines is missing its closing quote. */
const MAX_RECORD_LINES = 1000;

const countQuotes = (text: string): number => text.split('"').length - 1;

function readQuoted(raw: string): readonly string[] | null {
  try {
    const [fields] = parse(raw, { relax_column_count: true }) as string[][];
    return fields ?? null;
  } catch {
    return null;
  }
}

/**
 * Joins lines into CSV records. A line without quotes is split at its commas; one with quotes goes to csv-parse as soon as
 * the quotes are closed. A quote that is never closed affects only its own line.
 */
class CsvRecords {
  readonly #take: (record: CsvRecord) => void;
  #line = 0;
  #open: string[] = [];
  #quotes = 0;

  /** @param take is called with each complete record */
  constructor(take: (record: CsvRecord) => void) {
    this.#take = take;
  }

  /** Adds the next line of the text; blank lines between records are skipped. */
  add(line: string): void {
    this.#line += 1;
    if (this.#open.length === 0 && !line.includes('"')) {
      if (line.trim() !== '') this.#take({ line: this.#line, raw: line, fields: line.split(',') });
      return;
    }
    this.#open.push(line);
    this.#quotes += countQuotes(line);
    if (this.#quotes % 2 === 0) this.#close();
    else if (this.#open.length >= MAX_RECORD_LINES) this.#giveUpFirst();
  }

  /** Ends the text. */
  end(): void {
    while (this.#open.length > 0) this.#giveUpFirst();
  }

  #close(): void {
    const raw = this.#open.join('\n');
    const line = this.#line - this.#open.length + 1;
    this.#forget();
    this.#take({ line, raw, fields: readQuoted(raw) });
  }

  #giveUpFirst(): void {
    const [first = '', ...following] = this.#open;
    const line = this.#line - following.length;
    this.#forget();
    this.#take({ line, raw: first, fields: null });
    this.#line = line;
    for (const next of following) this.add(next);
  }

  #forget(): void {
    this.#open = [];
    this.#quotes = 0;
  }
}

const REQUIRED = ['peptideAmount', 'waterVolume', 'desiredDose'] as const;

const KNOWN = [...REQUIRED, 'desiredDoseUnit', 'peptideName'] as const;

/** Optional columns; not part of the output unless the input has them. */
const MORE = ['components', 'doseOf', 'measuredAmount', 'drawVolume', ...CONTAINER_COLUMNS] as const;

/** Columns that stand for a required one: a blend has components, a solution a concentration and a volume. */
const INSTEAD: Readonly<Record<string, readonly string[]>> = {
  peptideAmount: ['components', 'concentration'],
  waterVolume: ['containerVolume', 'form'],
};

const isGiven = (required: string, names: readonly string[]): boolean =>
  [required, ...(INSTEAD[required] ?? [])].some((name) => names.includes(name));

function checkedHeader(fields: readonly string[] | null): readonly string[] {
  const names = (fields ?? []).map((name) => name.trim());
  const missing = REQUIRED.filter((name) => !isGiven(name, names));
  if (missing.length > 0) {
    throw new AppError(
      'INVALID_INPUT',
      `The first line must be a header; it is missing ${missing.join(', ')}.`,
    );
  }
  const twice = names.find(
    (name, at) => names.indexOf(name) !== at || RESULT_COLUMNS.some((own) => own === name),
  );
  if (twice === undefined) return names;
  throw new AppError(
    'INVALID_INPUT',
    `The header column "${twice}" is a duplicate, or has the name of a result column.`,
  );
}

function alignedCsv(record: CsvRecord, width: number): string {
  const fields = record.fields ?? [record.raw];
  if (record.fields !== null && fields.length === width) return record.raw;
  return Array.from({ length: width }, (_, at) => csvField(fields[at] ?? '')).join(',');
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function csvTexts(record: CsvRecord, names: readonly string[]): RowTexts | string {
  const { fields } = record;
  if (fields === null) return 'The quotes in this row do not match';
  if (fields.length !== names.length)
    return `This row has ${fields.length} fields, the header has ${names.length}`;
  const at = (name: keyof RowTexts) => fields[names.indexOf(name)];
  const texts: Writable<RowTexts> = {
    peptideAmount: at('peptideAmount'),
    waterVolume: at('waterVolume'),
    desiredDose: at('desiredDose'),
    desiredDoseUnit: at('desiredDoseUnit'),
    drawVolume: at('drawVolume'),
    components: at('components'),
    doseOf: at('doseOf'),
    measuredAmount: at('measuredAmount'),
  };
  for (const name of CONTAINER_COLUMNS) if (names.includes(name)) texts[name] = at(name);
  return texts;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

function parsedObject(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** Components in the API's JSON form, converted to the text form of a file. */
const listText = (list: readonly unknown[]): string =>
  list
    .map((entry) => {
      const { name, amount } = (typeof entry === 'object' ? (entry ?? {}) : {}) as Record<string, unknown>;
      return `${textOf(name) ?? ''}:${jsonText(amount) ?? ''}`;
    })
    .join(';');

/** A JSON number as its shortest decimal text, as the API reads it. */
function jsonText(value: unknown): string | undefined {
  if (Array.isArray(value)) return listText(value);
  return typeof value === 'number' ? (decimalTextOfNumber(value) ?? 'NaN') : textOf(value);
}
