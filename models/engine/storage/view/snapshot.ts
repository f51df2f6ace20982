import type { Transaction } from 'lmdb';
import { EngineError } from '../../errors.ts';
import { Catalog, type CatalogCache } from '../catalog/catalog.ts';
import type { Database } from '../env/environment.ts';
import { LmdbKv, type KeyRange, type Scan, type ScanOptions } from '../kv.ts';
import type {
  CollectionInfo,
  CollectionStats,
  Found,
  Namespace,
  PlanSummary,
  Query,
  Snapshot,
} from '../types.ts';
import { StoreView } from './read-view.ts';

const SNAPSHOT_TOO_OLD = 239;

function tooOld(): EngineError {
  return new EngineError(SNAPSHOT_TOO_OLD, 'The snapshot this cursor reads was given up');
}

/** An LMDB read transaction of its own, with the scans that hang on it. */
export class PinnedKv extends LmdbKv {
  private readonly pinned: Transaction;
  private done = false;

  constructor(db: Database) {
    db.resetReadTxn();
    const transaction = db.useReadTransaction();
    super(db, transaction);
    this.pinned = transaction;
  }

  get released(): boolean {
    return this.done;
  }

  private alive(): void {
    if (this.done) throw tooOld();
  }

  override get(key: Buffer): Buffer | undefined {
    this.alive();
    return super.get(key);
  }

  override scan(range: KeyRange, options?: ScanOptions): Scan {
    this.alive();
    return super.scan(range, options);
  }

  override count(range: KeyRange): number {
    this.alive();
    return super.count(range);
  }

  /** Scans first: LMDB's cursors must not outlive their transaction. */
  release(): void {
    if (this.done) return;
    this.done = true;
    this.closeScans();
    this.pinned.done();
  }
}

/** Keeps track of what pins old pages, and lets go of what lives too long. */
export class Pins {
  private readonly open = new Map<PinnedKv, number>();
  private readonly maxAgeMs: number;

  constructor(maxAgeMs: number) {
    this.maxAgeMs = maxAgeMs;
  }

  get size(): number {
    return this.open.size;
  }

  /** `since` Infinity: however long it takes (backup, verify). */
  pin(db: Database, since: number = Date.now()): PinnedKv {
    const kv = new PinnedKv(db);
    this.open.set(kv, since);
    return kv;
  }

  unpin(kv: PinnedKv): void {
    this.open.delete(kv);
    kv.release();
  }

  /** Releases those older than the limit; returns how many. */
  expire(now: number): number {
    const old = [...this.open].filter(([, since]) => now - since > this.maxAgeMs);
    for (const [kv] of old) this.unpin(kv);
    return old.length;
  }

  releaseAll(): void {
    for (const kv of [...this.open.keys()]) this.unpin(kv);
  }
}

/** A read view that outlives the call that made it. Every use checks that it was not let go of meanwhile. */
export class PinnedView implements Snapshot {
  private readonly view: StoreView;
  private readonly kv: PinnedKv;
  private readonly pins: Pins;

  constructor(kv: PinnedKv, cache: CatalogCache, pins: Pins) {
    this.kv = kv;
    this.pins = pins;
    this.view = new StoreView(kv, new Catalog(kv, cache), false);
  }

  get closed(): boolean {
    return this.kv.released;
  }

  close(): void {
    this.pins.unpin(this.kv);
  }

  private alive(): StoreView {
    if (this.kv.released)
      throw new EngineError(SNAPSHOT_TOO_OLD, 'The snapshot this cursor reads was given up');
    return this.view;
  }

  *find(ns: Namespace, query: Query): IterableIterator<Found> {
    for (const found of this.alive().find(ns, query)) {
      yield found;
      this.alive();
    }
    this.alive();
  }

  listDatabases(): string[] {
    return this.alive().listDatabases();
  }

  listCollections(db: string): CollectionInfo[] {
    return this.alive().listCollections(db);
  }

  collection(ns: Namespace): CollectionInfo | null {
    return this.alive().collection(ns);
  }

  findOne(ns: Namespace, query: Query): Found | null {
    return this.alive().findOne(ns, query);
  }

  count(ns: Namespace, query: Query): number {
    return this.alive().count(ns, query);
  }

  distinct(ns: Namespace, field: string, query: Query): unknown[] {
    return this.alive().distinct(ns, field, query);
  }

  explain(ns: Namespace, query: Query, options?: { execute?: boolean; count?: boolean }): PlanSummary {
    return this.alive().explain(ns, query, options);
  }

  stats(ns: Namespace): CollectionStats {
    return this.alive().stats(ns);
  }

  getMeta(key: string): Uint8Array | null {
    return this.alive().getMeta(key);
  }
}
