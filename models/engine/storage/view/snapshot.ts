import type { Transaction } from 'lmdb';
import { EngineError } from '../../errors.ts';
import { Catalog, type CatalogCache } from '../catalog/catalog.ts';
import { MOVED, type Database, type Environment } from '../env/environment.ts';
import type { Mapping } from '../env/mapping.ts';
import { LmdbKv, type KeyRange, type Scan, type ScanOptions } from '../kv.ts';
import { ReadView } from './read-view.ts';

const SNAPSHOT_TOO_OLD = 239;

/** A separate LMDB read transaction, with the scans that use it. */
export class PinnedKv extends LmdbKv {
  readonly source: Database;
  private readonly pinned: Transaction;
  private done = false;

  constructor({ db, turnstile }: Environment) {
    turnstile.beforeRead();
    db.resetReadTxn();
    const transaction = db.useReadTransaction();
    super(db, transaction);
    this.source = db;
    this.pinned = transaction;
  }

  get released(): boolean {
    return this.done;
  }

  override checkOpen(): void {
    if (this.done) throw new EngineError(SNAPSHOT_TOO_OLD, 'The snapshot of this cursor was released');
  }

  override get(key: Buffer): Buffer | undefined {
    this.checkOpen();
    return super.get(key);
  }

  override scan(range: KeyRange, options?: ScanOptions): Scan {
    this.checkOpen();
    return super.scan(range, options);
  }

  override count(range: KeyRange): number {
    this.checkOpen();
    return super.count(range);
  }

  /** Closes scans first, because LMDB's cursors must not outlive their transaction. */
  release(): void {
    if (this.done) return;
    this.done = true;
    this.closeScans();
    this.pinned.done();
  }
}

/** Tracks what pins old pages, and releases what lives too long. */
export class Pins {
  private readonly open = new Map<PinnedKv, number>();

  constructor(private readonly maxAgeMs: number) {}

  get size(): number {
    return this.open.size;
  }

  /** Pins the newest state. `since` Infinity: without an age limit (backup, verify). */
  pin(mapping: Mapping, since: number = Date.now()): PinnedKv {
    let kv = new PinnedKv(mapping.environment);
    if (kv.get(MOVED)) {
      kv.release();
      mapping.follow();
      kv = new PinnedKv(mapping.environment);
    }
    this.open.set(kv, since);
    return kv;
  }

  /** Whether anything reads an old state of a database. */
  holds(db: Database): boolean {
    return [...this.open.keys()].some((kv) => kv.source === db);
  }

  unpin(kv: PinnedKv): void {
    this.open.delete(kv);
    kv.release();
  }

  /** Releases pins older than the limit; returns how many. */
  expire(now: number): number {
    const old = [...this.open].filter(([, since]) => now - since > this.maxAgeMs);
    for (const [kv] of old) this.unpin(kv);
    return old.length;
  }

  releaseAll(): void {
    for (const kv of [...this.open.keys()]) this.unpin(kv);
  }
}

/** A read view that stays valid while writes continue. Throws EngineError 239 (SnapshotTooOld) once closed for its age. */
export class Snapshot extends ReadView {
  private readonly pinned: PinnedKv;

  constructor(
    kv: PinnedKv,
    cache: CatalogCache,
    private readonly pins: Pins,
  ) {
    super(kv, new Catalog(kv, cache), false);
    this.pinned = kv;
  }

  get closed(): boolean {
    return this.pinned.released;
  }

  close(): void {
    this.pins.unpin(this.pinned);
  }
}
