import { isSliceOver, PAUSE, type Steps } from '../budget.ts';
import { EngineError } from '../errors.ts';
import type { Connection, Row, Statement, Value } from './env/sqlite.ts';

/** Keys from `start` (inclusive) to `end` (exclusive). */
export interface KeyRange {
  start: Buffer;
  end: Buffer;
}

export interface ScanOptions {
  reverse?: boolean;
  /** Entries to skip first. */
  skip?: number;
}

export interface Entry {
  key: Buffer;
  value: Buffer;
}

export interface StoredDocument {
  recordId: number;
  bytes: Buffer;
}

/** Record ids from `start` (inclusive) to `end` (exclusive) of a collection. */
export interface RecordRange {
  collId: number;
  start: number;
  end: number;
}

/**
 * An ordered key-value store of bytes, and beside it the documents. A scan reads ahead, so it may miss changes that are made
 * while it runs.
 */
export interface Kv {
  get(key: Buffer): Buffer | undefined;
  entries(range: KeyRange, options?: ScanOptions): Generator<Entry>;
  /** The keys alone. */
  keys(range: KeyRange, options?: ScanOptions): Generator<Buffer>;
  count(range: KeyRange): number;
  document(collId: number, recordId: number): Buffer | undefined;
  documents(range: RecordRange, options?: ScanOptions): Generator<StoredDocument>;
  /** The record ids alone. */
  recordIds(range: RecordRange, options?: ScanOptions): Generator<number>;
  /** The first collection from this id on that has documents; null if there is none. */
  collectionFrom(collId: number): number | null;
}

export interface WritableKv extends Kv {
  put(key: Buffer, value: Uint8Array): void;
  remove(key: Buffer): void;
  putDocument(collId: number, recordId: number, bytes: Uint8Array): void;
  removeDocument(collId: number, recordId: number): void;
  /** Removes up to `limit` entries. @returns how many */
  removeEntries(range: KeyRange, limit: number): number;
  /** Removes up to `limit` documents. @returns how many */
  removeDocuments(range: RecordRange, limit: number): number;
}

export const EMPTY_BYTES: Buffer = Buffer.alloc(0);

/** Ids of collections are smaller than 2^21, so that a document's id in its table is an exact number. */
export const COLLECTION_IDS = 2 ** 21;
const RECORDS = 2 ** 32;

/** All records of a collection. */
export function allRecords(collId: number): RecordRange {
  return { collId, start: 0, end: RECORDS };
}

/** The first rows of a scan are fetched together, then twice as many each time. */
const FIRST_ROWS = 24;
const MOST_ROWS = 256;
/** No more rows are fetched together after this many bytes. */
const PIECE_BYTES = 64 * 1024;

const ENTRIES = 'FROM entries WHERE key >= ? AND key < ?';
const DOCUMENTS = 'FROM documents WHERE id >= ? AND id < ?';

/** The statements of one kind of scan, and what they read. */
interface Source<Bound, Item> {
  forward: string;
  backward: string;
  /** Where the scan continues after a row. */
  after(row: Row): Bound;
  before(row: Row): Bound;
  item(row: Row): Item;
  /** The length of a row's value, where it can be long. */
  bytes?(row: Row): number;
}

function statements(columns: string, from: string, order: string) {
  const ordered = (direction: string) =>
    `SELECT ${columns} ${from} ORDER BY ${order} ${direction} LIMIT ? OFFSET ?`;
  return { forward: ordered('ASC'), backward: ordered('DESC') };
}

const byKey = {
  after: ([key]: Row) => Buffer.concat([key as Buffer, ZERO]),
  before: ([key]: Row) => key as Buffer,
};
const ZERO = Buffer.alloc(1);

const byId = {
  after: ([id]: Row) => (id as number) + 1,
  before: ([id]: Row) => id as number,
};

const KEYS: Source<Buffer, Buffer> = {
  ...statements('key', ENTRIES, 'key'),
  ...byKey,
  item: ([key]) => key as Buffer,
};

const WHOLE_ENTRIES: Source<Buffer, Entry> = {
  ...statements('key, value', ENTRIES, 'key'),
  ...byKey,
  item: ([key, value]) => ({ key: key as Buffer, value: value as Buffer }),
  bytes: ([, value]) => (value as Buffer).length,
};

const RECORD_IDS: Source<number, number> = {
  ...statements('id', DOCUMENTS, 'id'),
  ...byId,
  item: ([id]) => (id as number) % RECORDS,
};

const WHOLE_DOCUMENTS: Source<number, StoredDocument> = {
  ...statements('id, bson', DOCUMENTS, 'id'),
  ...byId,
  item: ([id, bson]) => ({ recordId: (id as number) % RECORDS, bytes: bson as Buffer }),
  bytes: ([, bson]) => (bson as Buffer).length,
};

/** SQLite as a `Kv`, in whatever transaction its connection has. */
export class SqliteKv implements WritableKv {
  constructor(protected readonly db: Connection) {}

  get(key: Buffer): Buffer | undefined {
    this.checkOpen();
    return this.db.statement('SELECT value FROM entries WHERE key = ?').row(key)?.[0] as Buffer | undefined;
  }

  entries({ start, end }: KeyRange, options?: ScanOptions): Generator<Entry> {
    return this.scan(WHOLE_ENTRIES, start, end, options);
  }

  keys({ start, end }: KeyRange, options?: ScanOptions): Generator<Buffer> {
    return this.scan(KEYS, start, end, options);
  }

  count({ start, end }: KeyRange): number {
    this.checkOpen();
    return this.db.statement(`SELECT count(*) ${ENTRIES}`).row(start, end)?.[0] as number;
  }

  document(collId: number, recordId: number): Buffer | undefined {
    this.checkOpen();
    const row = this.db.statement('SELECT bson FROM documents WHERE id = ?').row(idOf(collId, recordId));
    return row?.[0] as Buffer | undefined;
  }

  documents(range: RecordRange, options?: ScanOptions): Generator<StoredDocument> {
    return this.scan(WHOLE_DOCUMENTS, ...idsOf(range), options);
  }

  recordIds(range: RecordRange, options?: ScanOptions): Generator<number> {
    return this.scan(RECORD_IDS, ...idsOf(range), options);
  }

  collectionFrom(collId: number): number | null {
    this.checkOpen();
    const row = this.db.statement('SELECT min(id) FROM documents WHERE id >= ?').row(collId * RECORDS);
    return typeof row?.[0] === 'number' ? Math.floor(row[0] / RECORDS) : null;
  }

  put(key: Buffer, value: Uint8Array): void {
    this.db.statement('REPLACE INTO entries VALUES (?, ?)').run(key, value);
  }

  remove(key: Buffer): void {
    this.db.statement('DELETE FROM entries WHERE key = ?').run(key);
  }

  putDocument(collId: number, recordId: number, bytes: Uint8Array): void {
    this.db.statement('REPLACE INTO documents VALUES (?, ?)').run(idOf(collId, recordId), bytes);
  }

  removeDocument(collId: number, recordId: number): void {
    this.db.statement('DELETE FROM documents WHERE id = ?').run(idOf(collId, recordId));
  }

  removeEntries({ start, end }: KeyRange, limit: number): number {
    const piece = `SELECT key ${ENTRIES} ORDER BY key LIMIT ?`;
    return this.db.statement(`DELETE FROM entries WHERE key IN (${piece})`).run(start, end, limit);
  }

  removeDocuments(range: RecordRange, limit: number): number {
    const piece = `SELECT id ${DOCUMENTS} ORDER BY id LIMIT ?`;
    return this.db.statement(`DELETE FROM documents WHERE id IN (${piece})`).run(...idsOf(range), limit);
  }

  /** @throws EngineError when the state can no longer be read. */
  protected checkOpen(): void {
    // The state of a write can always be read.
  }

  /** Fetches rows a piece at a time, so that no statement stays open while others use the connection. */
  private *scan<Bound extends Value, Item>(
    source: Source<Bound, Item>,
    start: Bound,
    end: Bound,
    { reverse = false, skip = 0 }: ScanOptions = {},
  ): Generator<Item> {
    const sql = reverse ? source.backward : source.forward;
    let [from, to] = [start, end];
    let left = skip;
    for (let count = FIRST_ROWS; ; count = Math.min(2 * count, MOST_ROWS)) {
      this.checkOpen();
      const rows = pieceOf(this.db.statement(sql), source, [from, to, count, left]);
      for (const row of rows.found) {
        yield source.item(row);
        // A state that was released meanwhile must not look like the end of the scan.
        this.checkOpen();
      }
      const last = rows.found.at(-1);
      if (rows.isLast || !last) return;
      if (reverse) to = source.before(last);
      else from = source.after(last);
      left = 0;
    }
  }
}

/** The next rows of a scan. `values` are its bounds, the number of rows, and how many to skip. */
function pieceOf<Bound, Item>(
  statement: Statement,
  { bytes }: Source<Bound, Item>,
  values: [Value, Value, number, number],
): { found: Row[]; isLast: boolean } {
  const [, , count] = values;
  if (!bytes) {
    const found = statement.rows(...values);
    return { found, isLast: found.length < count };
  }
  const found: Row[] = [];
  let total = 0;
  for (const row of statement.each(...values)) {
    found.push(row);
    total += bytes(row);
    if (total > PIECE_BYTES) return { found, isLast: false };
  }
  return { found, isLast: found.length < count };
}

/** A document's id in its table. @throws EngineError for the record after the last one possible */
function idOf(collId: number, recordId: number): number {
  if (recordId >= RECORDS)
    throw new EngineError('InternalError', 'The collection has had too many documents');
  return collId * RECORDS + recordId;
}

function idsOf({ collId, start, end }: RecordRange): [number, number] {
  return [collId * RECORDS + start, collId * RECORDS + end];
}

/** The number of entries that are skipped in about half a millisecond. */
const STRIDE = 5000;

/** Counts keys, a stride at a time. */
export function* countKeys(kv: Kv, range: KeyRange): Steps<number> {
  let { start } = range;
  for (let total = 0; ; total += STRIDE) {
    const [next] = kv.keys({ start, end: range.end }, { skip: STRIDE });
    if (!next) return total + kv.count({ start, end: range.end });
    start = next;
    if (isSliceOver()) yield PAUSE;
  }
}

/** What remains of a range after skipping. */
interface Rest<Range> {
  range: Range;
  skip: number;
}

/** Skips entries from the start (`reverse`: from the end) of a range, a stride at a time. */
export function* passKeys(kv: Kv, range: KeyRange, skip: number, reverse: boolean): Steps<Rest<KeyRange>> {
  let { start, end } = range;
  let left = skip;
  for (; left > STRIDE; left -= STRIDE) {
    const [next] = kv.keys({ start, end }, { skip: STRIDE, reverse });
    if (!next) break;
    if (reverse) end = Buffer.concat([next, ZERO]);
    else start = next;
    if (isSliceOver()) yield PAUSE;
  }
  return { range: { start, end }, skip: left };
}

/** The same for documents. */
export function* passRecords(
  kv: Kv,
  { collId, ...range }: RecordRange,
  skip: number,
  reverse: boolean,
): Steps<Rest<RecordRange>> {
  let { start, end } = range;
  let left = skip;
  for (; left > STRIDE; left -= STRIDE) {
    const [next] = kv.recordIds({ collId, start, end }, { skip: STRIDE, reverse });
    if (next === undefined) break;
    if (reverse) end = next + 1;
    else start = next;
    if (isSliceOver()) yield PAUSE;
  }
  return { range: { collId, start, end }, skip: left };
}
