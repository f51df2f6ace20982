import { type CatalogCache, WritableCatalog } from '../catalog/catalog.ts';
import { Counters } from '../catalog/counters.ts';
import { sqliteCode } from '../env/sqlite.ts';
import type { Writer } from '../env/writer.ts';
import { SqliteKv } from '../kv.ts';
import { WriteView } from '../view/write-view.ts';
import type { WriteState } from './state.ts';

/**
 * Statements that are stored together, in one transaction of SQLite that the writer has begun. Each can be undone alone, until
 * the group ends. It may stay open as long as necessary: others can read, only writes wait.
 */
export class Group {
  readonly state: WriteState;
  readonly view: WriteView;
  private failure: unknown = null;

  constructor(
    private readonly writer: Writer,
    cache: CatalogCache,
  ) {
    const kv = new SqliteKv(writer.db);
    this.state = { kv, catalog: new WritableCatalog(kv, cache), counters: new Counters(kv) };
    this.view = new WriteView(this.state, (fn) => this.attempt(fn));
  }

  /** Runs a part, which may continue later. If it fails, what it has written is undone, with counters and catalog. */
  attempt<T>(fn: () => T): T {
    this.requireWhole();
    const saved = this.state.counters.savepoint();
    this.writer.mark();
    const undo = (error: unknown): never => {
      // After a failure of SQLite, its transaction may be gone already.
      if (sqliteCode(error) !== null) this.failure ??= error;
      this.writer.undo();
      this.state.counters.restore(saved);
      this.state.catalog.afterRollback();
      throw error;
    };
    const keep = <V>(value: V): V => {
      this.writer.keep();
      return value;
    };
    let value: T;
    try {
      value = fn();
    } catch (error) {
      return undo(error);
    }
    return value instanceof Promise ? (value.then(keep, undo) as T) : keep(value);
  }

  /** @throws unknown what failed in SQLite, whether or not a statement has passed it on */
  requireWhole(): void {
    if (this.failure !== null) throw this.failure;
  }

  /** Resolves when everything is on disk. */
  async commit(): Promise<void> {
    this.requireWhole();
    this.state.counters.flush();
    await this.writer.commit();
  }
}
