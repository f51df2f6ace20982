import { EngineError } from '../../errors.ts';
import { type CatalogCache, WritableCatalog } from '../catalog/catalog.ts';
import { Counters } from '../catalog/counters.ts';
import { commitReason, isDiskFull, storageError } from '../env/failures.ts';
import type { Mapping } from '../env/mapping.ts';
import { LmdbKv } from '../kv.ts';
import type { StoreLog, WriteView } from '../types.ts';
import { WritableView, type Attempt } from '../view/write-view.ts';
import type { WriteState } from './state.ts';

/** A group ends after this time, so that reads get their turn. */
const GROUP_MS = 25;

interface Job {
  run(state: WriteState, txn: WriteView): unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

type Outcome = { job: Job; value: unknown } | { job: Job; error: unknown };

function shutDown(): EngineError {
  return new EngineError('ShutdownInProgress', 'The store is closing');
}

/**
 * Runs statements one after the other, many to one LMDB transaction: those that arrive while a group is being flushed
 * make up the next group. Nobody is answered before the flush; when it fails, everybody in the group is told.
 */
export class WriteQueue {
  private readonly mapping: Mapping;
  private readonly cache: CatalogCache;
  private readonly log: StoreLog;
  private readonly onBroken: (error: EngineError) => void;
  private readonly reasonOf: (error: unknown) => Promise<unknown>;
  private waiting: Job[] = [];
  private working: Promise<void> | null = null;
  private interlude: (() => Promise<void>) | null = null;
  private closed = false;
  private broken: EngineError | null = null;

  /**
   * `onBroken` is told once when nothing more can be written until the store is opened anew; `reasonOf` finds out why a
   * transaction failed.
   */
  constructor(
    mapping: Mapping,
    cache: CatalogCache,
    log: StoreLog,
    onBroken: (error: EngineError) => void = () => undefined,
    reasonOf: (error: unknown) => Promise<unknown> = commitReason,
  ) {
    this.mapping = mapping;
    this.cache = cache;
    this.log = log;
    this.onBroken = onBroken;
    this.reasonOf = reasonOf;
  }

  /** Queues a statement. */
  add<T>(run: (txn: WriteView) => T): Promise<T> {
    return this.addWithState((_state, txn) => run(txn));
  }

  /** Queues a statement that works below the view. */
  addWithState<T>(run: (state: WriteState, txn: WriteView) => T): Promise<T> {
    if (this.closed) return Promise.reject(shutDown());
    if (this.broken) return Promise.reject(this.broken);
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ run, resolve: resolve as (value: unknown) => void, reject });
      this.working ??= this.work();
    });
  }

  /** Waits for what is queued, then takes no more. */
  async close(): Promise<void> {
    this.closed = true;
    await this.working;
  }

  /** Runs something between two groups of writes; writes wait for it. Its failure is logged. */
  between(run: () => Promise<void>): void {
    this.interlude = run;
    this.working ??= this.work();
  }

  private async work(): Promise<void> {
    for (;;) {
      const { interlude } = this;
      this.interlude = null;
      if (interlude)
        await interlude().catch((error: unknown) => this.noteFailure('between two groups of writes', error));
      else if (this.waiting.length > 0) await this.runGroup();
      else break;
    }
    this.working = null;
  }

  private async runGroup(): Promise<void> {
    let outcomes: Outcome[] = [];
    let begun = false;
    try {
      const { db } = this.mapping;
      begun = true;
      await db.transaction(() => {
        outcomes = this.runStatements();
      });
    } catch (error) {
      await this.fail(outcomes, error, begun);
      return;
    }
    for (const outcome of outcomes) {
      if ('error' in outcome) outcome.job.reject(storageError(outcome.error));
      else outcome.job.resolve(outcome.value);
    }
  }

  /** Inside LMDB's transaction: takes what waits now, each statement with a rollback of its own. */
  private runStatements(): Outcome[] {
    const kv = new LmdbKv(this.mapping.db);
    const state: WriteState = {
      kv,
      catalog: new WritableCatalog(kv, this.cache),
      counters: new Counters(kv),
      journal: null,
    };
    const attempt = attemptOn(this.mapping.db, state, kv);
    const view = new WritableView(state, attempt);
    const until = performance.now() + GROUP_MS;
    const outcomes: Outcome[] = [];
    while (this.waiting.length > 0 && (outcomes.length === 0 || performance.now() < until)) {
      const job = this.waiting.shift() as Job;
      try {
        outcomes.push({ job, value: attempt(() => job.run(state, view)) });
      } catch (error) {
        outcomes.push({ job, error });
      }
    }
    state.counters.flush();
    return outcomes;
  }

  private noteFailure(what: string, error: unknown): void {
    this.log('error', `${what} something failed`, { reason: storageError(error).message });
  }

  private break(reason: EngineError): void {
    if (this.broken) return;
    this.broken = brokenStore(reason);
    this.onBroken(this.broken);
  }

  private async fail(outcomes: Outcome[], error: unknown, begun: boolean): Promise<void> {
    const reason = await this.reasonOf(error);
    const told = storageError(reason);
    this.log('error', 'a group of writes could not be stored', {
      writes: outcomes.length,
      reason: told.message,
    });
    // After anything but a full disk LMDB's own state is unknown until the process starts anew.
    if (begun && !isDiskFull(reason)) this.break(told);
    const lost = outcomes.length > 0 ? outcomes.map(({ job }) => job) : this.waiting.splice(0);
    for (const job of lost) job.reject(told);
    if (this.broken) for (const job of this.waiting.splice(0)) job.reject(this.broken);
  }
}

function brokenStore(reason: EngineError): EngineError {
  return new EngineError(
    'InternalError',
    `${reason.message}. Nothing more is written until the program is started again.`,
    { cause: reason },
  );
}

/** Statements inside LMDB transactions of their own; counters and catalog follow a rollback. */
function attemptOn(db: Mapping['db'], state: WriteState, kv: LmdbKv): Attempt {
  return <T>(fn: () => T): T => {
    const saved = state.counters.savepoint();
    try {
      return db.transactionSync(() => {
        try {
          return fn();
        } finally {
          kv.closeScans();
        }
      });
    } catch (error) {
      state.counters.restore(saved);
      state.catalog.afterRollback();
      throw error;
    }
  };
}
