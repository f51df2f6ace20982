import type { Budget, Steps } from '../budget.ts';
import { Binary } from '../values/types.ts';
import { archive } from './archive/backup.ts';
import { restoreArchive, type RestoreOptions } from './archive/target.ts';
import { Catalog, newCatalogCache } from './catalog/catalog.ts';
import { specOf } from './catalog/record.ts';
import { completeFile, isInUseElsewhere, settle, wasCopied } from './env/environment.ts';
import { commitReason, damaged, namingFullDisk, refusedStart, storageError } from './env/failures.ts';
import { Mapping } from './env/mapping.ts';
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
import { Pins, Snapshot } from './view/snapshot.ts';
import type { WriteView } from './view/write-view.ts';
import { shutDown, WriteQueue } from './write/queue.ts';

const SNAPSHOT_MAX_AGE_MS = 10 * 60_000;
/** How often to check for old snapshots and reader slots of dead processes. */
const UPKEEP_MS = 30_000;
/** How often to check the mapped memory: after this time, and after this many reads. */
const TRIM_MS = 250;
const READS_PER_LOOK = 128;

/** An open LMDB environment with its catalog, indexes and write queue. */
export class Store {
  readonly dir: string;
  private readonly cache = newCatalogCache();
  private readonly queue: WriteQueue;
  private readonly pins: Pins;
  private readonly compactor: Compactor;
  private readonly sweeper: Sweeper;
  private readonly stops: (() => void)[] = [];
  private closing: Promise<void> | null = null;
  private reads = 0;
  private isTrimming = false;

  constructor(
    private readonly mapping: Mapping,
    options: StoreOptions,
    private readonly log: StoreLog,
  ) {
    this.dir = options.dir;
    const reasonOf = async (error: unknown) =>
      namingFullDisk(await commitReason(error), this.dir, mapping.file.path);
    this.queue = new WriteQueue(mapping, this.cache, log, options.onBroken, reasonOf);
    this.pins = new Pins(options.snapshotMaxAgeMs ?? SNAPSHOT_MAX_AGE_MS);
    this.compactor = new Compactor(this.dir, mapping, this.queue, this.pins, log);
    this.sweeper = new Sweeper(mapping, this.queue, log, this.compactor, (kv) => new Catalog(kv, this.cache));
    this.startUpkeep();
  }

  private startUpkeep(): void {
    this.every(TRIM_MS, () => this.trim());
    this.every(UPKEEP_MS, () => {
      const expired = this.pins.expire(Date.now());
      if (expired > 0) this.log('warn', 'released snapshots that were held too long', { snapshots: expired });
      const stale = this.mapping.db.readerCheck();
      if (stale > 0) this.log('info', 'cleared reader slots of processes that have ended', { slots: stale });
    });
  }

  private every(ms: number, run: () => void): void {
    const timer = setInterval(run, ms);
    timer.unref();
    this.stops.push(() => clearInterval(timer));
  }

  /** Switches to a compacted file even without reads, and releases mapped memory when nothing uses it. */
  private trim(): void {
    if (this.closing || this.isTrimming) return;
    this.isTrimming = true;
    this.followAndTrim()
      .catch((error: unknown) =>
        this.log('warn', 'the data file could not be remapped', { reason: storageError(error).message }),
      )
      .finally(() => (this.isTrimming = false));
  }

  private async followAndTrim(): Promise<void> {
    const { mapping, pins, queue } = this;
    mapping.follow();
    if (!mapping.hasReplaced && (pins.size > 0 || !mapping.isLarge)) return;
    await queue.between(async () => {
      // In a turn of its own, because no native call may be in progress.
      await new Promise(setImmediate);
      await mapping.closeReplaced((db) => pins.holds(db));
      if (pins.size === 0 && mapping.isLarge) await mapping.renew();
    });
  }

  /** Runs on the newest state, including other processes' writes. `fn` must not return anything lazy. */
  read<T>(fn: (view: ReadView) => T): T {
    this.reads += 1;
    if (this.reads % READS_PER_LOOK === 0) this.trim();
    const kv = this.pins.pin(this.mapping);
    try {
      return fn(new ReadView(kv, new Catalog(kv, this.cache), false));
    } catch (error) {
      throw storageError(error);
    } finally {
      this.pins.unpin(kv);
    }
  }

  snapshot(): Snapshot {
    return new Snapshot(this.pins.pin(this.mapping), this.cache, this.pins);
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
    const kv = this.pins.pin(this.mapping, Infinity);
    try {
      return await new Verifier(kv, new Catalog(kv, this.cache), onProgress).verify();
    } finally {
      this.pins.unpin(kv);
    }
  }

  /** A consistent backup as a stream of bytes, while writes continue. */
  backup(): AsyncIterable<Uint8Array> {
    return archive(() => {
      const snapshot = new Snapshot(this.pins.pin(this.mapping, Infinity), this.cache, this.pins);
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
    return sizeOf(this.mapping);
  }

  /**
   * Copies the live data into a new file, without what was deleted, while reads and writes continue. Throws 117
   * (ConflictingOperationInProgress) while another process is compacting, 14031 without space for the copy.
   */
  compact(budget?: Budget): Promise<CompactReport> {
    return this.compactor.compact(budget);
  }

  /** Removes what an interrupted compaction has left. */
  clearAbandoned(): Promise<void> {
    return this.compactor.clearAbandoned();
  }

  /** Undoes the write in progress, for a thread that must end: its locks would otherwise be held for ever. */
  async giveUp(): Promise<void> {
    await this.compactor.end(shutDown());
    await this.queue.giveUp();
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
    await this.mapping.close();
    this.complete();
  }

  /** Completes the data file to save the next start a check; if this fails, the next start does it. */
  private complete(): void {
    try {
      completeFile(this.dir);
    } catch (error) {
      this.log('warn', 'the data file could not be completed', { error: String(error) });
    }
  }
}

/** Reasons to check a file before using it: it may have been copied during a write, or be incomplete. */
const DOUBTS = {
  copied: 'the database was copied or moved here; checking it',
  short: 'the last pages of the database were never written; checking it',
} as const;

async function checkAll(store: Store, dir: string, log: StoreLog, doubt: keyof typeof DOUBTS) {
  log('info', DOUBTS[doubt], { dir });
  const report = await store.verify();
  if (!report.ok) throw damaged(dir, report.problems[0] ?? 'it is inconsistent');
}

/**
 * Opens (or creates) the store in a directory. Several processes may have the same directory open.
 * Throws EngineError with a message that says what to do: newer format, damaged file, no permission, not a directory,
 * network file system, disk full.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const log: StoreLog = options.onLog ?? (() => undefined);
  const wasWhole = completeFile(options.dir);
  const mapping = new Mapping(options.dir, log, options.mapSize);
  const store = new Store(mapping, options, log);
  try {
    if (wasCopied(mapping.environment)) await checkAll(store, options.dir, log, 'copied');
    else if (!wasWhole && !isInUseElsewhere(mapping.db)) await checkAll(store, options.dir, log, 'short');
    await settle(mapping.environment);
    await store.clearAbandoned();
    return store;
  } catch (error) {
    await store.close();
    throw refusedStart(options.dir, await commitReason(error));
  }
}
