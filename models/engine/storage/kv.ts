import type { RootDatabase, Transaction } from 'lmdb';
import { isSliceOver, PAUSE, type Steps } from '../budget.ts';

/** Keys from `start` (inclusive) to `end` (exclusive). */
export interface KeyRange {
  start: Buffer;
  end: Buffer;
}

export interface ScanOptions {
  reverse?: boolean;
  /** Entries to skip first. */
  skip?: number;
  /** Leaves the values out (`value` is empty). */
  keysOnly?: boolean;
}

export interface Entry {
  key: Buffer;
  value: Buffer;
}

/** An open scan. `return` must be called unless it was read to the end. */
export interface Scan extends IterableIterator<Entry> {
  return(): IteratorResult<Entry>;
}

/** An ordered key-value store of bytes. */
export interface Kv {
  get(key: Buffer): Buffer | undefined;
  scan(range: KeyRange, options?: ScanOptions): Scan;
  count(range: KeyRange): number;
}

export interface WritableKv extends Kv {
  put(key: Buffer, value: Uint8Array): void;
  remove(key: Buffer): void;
}

export const EMPTY_BYTES: Buffer = Buffer.alloc(0);
const DONE: IteratorResult<Entry> = { done: true, value: undefined };

/** LMDB's options for a range. Backwards, it goes from the end (exclusive) to the start (inclusive). */
function rangeOptions(range: KeyRange, options: ScanOptions, transaction: Transaction | undefined) {
  const { start, end } = range;
  const both = {
    ...(options.skip ? { offset: options.skip } : {}),
    ...(transaction ? { transaction } : {}),
  };
  if (!options.reverse) return { start, end, ...both };
  return { start: end, end: start, reverse: true, exclusiveStart: true, inclusiveEnd: true, ...both };
}

class KeyScan implements Scan {
  constructor(
    private readonly source: Iterator<unknown>,
    private readonly kv: LmdbKv,
    private readonly open: Set<Scan>,
    private readonly keysOnly: boolean,
  ) {
    open.add(this);
  }

  next(): IteratorResult<Entry> {
    if (!this.open.has(this)) {
      // A state that was released during a scan must not look like the end of the scan.
      this.kv.checkOpen();
      return DONE;
    }
    const result = this.source.next();
    if (result.done) {
      this.open.delete(this);
      return DONE;
    }
    const entry = this.keysOnly
      ? { key: result.value as Buffer, value: EMPTY_BYTES }
      : (result.value as Entry);
    return { done: false, value: entry };
  }

  return(): IteratorResult<Entry> {
    if (this.open.delete(this)) this.source.return?.();
    return DONE;
  }

  [Symbol.iterator](): Scan {
    return this;
  }
}

/** Where the `lmdb` package stores the open write transaction, which it reads from instead of the given one. */
interface WithEnvironment {
  env: { writeTxn: unknown };
}

/** Reads as if no write were in progress in this thread. */
function pastTheWrite<T>(db: RootDatabase<Buffer, Buffer>, read: () => T): T {
  const { env } = db as unknown as WithEnvironment;
  const open = env.writeTxn;
  if (!open) return read();
  env.writeTxn = null;
  try {
    return read();
  } finally {
    env.writeTxn = open;
  }
}

/**
 * LMDB as a `Kv`. Without a transaction it uses LMDB's current read transaction or, inside a write callback, the write
 * transaction.
 */
export class LmdbKv implements WritableKv {
  private readonly open = new Set<Scan>();

  constructor(
    private readonly db: RootDatabase<Buffer, Buffer>,
    private readonly transaction?: Transaction,
  ) {}

  get(key: Buffer): Buffer | undefined {
    const { transaction } = this;
    return transaction ? pastTheWrite(this.db, () => this.db.get(key, { transaction })) : this.db.get(key);
  }

  scan(range: KeyRange, options: ScanOptions = {}): Scan {
    const native = rangeOptions(range, options, this.transaction);
    const keysOnly = options.keysOnly === true;
    const iterable = keysOnly ? this.db.getKeys(native) : this.db.getRange(native);
    return new KeyScan(iterable[Symbol.iterator](), this, this.open, keysOnly);
  }

  count(range: KeyRange): number {
    return this.db.getKeysCount(rangeOptions(range, {}, this.transaction));
  }

  put(key: Buffer, value: Uint8Array): void {
    this.db.putSync(key, value as Buffer);
  }

  remove(key: Buffer): void {
    this.db.removeSync(key);
  }

  /** @throws EngineError when the state can no longer be read. */
  checkOpen(): void {
    // LMDB's current state can always be read.
  }

  /** Ends scans that were left open; LMDB's cursors must not outlive their transaction. */
  closeScans(): void {
    for (const scan of [...this.open]) scan.return();
  }
}

/** The number of keys that LMDB skips in about half a millisecond. */
const STRIDE = 5000;

/** Counts keys; LMDB itself counts them, a stride at a time. */
export function* countKeys(kv: Kv, range: KeyRange): Steps<number> {
  const { end } = range;
  let { start } = range;
  for (let total = 0; ; total += STRIDE) {
    const next = keyAfter(kv, { start, end }, false);
    if (!next) return total + kv.count({ start, end });
    start = next;
    if (isSliceOver()) yield PAUSE;
  }
}

/** Skips keys from the start (`reverse`: from the end) of a range; returns the remaining range and skip count. */
export function* passOver(
  kv: Kv,
  range: KeyRange,
  skip: number,
  reverse: boolean,
): Steps<{ range: KeyRange; skip: number }> {
  let { start, end } = range;
  let left = skip;
  while (left > STRIDE) {
    const next = keyAfter(kv, { start, end }, reverse);
    if (!next) break;
    if (reverse) end = Buffer.concat([next, Buffer.alloc(1)]);
    else start = next;
    left -= STRIDE;
    if (isSliceOver()) yield PAUSE;
  }
  return { range: { start, end }, skip: left };
}

function keyAfter(kv: Kv, range: KeyRange, reverse: boolean): Buffer | null {
  const scan = kv.scan(range, { skip: STRIDE, keysOnly: true, reverse });
  const step = scan.next();
  scan.return();
  return step.done ? null : Buffer.from(step.value.key);
}
