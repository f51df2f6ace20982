import { parse } from 'csv-parse/sync';
import { decimalTextOfNumber } from '#app/domain/decimal/decimal.ts';
import { AppError } from '#app/domain/errors.ts';
import { CONTAINER_COLUMNS, type RowTexts } from './compute.ts';
import { COMMAS, type CsvDialect, csvLine, RESULT_COLUMNS, type SourceRow } from './format.ts';

/** Receives the lines of an input, one after the other. */
export interface LineSink {
  readonly add: (line: string) => void;
  readonly end: () => void;
}

/** Receives the header once, then each row: its values, or why it cannot be read. */
export interface RowTaker {
  readonly header: (names: readonly string[], dialect: CsvDialect) => void;
  readonly row: (row: SourceRow, texts: RowTexts | string) => void;
}

/**
 * Rows of a CSV text with a header, whose fields are separated by commas or semicolons.
 * @throws AppError INVALID_INPUT from `add` or `end` when the header is wrong
 */
export function csvRows(taker: RowTaker): LineSink {
  let names: readonly string[] | undefined;
  let columns: readonly Column[] = [];
  let dialect = COMMAS;
  const records = new CsvRecords((record) => {
    if (names === undefined) {
      dialect = dialectOf(record.raw);
      records.delimiter = dialect.delimiter;
      names = checkedHeader(fieldsOf(record.raw, dialect.delimiter));
      columns = columnsOf(names);
      taker.header(names, dialect);
      return;
    }
    const header = names;
    const texts = csvTexts(record, header.length, columns);
    if (dialect.delimiter === ';' && typeof texts !== 'string') dialect = markedLike(texts, dialect);
    const own = dialect;
    const row: SourceRow = {
      line: record.line,
      dialect: own,
      csv: () => alignedCsv(record, header.length, own),
      values: () => Object.fromEntries(header.map((name, at) => [name, record.fields?.[at] ?? ''])),
    };
    taker.row(row, texts);
  });
  return {
    add: (line) => records.add(line),
    end: () => {
      records.end();
      if (names === undefined) checkedHeader(null);
    },
  };
}

const SEMICOLONS: CsvDialect = { delimiter: ';', decimalMark: ',' };

/** The dialect in which a header has the most of the required columns. */
function dialectOf(header: string): CsvDialect {
  const missing = ({ delimiter }: CsvDialect) => missingIn(namesOf(fieldsOf(header, delimiter))).length;
  return missing(SEMICOLONS) < missing(COMMAS) ? SEMICOLONS : COMMAS;
}

/** The decimal mark of the row's own numbers; if none has one, that of the rows before it. */
function markedLike(texts: RowTexts, dialect: CsvDialect): CsvDialect {
  for (const name of REQUIRED) {
    const [mark] = /[.,](?=\d)/.exec(texts[name] ?? '') ?? [];
    if (mark === dialect.decimalMark) return dialect;
    if (mark === '.' || mark === ',') return { ...dialect, decimalMark: mark };
  }
  return dialect;
}

/** Rows of one JSON object per line. Written as CSV, they have the known columns. */
export function jsonRows(taker: RowTaker): LineSink {
  let line = 0;
  taker.header(KNOWN, COMMAS);
  const add = (text: string) => {
    line += 1;
    if (text.trim() === '') return;
    const object = parsedObject(text);
    const values = object ?? {};
    const row: SourceRow = {
      line,
      dialect: COMMAS,
      csv: () =>
        csvLine(
          KNOWN.map((name) => textOf(values[name]) ?? ''),
          COMMAS,
        ),
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

function readQuoted(raw: string, delimiter: string): readonly string[] | null {
  try {
    const [fields] = parse(raw, { relax_column_count: true, delimiter }) as string[][];
    return fields ?? null;
  } catch {
    return null;
  }
}

const fieldsOf = (raw: string, delimiter: string): readonly string[] | null =>
  raw.includes('"') ? readQuoted(raw, delimiter) : raw.split(delimiter);

/**
 * Joins lines into CSV records. A line without quotes is split at the delimiter; one with quotes goes to csv-parse as soon as
 * the quotes are closed. A quote that is never closed affects only its own line.
 */
class CsvRecords {
  readonly #take: (record: CsvRecord) => void;
  delimiter: CsvDialect['delimiter'] = ',';
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
      if (line.trim() !== '') this.#take({ line: this.#line, raw: line, fields: line.split(this.delimiter) });
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
    this.#take({ line, raw, fields: readQuoted(raw, this.delimiter) });
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

const namesOf = (fields: readonly string[] | null): string[] => (fields ?? []).map((name) => name.trim());

const missingIn = (names: readonly string[]): string[] => REQUIRED.filter((name) => !isGiven(name, names));

function checkedHeader(fields: readonly string[] | null): readonly string[] {
  const names = namesOf(fields);
  const missing = missingIn(names);
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

function alignedCsv(record: CsvRecord, width: number, dialect: CsvDialect): string {
  const fields = record.fields ?? [record.raw];
  if (record.fields !== null && fields.length === width) return record.raw;
  return csvLine(
    Array.from({ length: width }, (_, at) => fields[at] ?? ''),
    dialect,
  );
}

/** A known column of a header, and its place. */
type Column = readonly [name: (typeof COLUMNS)[number], at: number];

/** Columns whose values a row is calculated from. */
const COLUMNS = [...REQUIRED, 'desiredDoseUnit', ...MORE] as const;

const columnsOf = (names: readonly string[]): readonly Column[] =>
  COLUMNS.map((name) => [name, names.indexOf(name)] as const).filter(([, at]) => at >= 0);

/** @param width how many fields the header has */
function csvTexts({ fields }: CsvRecord, width: number, columns: readonly Column[]): RowTexts | string {
  if (fields === null) return 'The quotes in this row do not match';
  if (fields.length !== width) return `This row has ${fields.length} fields, the header has ${width}`;
  const texts: { -readonly [Name in keyof RowTexts]: RowTexts[Name] } = {};
  for (const [name, at] of columns) texts[name] = fields[at];
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
