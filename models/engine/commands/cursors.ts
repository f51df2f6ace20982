import { randomBytes } from 'node:crypto';
import { isSliceOver, PAUSE, type Budget, type Pause, type Steps } from '../budget.ts';
import { EngineError } from '../errors.ts';
import { Long, type Document } from '../values/types.ts';
import { LIMITS } from '../wire/limits.ts';
import { RawBatch } from '../wire/raw-batch.ts';

/** Where a cursor's documents come from. `close` frees what it holds; it is called exactly once. */
export interface CursorSource {
  documents: Iterator<Uint8Array | Pause>;
  close(): void;
}

/** Details of a cursor besides its documents. */
export interface CursorOwner {
  ns: string;
  /** Hex id of the session it was created in. */
  session: string | null;
  /** The number of the transaction it was created in. */
  transaction: bigint | null;
}

interface OpenCursor extends CursorOwner {
  id: bigint;
  source: CursorSource;
  /** What is left of the time limit it was created with, in ms; null without one. */
  leftMs: number | null;
  /** True while a command is reading from it; others are refused. */
  isBusy: boolean;
  isKilled: boolean;
  /** Documents read ahead: those that did not fit into the last batch, or the short rest of a result. */
  ahead: Uint8Array[];
  aheadBytes: number;
  lastUse: number;
}

/** Batch size of `find` and `aggregate` when none is asked for. */
export const DEFAULT_BATCH = 101;
/** A cursor that is not used for this long is closed. */
export const CURSOR_IDLE_MS = 10 * 60_000;
const MOST_CURSORS = 10_000;
/** Up to this size, the rest of a result is read into memory, so that a small result keeps no snapshot open. */
const AHEAD_BYTES = 256 * 1024;
const ALL_AHEAD_BYTES = 64 * 1024 * 1024;

/** The open cursors of an engine. A cursor reads one snapshot, regardless of later writes. */
export class Cursors {
  readonly #open = new Map<bigint, OpenCursor>();
  #aheadBytes = 0;

  get count(): number {
    return this.#open.size;
  }

  /** The first batch and, if there is more, a cursor id. `limit` 0 returns no documents but leaves the cursor open. */
  *start(
    source: CursorSource,
    owner: CursorOwner,
    budget: Budget,
    batchSize: number,
    singleBatch = false,
  ): Steps<Document> {
    const state = { ahead: [], aheadBytes: 0, lastUse: Date.now(), isBusy: true, isKilled: false };
    const cursor: OpenCursor = { ...owner, ...state, id: 0n, source, leftMs: null };
    let done = true;
    try {
      const batch = yield* this.#fill(cursor, batchSize);
      done = singleBatch || (batchSize > 0 && (yield* this.#readAhead(cursor)) && cursor.ahead.length === 0);
      if (!done) this.#register(cursor);
      return { firstBatch: new RawBatch(batch), id: Long.fromBigInt(cursor.id), ns: owner.ns };
    } catch (error) {
      done = true;
      throw error;
    } finally {
      this.#leave(cursor, budget);
      if (done) this.#release(cursor);
    }
  }

  /**
   * The next batch; id 0 once the cursor is used up.
   * @throws EngineError 43 for an unknown cursor, 13 for another collection's, 50737/50738 for another session's,
   * 50739/50740/50741 for another transaction's, 143 while another command reads from it, 237 when it is closed in the meantime.
   */
  *next(id: bigint, reader: CursorOwner, budget: Budget, batchSize: number): Steps<Document> {
    const cursor = this.#open.get(id);
    if (!cursor) throw new EngineError('CursorNotFound', `cursor id ${id} not found`);
    checkOwner(cursor, reader);
    if (cursor.isBusy) throw new EngineError('CursorInUse', `cursor id ${id} is already in use`);
    cursor.isBusy = true;
    let done = true;
    try {
      budget.limit(cursor.leftMs);
      budget.check();
      const batch = yield* this.#fill(cursor, batchSize);
      done = (yield* this.#readAhead(cursor)) && cursor.ahead.length === 0;
      return { nextBatch: new RawBatch(batch), id: Long.fromBigInt(done ? 0n : id), ns: cursor.ns };
    } catch (error) {
      done = true;
      throw error;
    } finally {
      this.#leave(cursor, budget);
      if (done) this.kill(id);
    }
  }

  #leave(cursor: OpenCursor, budget: Budget): void {
    cursor.isBusy = false;
    cursor.lastUse = Date.now();
    cursor.leftMs = budget.leftMs;
  }

  /** Closes a cursor; false when it does not exist. */
  kill(id: bigint, ns?: string): boolean {
    const cursor = this.#open.get(id);
    if (!cursor || (ns !== undefined && cursor.ns !== ns)) return false;
    this.#open.delete(id);
    cursor.isKilled = true;
    this.#release(cursor);
    return true;
  }

  /** Closes the cursors of a session. */
  killSession(session: string): void {
    for (const cursor of [...this.#open.values()]) if (cursor.session === session) this.kill(cursor.id);
  }

  /** Closes the cursors of a transaction. */
  killTransaction(session: string, transaction: bigint): void {
    for (const cursor of [...this.#open.values()])
      if (cursor.session === session && cursor.transaction === transaction) this.kill(cursor.id);
  }

  /** Closes cursors that have not been used recently. */
  expire(now = Date.now()): void {
    for (const cursor of [...this.#open.values()]) {
      if (!cursor.isBusy && now - cursor.lastUse > CURSOR_IDLE_MS) this.kill(cursor.id);
    }
  }

  killAll(): void {
    for (const id of [...this.#open.keys()]) this.kill(id);
  }

  #register(cursor: OpenCursor): void {
    if (this.#open.size >= MOST_CURSORS)
      throw new EngineError('ExceededMemoryLimit', `more than ${MOST_CURSORS} cursors are open`);
    do cursor.id = randomBytes(8).readBigUInt64LE() >> 1n;
    while (cursor.id === 0n || this.#open.has(cursor.id));
    this.#open.set(cursor.id, cursor);
  }

  #release(cursor: OpenCursor): void {
    this.#aheadBytes -= cursor.aheadBytes;
    cursor.aheadBytes = 0;
    const { source } = cursor;
    cursor.source = EMPTY;
    source.documents.return?.();
    source.close();
  }

  /** Up to `count` documents, but no more than fit into one reply. */
  *#fill(cursor: OpenCursor, count: number): Steps<Uint8Array[]> {
    const batch: Uint8Array[] = [];
    let bytes = 0;
    while (batch.length < count) {
      const document = this.#ready(cursor) ?? (yield* pull(cursor));
      if (!document) break;
      if (batch.length > 0 && bytes + document.length > LIMITS.documentBytes) {
        this.#putBack(cursor, document);
        break;
      }
      // An array element costs its type, its index as text and a terminator.
      bytes += document.length + 10;
      batch.push(document);
    }
    return batch;
  }

  #ready(cursor: OpenCursor): Uint8Array | undefined {
    const ready = cursor.ahead.shift();
    if (!ready) return undefined;
    cursor.aheadBytes -= ready.length;
    this.#aheadBytes -= ready.length;
    return ready;
  }

  #putBack(cursor: OpenCursor, document: Uint8Array): void {
    cursor.ahead.unshift(document);
    cursor.aheadBytes += document.length;
    this.#aheadBytes += document.length;
  }

  /** Reads ahead while it is cheap; true when the source is exhausted (and then closed). */
  *#readAhead(cursor: OpenCursor): Steps<boolean> {
    const room = Math.min(AHEAD_BYTES, ALL_AHEAD_BYTES - this.#aheadBytes);
    do {
      const document = yield* pull(cursor);
      if (!document) return true;
      cursor.ahead.push(document);
      cursor.aheadBytes += document.length;
      this.#aheadBytes += document.length;
    } while (cursor.aheadBytes < room && !isSliceOver());
    return false;
  }
}

/** The next document of the source; undefined when it is exhausted (and then closed). */
function* pull(cursor: OpenCursor): Steps<Uint8Array | undefined> {
  for (;;) {
    const step = cursor.source.documents.next();
    if (step.done) break;
    if (step.value !== PAUSE && !isSliceOver()) return step.value;
    yield PAUSE;
    if (cursor.isKilled) throw new EngineError('CursorKilled', `cursor id ${cursor.id} was closed`);
    if (step.value !== PAUSE) return step.value;
  }
  const { source } = cursor;
  cursor.source = EMPTY;
  source.close();
  return undefined;
}

const EMPTY: CursorSource = { documents: [].values(), close: () => undefined };

function checkOwner(cursor: OpenCursor, { ns, session, transaction }: CursorOwner): void {
  if (cursor.ns !== ns) {
    throw new EngineError(
      'Unauthorized',
      `Requested getMore on namespace '${ns}', but cursor belongs to a different namespace ${cursor.ns}`,
    );
  }
  if (cursor.session !== session)
    throw new EngineError(
      session === null ? 50737 : 50738,
      `Cannot run getMore on cursor ${cursor.id}, which was created in another session`,
    );
  if (cursor.transaction === transaction) return;
  const code = cursor.transaction === null ? 50739 : transaction === null ? 50740 : 50741;
  throw new EngineError(
    code,
    `Cannot run getMore on cursor ${cursor.id}, which was not created in this transaction`,
  );
}
