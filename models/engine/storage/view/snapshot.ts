import { EngineError } from '../../errors.ts';
import { Catalog, type CatalogCache } from '../catalog/catalog.ts';
import type { Readers } from '../env/readers.ts';
import { SqliteKv } from '../kv.ts';
import { ReadView } from './read-view.ts';

const SNAPSHOT_TOO_OLD = 239;

/** One state, read on a connection of its own until it is released. */
export class PinnedKv extends SqliteKv {
  private done = false;

  constructor(private readonly readers: Readers) {
    super(readers.take());
  }

  get released(): boolean {
    return this.done;
  }

  protected override checkOpen(): void {
    if (this.done) throw new EngineError(SNAPSHOT_TOO_OLD, 'The snapshot of this cursor was released');
  }

  release(): void {
    if (this.done) return;
    this.done = true;
    this.readers.giveBack(this.db);
  }
}

/** Tracks what holds old states, and releases what lives too long: the log cannot begin again meanwhile. */
export class Pins {
  private readonly open = new Map<PinnedKv, number>();

  constructor(
    private readonly readers: Readers,
    private readonly maxAgeMs: number,
  ) {}

  get size(): number {
    return this.open.size;
  }

  /** Pins the newest state. `since` Infinity: without an age limit (backup, verify). */
  pin(since: number = Date.now()): PinnedKv {
    const kv = new PinnedKv(this.readers);
    this.open.set(kv, since);
    return kv;
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
  constructor(
    private readonly pinned: PinnedKv,
    cache: CatalogCache,
    private readonly pins: Pins,
  ) {
    super(pinned, new Catalog(pinned, cache), false);
  }

  get closed(): boolean {
    return this.pinned.released;
  }

  close(): void {
    this.pins.unpin(this.pinned);
  }
}
