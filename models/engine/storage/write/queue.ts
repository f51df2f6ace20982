import { Budget, run, within, type Steps } from '../../budget.ts';
import { EngineError } from '../../errors.ts';
import { type CatalogCache, WritableCatalog } from '../catalog/catalog.ts';
import { Counters } from '../catalog/counters.ts';
import { commitReason, isDiskFull, storageError } from '../env/failures.ts';
import { transaction, type Database } from '../env/environment.ts';
import type { Mapping } from '../env/mapping.ts';
import { LmdbKv } from '../kv.ts';
import type { StoreLog } from '../types.ts';
import { isClaimed, NotingKv } from './notes.ts';
import { WriteView, type Attempt } from '../view/write-view.ts';
import type { WriteState } from './state.ts';

/** A group takes no more statements after this time, so that reads get their turn and its statements are answered. */
const GROUP_MS = 6;

interface Job {
  steps(state: WriteState, txn: WriteView): Steps<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Thrown for a statement that delays the others of its group; it is undone and restarted in a group of its own. */
class TooLong extends Error {}

type Outcome = { job: Job; value: unknown } | { job: Job; error: unknown };

/** The error for requests to a store that is closing. */
export function shutDown(): EngineError {
  return new EngineError('ShutdownInProgress', 'The store is closing');
}

/**
 * Runs statements one after the other, many in one LMDB transaction: those that arrive while a group is being flushed
 * form the next group. No statement is answered before the flush; if it fails, all statements of the group fail.
 *
 * A paused statement keeps its transaction open, which LMDB allows: others can read, only writes wait.
 */
export class WriteQueue {
  private readonly onBroken: (error: EngineError) => void;
  private readonly reasonOf: (error: unknown) => Promise<unknown>;
  private waiting: Job[] = [];
  private working: Promise<void> | null = null;
  private interludes: (() => Promise<void>)[] = [];
  private closed = false;
  private broken: EngineError | null = null;
  private isGivenUp = false;

  /**
   * `onBroken` is called once when nothing more can be written until the store is reopened; `reasonOf` finds out why a
   * transaction failed.
   */
  constructor(
    private readonly mapping: Mapping,
    private readonly cache: CatalogCache,
    private readonly log: StoreLog,
    onBroken: (error: EngineError) => void = () => undefined,
    reasonOf: (error: unknown) => Promise<unknown> = commitReason,
  ) {
    this.onBroken = onBroken;
    this.reasonOf = reasonOf;
  }

  /** Queues a statement. */
  add<T>(run: (txn: WriteView) => T): Promise<T> {
    return this.addWithState((_state, txn) => run(txn));
  }

  /** Queues a statement that works below the view. */
  addWithState<T>(run: (state: WriteState, txn: WriteView) => T): Promise<T> {
    // oxlint-disable-next-line require-yield
    return this.addSteps(function* (state, txn) {
      return run(state, txn);
    });
  }

  /** Queues a statement that pauses. It may be restarted once; it is undone when the budget is used up. */
  addSteps<T>(
    steps: (state: WriteState, txn: WriteView) => Steps<T>,
    budget: Budget = new Budget(),
  ): Promise<T> {
    if (this.closed) return Promise.reject(shutDown());
    if (this.broken) return Promise.reject(this.broken);
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({
        steps: (state, txn) => within(budget, steps(state, txn)),
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      this.working ??= this.work();
    });
  }

  /** Accepts no more statements and waits for queued ones. */
  async close(): Promise<void> {
    this.closed = true;
    await this.working;
  }

  /**
   * Undoes the write in progress and accepts no more, for a thread that must end. Otherwise its locks would be held for ever,
   * and block all processes.
   */
  async giveUp(): Promise<void> {
    this.closed = true;
    this.isGivenUp = true;
    for (const job of this.waiting.splice(0)) job.reject(shutDown());
    await this.working;
  }

  /** Runs something between two groups of writes; writes of this process wait for it. */
  between<T>(run: () => Promise<T>): Promise<T> {
    if (this.closed) return Promise.reject(shutDown());
    return new Promise<T>((resolve, reject) => {
      this.interludes.push(() => run().then(resolve, reject));
      this.working ??= this.work();
    });
  }

  private async work(): Promise<void> {
    while (this.interludes.length + this.waiting.length > 0)
      await (this.interludes.shift() ?? (() => this.runGroup()))();
    this.working = null;
  }

  private async runGroup(): Promise<void> {
    const outcomes: Outcome[] = [];
    let begun = false;
    try {
      const { db, turnstile } = this.mapping.environment;
      begun = true;
      // LMDB commits as soon as the callback ends, even if it ends because the thread was terminated. But it waits for a
      // promise, and the promise of a terminated thread never resolves, so nothing is committed.
      await transaction(db, async () => {
        await Promise.resolve();
        // While this waited for its turn, a compaction may have replaced the file.
        if (!this.mapping.isCurrent(db)) this.mapping.follow();
        else if (turnstile.lets(db)) await this.runStatements(db, outcomes);
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

  /** Inside LMDB's transaction: runs the waiting statements, each with its own rollback. */
  private runStatements(db: Database, outcomes: Outcome[]): void | Promise<void> {
    const kv = isClaimed(db) ? new NotingKv(db) : new LmdbKv(db);
    const state: WriteState = {
      kv,
      catalog: new WritableCatalog(kv, this.cache),
      counters: new Counters(kv),
    };
    const attempt = attemptOn(db, state, kv);
    const view = new WriteView(state, attempt);
    const until = performance.now() + GROUP_MS;
    const next = (): void | Promise<void> => {
      while (this.waiting.length > 0 && (outcomes.length === 0 || performance.now() < until)) {
        const job = this.waiting.shift() as Job;
        const limit = outcomes.length === 0 ? Infinity : until;
        try {
          const value = attempt(() => run(this.patient(job.steps(state, view), limit), true));
          if (value instanceof Promise) return this.finish(job, value, outcomes).then(next);
          outcomes.push({ job, value });
        } catch (error) {
          this.noteError(job, error, outcomes);
        }
      }
      state.counters.flush();
    };
    return next();
  }

  /** The same steps, aborted at a pause after this time, or when the thread must end. */
  private *patient(steps: Steps<unknown>, until: number): Steps<unknown> {
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      if (performance.now() > until) {
        steps.return(undefined);
        throw new TooLong();
      }
      yield step.value;
      if (this.isGivenUp) steps.throw(shutDown());
    }
  }

  private async finish(job: Job, value: Promise<unknown>, outcomes: Outcome[]): Promise<void> {
    try {
      outcomes.push({ job, value: await value });
    } catch (error) {
      this.noteError(job, error, outcomes);
    }
  }

  private noteError(job: Job, error: unknown, outcomes: Outcome[]): void {
    if (error instanceof TooLong) this.waiting.unshift(job);
    else outcomes.push({ job, error });
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
    // After any failure except a full disk or our own refusal, LMDB's state is unknown until the process restarts.
    if (begun && !isDiskFull(reason) && !(reason instanceof EngineError)) this.break(told);
    const lost = outcomes.length > 0 ? outcomes.map(({ job }) => job) : this.waiting.splice(0);
    for (const job of lost) job.reject(told);
    if (this.broken) for (const job of this.waiting.splice(0)) job.reject(this.broken);
  }
}

function brokenStore(reason: EngineError): EngineError {
  return new EngineError(
    'InternalError',
    `${reason.message}. Nothing more is written until the program is restarted.`,
    { cause: reason },
  );
}

/** Runs statements in nested LMDB transactions; counters and catalog are rolled back with them. */
function attemptOn(db: Database, state: WriteState, kv: LmdbKv): Attempt {
  return <T>(fn: () => T): T => {
    const saved = state.counters.savepoint();
    const undone = (error: unknown): never => {
      state.counters.restore(saved);
      state.catalog.afterRollback();
      throw error;
    };
    try {
      const value = db.transactionSync(() => {
        let isPaused = false;
        try {
          const result = fn();
          isPaused = result instanceof Promise;
          return isPaused ? ((result as Promise<unknown>).finally(() => kv.closeScans()) as T) : result;
        } finally {
          if (!isPaused) kv.closeScans();
        }
      });
      return value instanceof Promise ? (value.catch(undone) as T) : value;
    } catch (error) {
      return undone(error);
    }
  };
}
