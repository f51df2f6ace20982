import { atOnce, run, within, type Budget, type Steps } from '../budget.ts';
import type { LogSink } from '../log.ts';
import type { ReadView, Store, WriteView } from '../storage/index.ts';
import { encode } from '../values/encode.ts';
import type { Document } from '../values/types.ts';
import type { Client } from '../wire/connection.ts';
import { DEFAULT_BATCH, type CursorOwner, type Cursors } from './cursors.ts';
import { toNumber } from '../values/numbers.ts';
import type { RunningCommands } from './running.ts';
import type { Credentials } from './scram.ts';
import type { Session, Sessions } from './sessions.ts';
import type { SessionTransaction, Transactions } from './transactions.ts';

/** The parts of one engine, shared by all its connections. */
export interface Engine {
  store: Store;
  cursors: Cursors;
  sessions: Sessions;
  transactions: Transactions;
  log: LogSink;
  startedAt: Date;
  /** `host:port` or socket path of this engine, as `hello` reports it. */
  address: string;
  /** Who may sign in; null if the socket's permissions control access. */
  credentials: Credentials | null;
  connections: { current: number; created: number };
  /** The running commands. */
  running: RunningCommands;
  /** How often each kind of command ran, for `serverStatus`. */
  counters: Record<string, number>;
}

/** A view that outlives the command, for cursors. `close` releases it. */
export interface LongView {
  view: ReadView;
  close(): void;
}

/** What the dispatcher determined about a request before running its command. */
export interface Request {
  engine: Engine;
  client: Client;
  /** Canonical name of the command. */
  command: string;
  body: Document;
  /** The database the command is for. */
  db: string;
  /** The logical session named by `lsid`. */
  session: Session | null;
  /** The number of a retryable write; null for everything else. */
  retryNumber: bigint | null;
  /** The number of the transaction that the command is a part or the end of. */
  transactionNumber: bigint | null;
  /** The transaction that the command is a statement of. */
  transaction: SessionTransaction | null;
  /** Used up when `maxTimeMS` is exceeded or the command was ended. */
  budget: Budget;
}

/** Everything a command may use. Created for each request. */
export class CommandContext {
  readonly now = new Date();

  constructor(readonly request: Request) {}

  get engine(): Engine {
    return this.request.engine;
  }

  get db(): string {
    return this.request.db;
  }

  get body(): Document {
    return this.request.body;
  }

  /** Runs long work; others get their turns in between. */
  run<T>(steps: Steps<T>): T | Promise<T> {
    const { budget, transaction } = this.request;
    return run(within(budget, steps), transaction !== null);
  }

  /** Reads the newest state, or that of the transaction, synchronously. `fn` must not return anything lazy. */
  read<T>(fn: (view: ReadView) => T): T {
    const { transaction } = this.request;
    return transaction ? fn(transaction.view) : this.engine.store.read(fn);
  }

  /** Reads one state in steps. */
  readSteps<T>(fn: (view: ReadView) => Steps<T>): T | Promise<T> {
    return this.run(this.onLongView(fn));
  }

  private *onLongView<T>(fn: (view: ReadView) => Steps<T>): Steps<T> {
    const { view, close } = this.longView();
    try {
      return yield* fn(view);
    } finally {
      close();
    }
  }

  /** A view for a cursor. In a transaction, it ends with it. */
  longView(): LongView {
    const { transaction } = this.request;
    if (transaction) return { view: transaction.view, close: () => undefined };
    const snapshot = this.engine.store.snapshot();
    return { view: snapshot, close: () => snapshot.close() };
  }

  /** Runs one write; resolves once it is on disk, or a part of the transaction. */
  write<T>(fn: (txn: WriteView) => T): Promise<T> {
    if (!this.request.transaction) return this.engine.store.write(fn);
    // oxlint-disable-next-line require-yield
    return this.change(function* (txn) {
      return fn(txn);
    });
  }

  /** Runs one write that can take long. It may be started twice, so `fn` must have no effects other than the write. */
  change<T>(fn: (txn: WriteView) => Steps<T>): Promise<T> {
    const { budget, transaction } = this.request;
    return transaction ? transaction.change(fn, budget) : this.engine.store.change(fn, budget);
  }

  /** A cursor over documents already in memory, such as a list of indexes. */
  page(ns: string, documents: Document[], cursor: Document | undefined): Document {
    const { engine } = this.request;
    const size = toNumber(cursor?.['batchSize']);
    const source = { documents: documents.map(encode).values(), close: () => undefined };
    const count = Number.isFinite(size) ? size : DEFAULT_BATCH;
    return { cursor: atOnce(engine.cursors.start(source, this.cursorOwner(ns), this.request.budget, count)) };
  }

  /** The owner of a cursor created by this command. */
  cursorOwner(ns: string): CursorOwner {
    const { session, transactionNumber } = this.request;
    return { ns, session: session?.id ?? null, transaction: transactionNumber };
  }
}
