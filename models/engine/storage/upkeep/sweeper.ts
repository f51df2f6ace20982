import type { StoredCollection, StoredIndex } from '../catalog/record.ts';
import { typeByte, writeField } from '../../values/key.ts';
import { KeyWriter } from '../../values/key-writer.ts';
import { recordIdsIn } from '../keys/entry.ts';
import { indexPrefix } from '../keys/layout.ts';
import { Found } from '../found.ts';
import type { Kv, KeyRange } from '../kv.ts';
import { removeDocument } from '../write/documents.ts';
import { builderOf } from '../write/entries.ts';
import type { WriteState } from '../write/state.ts';
import { PinnedKv } from '../view/snapshot.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Readers } from '../env/readers.ts';
import type { StoreLog } from '../types.ts';
import type { WriteQueue } from '../write/queue.ts';
import { garbageIn, removeGarbage } from './garbage.ts';

/** The entries of a TTL index that have expired at `now`. */
function expiredRange(index: StoredIndex, now: Date): KeyRange {
  const { direction } = index.fields[0] as { direction: 1 | -1 };
  const limit = new Date(now.getTime() - (index.expireAfterSeconds as number) * 1000);
  const prefix = indexPrefix(index.indexId);
  const writer = new KeyWriter();
  writeField(writer, limit, direction);
  const edge = Buffer.concat([prefix, writer.take()]);
  const byte = direction === 1 ? typeByte(limit) : (typeByte(limit) ^ 0xff) + 1;
  const outer = Buffer.concat([prefix, Buffer.from([byte])]);
  return direction === 1 ? { start: outer, end: edge } : { start: edge, end: outer };
}

/** Record ids of up to `limit` documents to remove. */
function expiredIds(kv: Kv, index: StoredIndex, now: Date, limit: number): number[] {
  const ids: number[] = [];
  for (const id of recordIdsIn(kv, index, expiredRange(index, now))) {
    ids.push(id);
    if (ids.length === limit) break;
  }
  return ids;
}

/** True when the date in the field has expired; a document without a date never expires. */
function isExpired(index: StoredIndex, doc: Found, now: Date): boolean {
  const limit = now.getTime() - (index.expireAfterSeconds as number) * 1000;
  const [value] = Object.values(builderOf(index).valuesOf(doc.doc));
  return value instanceof Date && value.getTime() <= limit;
}

/** Removes those of the given documents that are (still) expired; returns how many. Safe in several processes. */
function removeExpired(
  state: WriteState,
  coll: StoredCollection,
  index: StoredIndex,
  ids: number[],
  now: Date,
): number {
  let removed = 0;
  for (const recordId of ids) {
    const bytes = state.kv.document(coll.collId, recordId);
    if (!bytes) continue;
    const found = new Found(recordId, bytes);
    if (!isExpired(index, found, now)) continue;
    removeDocument(state, coll, found);
    removed += 1;
  }
  return removed;
}

/** Documents removed at a time, so that other writes can run in between. */
const EXPIRED_BATCH = 200;
const GARBAGE_BATCH = 2000;

/** Removes expired documents, and what dropped collections and indexes have left. */
export class Sweeper {
  private readonly catalog: (kv: Kv) => Catalog;
  private running: Promise<number> | null = null;

  constructor(
    private readonly readers: Readers,
    private readonly queue: WriteQueue,
    private readonly log: StoreLog,
    catalog: (kv: Kv) => Catalog,
  ) {
    this.catalog = catalog;
  }

  /** One sweep; a call during a sweep waits for that one. Returns how many documents were removed. */
  sweep(now: Date): Promise<number> {
    this.running ??= this.run(now).finally(() => (this.running = null));
    return this.running;
  }

  /** Sweeps every `everyMs` until the returned function is called. Failures are logged and retried. */
  start(everyMs: number): () => void {
    const timer = setInterval(() => {
      this.sweep(new Date()).catch((error: unknown) =>
        this.log('warn', 'removing expired documents failed', { reason: String(error) }),
      );
    }, everyMs);
    timer.unref();
    return () => clearInterval(timer);
  }

  async settle(): Promise<void> {
    await this.running?.catch(() => 0);
  }

  private async run(now: Date): Promise<number> {
    let removed = 0;
    for (const { coll, index } of this.ttlIndexes()) removed += await this.expire(coll, index, now);
    await this.collectGarbage();
    return removed;
  }

  /** Reads the newest state; `fn` must not return anything lazy. */
  private read<T>(fn: (kv: Kv) => T): T {
    const kv = new PinnedKv(this.readers);
    try {
      return fn(kv);
    } finally {
      kv.release();
    }
  }

  private ttlIndexes(): { coll: StoredCollection; index: StoredIndex }[] {
    return this.read((kv) => {
      const catalog = this.catalog(kv);
      const all = catalog.databases().flatMap((db) => catalog.list(db));
      return all.flatMap((coll) =>
        coll.indexes
          .filter((index) => index.expireAfterSeconds !== undefined)
          .map((index) => ({ coll, index })),
      );
    });
  }

  private async expire(coll: StoredCollection, index: StoredIndex, now: Date): Promise<number> {
    let removed = 0;
    for (;;) {
      const ids = this.read((kv) => expiredIds(kv, index, now, EXPIRED_BATCH));
      if (ids.length === 0) return removed;
      const gone = await this.queue.addWithState((state) => {
        const current = state.catalog.get(coll.ns);
        const known = current?.indexes.find((other) => other.indexId === index.indexId);
        return current && known ? removeExpired(state, current, known, ids, now) : 0;
      });
      removed += gone;
      // Entries with nothing to remove (another process was faster) would otherwise be found again at once.
      if (gone === 0) return removed;
    }
  }

  /** Removes what dropped collections and indexes have left. */
  async collectGarbage(): Promise<void> {
    for (const garbage of this.read(garbageIn)) {
      for (let done = false; !done;) {
        done = await this.queue.addWithState((state) => removeGarbage(state.kv, garbage, GARBAGE_BATCH));
      }
    }
  }
}
