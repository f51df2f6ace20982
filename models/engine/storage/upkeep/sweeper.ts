import type { StoredCollection, StoredIndex } from '../catalog/record.ts';
import type { Kv } from '../kv.ts';
import { PinnedKv } from '../view/snapshot.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Mapping } from '../env/mapping.ts';
import type { StoreLog } from '../types.ts';
import type { WriteQueue } from '../write/queue.ts';
import { garbagePrefixes, removeGarbage } from './garbage.ts';
import type { Compactor } from './compact.ts';
import { expiredIds, removeExpired } from './ttl.ts';

/** So many at a time, so that other writes get in between. */
const EXPIRED_BATCH = 200;
const GARBAGE_BATCH = 500;

/** Removes what is due: expired documents, and what dropped collections and compactions left behind. */
export class Sweeper {
  private readonly catalog: (kv: Kv) => Catalog;
  private running: Promise<number> | null = null;

  constructor(
    private readonly mapping: Mapping,
    private readonly queue: WriteQueue,
    private readonly log: StoreLog,
    private readonly compactor: Compactor,
    catalog: (kv: Kv) => Catalog,
  ) {
    this.catalog = catalog;
  }

  /** One sweep; a call during a sweep waits for that one. Returns how many documents were removed. */
  sweep(now: Date): Promise<number> {
    this.running ??= this.run(now).finally(() => (this.running = null));
    return this.running;
  }

  /** Sweeps every `everyMs` until the returned function is called. Failures are logged and tried again. */
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
    await this.compactor.clearAbandoned();
    return removed;
  }

  /** Fresh reads; nothing lazy may leave `fn`. */
  private read<T>(fn: (kv: Kv) => T): T {
    const kv = new PinnedKv(this.mapping.environment);
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
      // Entries that lead to nothing removable (another process was faster) would be met again at once.
      if (gone === 0) return removed;
    }
  }

  private async collectGarbage(): Promise<void> {
    for (const prefix of this.read(garbagePrefixes)) {
      for (let done = false; !done;) {
        done = await this.queue.addWithState((state) => removeGarbage(state.kv, prefix, GARBAGE_BATCH));
      }
    }
  }
}
