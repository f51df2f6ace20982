import { within, type Budget, type Steps } from '../budget.ts';
import { EngineError } from '../errors.ts';
import type { Store, Transaction, WriteView } from '../storage/index.ts';
import type { LogSink } from '../log.ts';
import type { Client } from '../wire/connection.ts';

/** How long a transaction may stay open, in ms, because other writes wait for it. */
const LIFETIME_MS = 15_000;
/**
 * How many transactions may wait for their beginning: half of a driver's pool, because the statements of the one that has begun
 * need connections too.
 */
const MOST_WAITING = 50;

/** The error for a transaction that has ended without a commit. Its client may begin it again. */
export function noSuchTransaction(message: string): EngineError {
  return new EngineError('NoSuchTransaction', message);
}

/** What the transactions of an engine share. */
interface Surroundings {
  store: Store;
  lifetimeMs: number;
  log: LogSink;
  /** The transactions that have neither been committed nor aborted. */
  open: Set<SessionTransaction>;
  /** Frees what belongs to an ended transaction, such as its cursors. */
  onEnd(session: string, number: bigint): void;
}

/** The latest transaction of a session. It begins with its first statement. */
export class SessionTransaction {
  /** `unknown`: it was committed, but the flush failed. */
  #state: 'open' | 'committing' | 'committed' | 'unknown' | 'aborted' = 'open';
  #work: Transaction | null = null;
  #client: Client | null = null;
  /** The budget of the statement that is running. */
  #running: Budget | null = null;
  /** Why it must end as soon as the running statement has stopped. */
  #reason: EngineError | null = null;
  #expiry: NodeJS.Timeout | undefined;

  constructor(
    readonly session: string,
    readonly number: bigint,
    private readonly surroundings: Surroundings,
  ) {
    surroundings.open.add(this);
  }

  /** Sees what the transaction has written. */
  get view(): WriteView {
    return this.#begun.view;
  }

  get isUnknown(): boolean {
    return this.#state === 'unknown';
  }

  /** @throws EngineError 256 when it was committed, 251 when it was aborted */
  requireOpen(): void {
    if (this.#state === 'open') return;
    if (this.#state === 'aborted') throw noSuchTransaction(`Transaction ${this.number} has been aborted.`);
    throw new EngineError('TransactionCommitted', `Transaction ${this.number} has been committed.`);
  }

  /** Runs a command as a part of the transaction, which it begins if it is the first. If it fails, all of it is aborted. */
  async run<T>(client: Client, budget: Budget, command: () => T | Promise<T>): Promise<T> {
    this.#client = client;
    this.#running = budget;
    try {
      this.#work ??= await this.#begin(budget);
      budget.check();
      const value = await command();
      if (this.#reason) throw this.#reason;
      return value;
    } catch (error) {
      this.#undo();
      throw error;
    } finally {
      this.#running = null;
    }
  }

  /** Runs the writes of a command. */
  change<T>(steps: (txn: WriteView) => Steps<T>, budget: Budget): Promise<T> {
    return this.#begun.change((txn) => within(budget, steps(txn)));
  }

  /**
   * Stores everything, with what `record` writes. Nothing can abort it meanwhile.
   * @throws EngineError 251 when it was aborted
   */
  async commit(record: (txn: WriteView) => void): Promise<void> {
    if (this.#state === 'committed') return;
    this.requireOpen();
    this.#state = 'committing';
    try {
      // oxlint-disable-next-line require-yield
      await this.#begun.change(function* (txn) {
        record(txn);
      });
      await this.#begun.commit();
      this.#end('committed');
    } catch (error) {
      const labels = error instanceof EngineError ? error.labels : [];
      this.#begun.undo();
      this.#end(labels.includes('UnknownTransactionCommitResult') ? 'unknown' : 'aborted');
      throw error;
    }
  }

  /** Undoes everything: at once, or when the running statement has stopped. Does nothing to one that has ended. */
  abort(reason: EngineError = noSuchTransaction(`Transaction ${this.number} has been aborted.`)): void {
    if (this.#state !== 'open') return;
    if (!this.#running) return this.#undo();
    this.#reason ??= reason;
    this.#running.end(reason);
  }

  /** Aborts a transaction whose last statement came from this client. */
  abortOf(client: Client): void {
    if (this.#client === client) this.abort();
  }

  get isWaiting(): boolean {
    return this.#work === null;
  }

  get #begun(): Transaction {
    if (!this.#work) throw noSuchTransaction(`Transaction ${this.number} has not begun.`);
    return this.#work;
  }

  async #begin(budget: Budget): Promise<Transaction> {
    const { store, open } = this.surroundings;
    if ([...open].filter(({ isWaiting }) => isWaiting).length > MOST_WAITING)
      throw new EngineError('LockTimeout', `${MOST_WAITING} other transactions are waiting to begin.`);
    const work = await store.transaction(() => budget.check());
    this.#expiry = setTimeout(() => this.#expire(), this.surroundings.lifetimeMs);
    return work;
  }

  #expire(): void {
    const { log, lifetimeMs } = this.surroundings;
    log('warn', 'aborting a transaction that is open for too long: other writes wait for it', {
      client: this.#client?.id,
      isIdle: this.#running === null,
    });
    this.abort(noSuchTransaction(`Transaction ${this.number} has been aborted after ${lifetimeMs} ms.`));
  }

  #undo(): void {
    this.#work?.undo();
    this.#end('aborted');
  }

  #end(state: 'committed' | 'unknown' | 'aborted'): void {
    clearTimeout(this.#expiry);
    this.#state = state;
    this.#work = null;
    this.surroundings.open.delete(this);
    this.surroundings.onEnd(this.session, this.number);
  }
}

/** What transactions need. `lifetimeMs`: 15 seconds by default. */
export type TransactionParts = Omit<Surroundings, 'open' | 'lifetimeMs'> & {
  lifetimeMs?: number | undefined;
};

/** The transactions of an engine. They run one after the other, and those that wait have not begun. */
export class Transactions {
  readonly #surroundings: Surroundings;

  constructor({ lifetimeMs = LIFETIME_MS, ...parts }: TransactionParts) {
    this.#surroundings = { ...parts, lifetimeMs, open: new Set() };
  }

  start(session: string, number: bigint): SessionTransaction {
    return new SessionTransaction(session, number, this.#surroundings);
  }

  /** Aborts what a client that has disconnected left open. */
  abortOf(client: Client): void {
    for (const transaction of [...this.#surroundings.open]) transaction.abortOf(client);
  }
}
