import type { Budget, Steps } from '../budget.ts';
import { Binary } from '../values/types.ts';
import { archive } from './archive/backup.ts';
import { restoreArchive, type RestoreOptions } from './archive/target.ts';
import { Catalog, newCatalogCache } from './catalog/catalog.ts';
import { specOf } from './catalog/record.ts';
import { isHome, noteHome, openDatabase, type Database } from './env/database.ts';
import { damaged, refusedStart, storageError } from './env/failures.ts';
import type {
  ArchiveSummary,
  CompactReport,
  StorageSize,
  StoreLog,
  StoreOptions,
  VerifyReport,
} from './types.ts';
import { Compactor, sizeOf } from './upkeep/compact.ts';
import { Sweeper } from './upkeep/sweeper.ts';
import { Verifier } from './upkeep/verify.ts';
import { ReadView } from './view/read-view.ts';
import { Pins, Snapshot, type PinnedKv } from './view/snapshot.ts';
import type { WriteView } from './view/write-view.ts';
import { shutDown, WriteQueue } from './write/queue.ts';
import type { Transaction } from './write/transaction.ts';

const SNAPSHOT_MAX_AGE_MS = 10 * 60_000;
/** How often to check for old snapshots. */
const UPKEEP_MS = 30_000;

/** An open data directory with its catalog, indexes and write queue. */
export class Store {
  readonly dir: string;
  private readonly cache = newCatalogCache();
  private readonly queue: WriteQueue;
  private readonly pins: Pins;
  private readonly compactor: Compactor;
  private readonly sweeper: Sweeper;
  private readonly stops: (() => void)[] = [];
  private closing: Promise<void> | null = null;

  constructor(
    private readonly database: Database,
    options: StoreOptions,
    private readonly log: StoreLog,
  ) {
    this.dir = options.dir;
    const { readers } = database;
    this.queue = new WriteQueue(database, this.cache, log);
    this.pins = new Pins(readers, options.snapshotMaxAgeMs ?? SNAPSHOT_MAX_AGE_MS);
    this.sweeper = new Sweeper(readers, this.queue, log, (kv) => new Catalog(kv, this.cache));
    this.compactor = new Compactor({
      database,
      queue: this.queue,
      collectGarbage: () => this.sweeper.collectGarbage(),
      size: () => this.size(),
      log,
    });
    this.startUpkeep();
  }

  private startUpkeep(): void {
    const timer = setInterval(() => {
      const expired = this.pins.expire(Date.now());
      if (expired > 0) this.log('warn', 'released snapshots that were held too long', { snapshots: expired });
    }, UPKEEP_MS);
    timer.unref();
    this.stops.push(() => clearInterval(timer));
  }

  /** Runs on the newest state, including other processes' writes. `fn` must not return anything lazy. */
  read<T>(fn: (view: ReadView) => T): T {
    const kv = this.pin();
    try {
      return fn(new ReadView(kv, new Catalog(kv, this.cache), false));
    } catch (error) {
      throw storageError(error);
    } finally {
      this.pins.unpin(kv);
    }
  }

  private pin(since?: number): PinnedKv {
    try {
      return this.pins.pin(since);
    } catch (error) {
      throw storageError(error);
    }
  }

  snapshot(): Snapshot {
    return new Snapshot(this.pin(), this.cache, this.pins);
  }

  /**
   * Queues a statement. It runs in a group with its neighbours; a throw undoes it alone and rejects.
   * Resolves after its group is on disk. Rejects with 14031 (OutOfDiskSpace) when it could not be stored.
   */
  write<T>(fn: (txn: WriteView) => T): Promise<T> {
    return this.queue.add(fn);
  }

  /**
   * Queues a statement that pauses; reads continue meanwhile, writes wait. If it takes longer than a group may, it is undone
   * and restarted alone, so `fn` must have no effects other than its writes. It is undone when the budget is used up.
   */
  change<T>(fn: (txn: WriteView) => Steps<T>, budget?: Budget): Promise<T> {
    return this.queue.addSteps((_state, txn) => fn(txn), budget);
  }

  /** Begins a transaction when it is its turn; other writes wait for its end. `check` throws when nobody wants it any more. */
  transaction(check: () => void): Promise<Transaction> {
    return this.queue.transaction(check);
  }

  /** Deletes expired documents every `everyMs`; returns the function that stops it. */
  startTtl(everyMs: number): () => void {
    const stop = this.sweeper.start(everyMs);
    this.stops.push(stop);
    return stop;
  }

  /** One sweep; returns how many documents were removed. */
  sweepTtl(now: Date = new Date()): Promise<number> {
    return this.sweeper.sweep(now);
  }

  async verify(onProgress?: (documents: number) => void): Promise<VerifyReport> {
    const kv = this.pin(Infinity);
    const structure = () => this.database.background.run('check') as Promise<string | null>;
    try {
      return await new Verifier(kv, new Catalog(kv, this.cache), structure, onProgress).verify();
    } finally {
      this.pins.unpin(kv);
    }
  }

  /** A consistent backup as a stream of bytes, while writes continue. */
  backup(): AsyncIterable<Uint8Array> {
    return archive(() => {
      const snapshot = new Snapshot(this.pin(Infinity), this.cache, this.pins);
      return {
        collections() {
          const all = snapshot.listDatabases().flatMap((db) => snapshot.listCollections(db));
          return all.map(({ ns, uuid, options, indexes }) => {
            return { ns, uuid: new Binary(uuid, 4), options, indexes: indexes.map(specOf) };
          });
        },
        *documents(ns) {
          for (const found of snapshot.find(ns, { sort: { $natural: 1 } })) yield found.bytes;
        },
        close: () => snapshot.close(),
      };
    });
  }

  /** Restores a backup into this store, which must be empty. Everything is checked before anything is written. */
  restore(open: () => AsyncIterable<Uint8Array>, options?: RestoreOptions): Promise<ArchiveSummary> {
    return restoreArchive(open, { queue: this.queue, read: (fn) => this.read(fn) }, options);
  }

  size(): StorageSize {
    const db = this.database.readers.take();
    try {
      return sizeOf(db);
    } finally {
      this.database.readers.giveBack(db);
    }
  }

  /**
   * Writes the file again without what was deleted, while reads continue. Throws 117 (ConflictingOperationInProgress) while
   * another compaction is running, 14031 without space for the copy.
   */
  compact(budget?: Budget): Promise<CompactReport> {
    return this.compactor.compact(budget);
  }

  /** Waits for queued writes, then closes. */
  close(): Promise<void> {
    this.closing ??= this.shut();
    return this.closing;
  }

  private async shut(): Promise<void> {
    for (const stop of this.stops) stop();
    await this.compactor.end(shutDown());
    await this.sweeper.settle();
    await this.queue.close();
    this.pins.releaseAll();
    await this.database.close();
  }

  /** Checks a file that may have been copied while it was written to, and notes that it is at home here. */
  async settle(): Promise<void> {
    const { database, dir, log } = this;
    const isAtHome = isHome(database);
    if (isAtHome === false) {
      log('info', 'the database was copied or moved here; checking it', { dir });
      const report = await this.verify();
      if (!report.ok) throw damaged(dir, report.problems[0] ?? 'it is inconsistent');
    }
    if (isAtHome !== true) await this.queue.addWithState(({ kv }) => noteHome(database.files, kv));
  }
}

/**
 * Opens (or creates) the store in a directory. Several processes may have the same directory open.
 * Throws EngineError with a message that says what to do: newer format, damaged file, no permission, not a directory,
 * network file system, disk full.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const log: StoreLog = options.onLog ?? (() => undefined);
  const store = new Store(await openDatabase(options.dir, log), options, log);
  try {
    await store.settle();
    return store;
  } catch (error) {
    await store.close();
    throw refusedStart(options.dir, error);
  }
}
