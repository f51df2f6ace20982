import { parse } from 'csv-parse/sync';

/** One record of a CSV text as it stood there. */
export interface CsvRecord {
  /** Number of its first line, from 1. */
  readonly line: number;
  readonly raw: string;
  /** Null when its quotes are wrong. */
  readonly fields: readonly string[] | null;
}

/** A record with more lines than this has lost its closing quote. */
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
 * Joins lines to CSV records. A line without quotes is split at its commas; one with quotes goes to csv-parse, as soon as
 * they are closed. A quote that is never closed spoils its own line only.
 */
export class CsvRecords {
  readonly #take: (record: CsvRecord) => void;
  #line = 0;
  #open: string[] = [];
  #quotes = 0;

  /** @param take gets each record as it becomes complete */
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
