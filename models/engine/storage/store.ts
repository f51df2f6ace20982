import { archive } from './archive/backup.ts';
import { restoreArchive } from './archive/target.ts';
import { Catalog, newCatalogCache } from './catalog/catalog.ts';
import { type Database, openEnvironment, settle, wasCopied } from './env/environment.ts';
import { damaged, storageError } from './env/failures.ts';
import { LmdbKv } from './kv.ts';
import { OverlayTransaction } from './transaction/transaction.ts';
import type {
  ArchiveSummary,
  ReadView,
  Snapshot,
  Store,
  StoreLog,
  StoreOptions,
  StoreTransaction,
  VerifyReport,
  WriteView,
} from './types.ts';
import { Sweeper } from './upkeep/sweeper.ts';
import { Verifier } from './upkeep/verify.ts';
import { StoreView } from './view/read-view.ts';
import { PinnedView, Pins } from './view/snapshot.ts';
import { WriteQueue } from './write/queue.ts';

const SNAPSHOT_MAX_AGE_MS = 10 * 60_000;
/** How often old snapshots and reader slots of dead processes are looked for. */
const UPKEEP_MS = 30_000;

class LmdbStore implements Store {
  readonly dir: string;
  private readonly db: Database;
  private readonly cache = newCatalogCache();
  private readonly queue: WriteQueue;
  private readonly pins: Pins;
  private readonly sweeper: Sweeper;
  private readonly stops: (() => void)[] = [];
  private closing: Promise<void> | null = null;

  constructor(db: Database, options: StoreOptions, log: StoreLog) {
    this.dir = options.dir;
    this.db = db;
    this.queue = new WriteQueue(db, this.cache, log);
    this.pins = new Pins(options.snapshotMaxAgeMs ?? SNAPSHOT_MAX_AGE_MS);
    this.sweeper = new Sweeper(db, this.queue, log, (kv) => new Catalog(kv, this.cache));
    this.startUpkeep(log);
  }

  private startUpkeep(log: StoreLog): void {
    const timer = setInterval(() => {
      const expired = this.pins.expire(Date.now());
      if (expired > 0) log('warn', 'gave up snapshots that were held too long', { snapshots: expired });
      const stale = this.db.readerCheck();
      if (stale > 0) log('info', 'cleared reader slots of processes that are gone', { slots: stale });
    }, UPKEEP_MS);
    timer.unref();
    this.stops.push(() => clearInterval(timer));
  }

  read<T>(fn: (view: ReadView) => T): T {
    this.db.resetReadTxn();
    const kv = new LmdbKv(this.db);
    try {
      return fn(new StoreView(kv, new Catalog(kv, this.cache), false));
    } catch (error) {
      throw storageError(error);
    } finally {
      kv.closeScans();
    }
  }

  snapshot(): Snapshot {
    return new PinnedView(this.pins.pin(this.db), this.cache, this.pins);
  }

  write<T>(fn: (txn: WriteView) => T): Promise<T> {
    return this.queue.add(fn);
  }

  begin(): StoreTransaction {
    return new OverlayTransaction(this.pins.pin(this.db), this.cache, this.pins, this.queue);
  }

  startTtl(everyMs: number): () => void {
    const stop = this.sweeper.start(everyMs);
    this.stops.push(stop);
    return stop;
  }

  sweepTtl(now: Date = new Date()): Promise<number> {
    return this.sweeper.sweep(now);
  }

  async verify(onProgress?: (documents: number) => void): Promise<VerifyReport> {
    const kv = this.pins.pin(this.db, Infinity);
    try {
      return await new Verifier(kv, new Catalog(kv, this.cache), onProgress).verify();
    } finally {
      this.pins.unpin(kv);
    }
  }

  backup(): AsyncIterable<Uint8Array> {
    return archive(() => {
      const snapshot = new PinnedView(this.pins.pin(this.db, Infinity), this.cache, this.pins);
      return {
        collections: () => snapshot.listDatabases().flatMap((db) => snapshot.listCollections(db)),
        *documents(ns) {
          for (const found of snapshot.find(ns, { sort: { $natural: 1 } })) yield found.bytes;
        },
        close: () => snapshot.close(),
      };
    });
  }

  restore(open: () => AsyncIterable<Uint8Array>): Promise<ArchiveSummary> {
    return restoreArchive(open, { db: this.db, queue: this.queue, read: (fn) => this.read(fn) });
  }

  close(): Promise<void> {
    this.closing ??= this.shut();
    return this.closing;
  }

  private async shut(): Promise<void> {
    for (const stop of this.stops) stop();
    await this.sweeper.settle();
    await this.queue.close();
    this.pins.releaseAll();
    await this.db.close();
  }
}

/** A file that was copied here may have been copied while it was written to: look before it is trusted. */
async function checkCopy(store: LmdbStore, dir: string, log: StoreLog): Promise<void> {
  log('info', 'the database was copied or moved here; checking it', { dir });
  const report = await store.verify();
  if (!report.ok) throw damaged(dir, report.problems[0] ?? 'it does not hold together');
}

/**
 * Opens (or creates) the store in a directory. Several processes may have the same directory open.
 * Throws EngineError with a message that says what to do: newer format, damaged file, no permission, not a directory,
 * network file system, disk full.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const log: StoreLog = options.onLog ?? (() => undefined);
  const db = openEnvironment(options.dir, log, options.mapSize);
  const store = new LmdbStore(db, options, log);
  try {
    if (wasCopied(options.dir, db)) await checkCopy(store, options.dir, log);
    await settle(options.dir, db);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}
