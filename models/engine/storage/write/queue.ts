import { Budget, run, within, type Steps } from '../../budget.ts';
import { EngineError } from '../../errors.ts';
import type { CatalogCache } from '../catalog/catalog.ts';
import { isDiskFull, namingFullDisk, storageError } from '../env/failures.ts';
import type { Database } from '../env/database.ts';
import type { StoreLog } from '../types.ts';
import type { WriteView } from '../view/write-view.ts';
import { Group } from './group.ts';
import type { WriteState } from './state.ts';
import { Transaction } from './transaction.ts';

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
 * Runs statements one after the other, many in one transaction: those that arrive while a group is being flushed form the
 * next group. No statement is answered before the flush; if it fails, all statements of the group fail.
 */
export class WriteQueue {
  private waiting: Job[] = [];
  private working: Promise<void> | null = null;
  private interludes: (() => Promise<void>)[] = [];
  private closed = false;

  constructor(
    private readonly database: Pick<Database, 'writer' | 'files'>,
    private readonly cache: CatalogCache,
    private readonly log: StoreLog,
  ) {}

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

  /** Runs something between two groups of writes; writes of this process wait for it. */
  between<T>(run: () => Promise<T>): Promise<T> {
    if (this.closed) return Promise.reject(shutDown());
    return new Promise<T>((resolve, reject) => {
      this.interludes.push(() => run().then(resolve, reject));
      this.working ??= this.work();
    });
  }

  /**
   * Begins a transaction when it is its turn. Other writes wait until it ends, except those that waited already when the one
   * before it ended.
   * @param check throws when nobody wants the transaction any more
   */
  transaction(check: () => void): Promise<Transaction> {
    return new Promise((resolve, reject) => {
      this.between(async () => {
        check();
        const transaction = await this.begin();
        resolve(transaction);
        await transaction.ended;
      }).catch(reject);
    });
  }

  private async begin(): Promise<Transaction> {
    const { writer } = this.database;
    try {
      await writer.begin();
      return new Transaction(new Group(writer, this.cache), writer, (error) => this.reasonOf(error));
    } catch (error) {
      throw await this.reasonOf(error);
    }
  }

  private async work(): Promise<void> {
    // Those that arrive in the same turn belong to the first group.
    await Promise.resolve();
    while (this.interludes.length + this.waiting.length > 0) {
      await this.interludes.shift()?.();
      if (this.waiting.length > 0) await this.runGroup();
    }
    this.working = null;
  }

  private async runGroup(): Promise<void> {
    const { writer } = this.database;
    const outcomes: Outcome[] = [];
    try {
      await writer.begin();
      const group = new Group(writer, this.cache);
      await this.runStatements(group, outcomes);
      await group.commit();
    } catch (error) {
      await this.fail(outcomes, error);
      return;
    }
    for (const outcome of outcomes) {
      if ('error' in outcome) outcome.job.reject(storageError(outcome.error));
      else outcome.job.resolve(outcome.value);
    }
  }

  /** Runs the waiting statements. */
  private async runStatements(group: Group, outcomes: Outcome[]): Promise<void> {
    const until = performance.now() + GROUP_MS;
    while (this.waiting.length > 0 && (outcomes.length === 0 || performance.now() < until)) {
      const job = this.waiting.shift() as Job;
      const limit = outcomes.length === 0 ? Infinity : until;
      try {
        const steps = this.patient(job.steps(group.state, group.view), limit);
        const value = group.attempt(() => run(steps, true));
        outcomes.push({ job, value: value instanceof Promise ? await value : value });
      } catch (error) {
        if (error instanceof TooLong) this.waiting.unshift(job);
        else outcomes.push({ job, error });
      }
      group.requireWhole();
    }
  }

  /** The same steps, aborted at a pause after this time. */
  private *patient(steps: Steps<unknown>, until: number): Steps<unknown> {
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      if (performance.now() > until) {
        steps.return(undefined);
        throw new TooLong();
      }
      yield step.value;
    }
  }

  private async fail(outcomes: Outcome[], error: unknown): Promise<void> {
    const reason = await this.reasonOf(error, outcomes.length);
    const lost = outcomes.length > 0 ? outcomes.map(({ job }) => job) : this.waiting.splice(0);
    for (const job of lost) job.reject(reason);
  }

  /**
   * Undoes writes that could not be stored, and says why. Nothing of them is stored, unless only their flush failed: then
   * nobody knows.
   */
  private async reasonOf(error: unknown, writes = 1): Promise<EngineError> {
    const { writer, files } = this.database;
    writer.rollback();
    const reason = storageError(await namingFullDisk(error, files));
    // Where the log cannot grow, it may still be able to begin again.
    if (isDiskFull(reason)) await writer.emptyLog();
    this.log('error', 'a group of writes could not be stored', { writes, reason: reason.message });
    return reason;
  }
}
