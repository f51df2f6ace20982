import { atOnce, PAUSE, run, within, type Budget, type Steps } from '../budget.ts';
import type { LogSink } from '../log.ts';
import type { ReadView, Store, StoreTransaction, WriteView } from '../storage/index.ts';
import { encode } from '../values/codec.ts';
import type { Document } from '../values/types.ts';
import type { Client } from '../wire/connection.ts';
import { DEFAULT_BATCH, type CursorOwner, type Cursors } from './cursors.ts';
import { toNumber } from './numbers.ts';
import type { RunningCommands } from './running.ts';
import type { Credentials } from './scram.ts';
import type { Session, Sessions } from './sessions.ts';

/** What one engine is made of; shared by all its connections. */
export interface Engine {
  store: Store;
  cursors: Cursors;
  sessions: Sessions;
  log: LogSink;
  startedAt: Date;
  /** `host:port` or socket path this engine is reached at, as `hello` reports it. */
  address: string;
  /** Who may sign in; null where the socket's permissions decide. */
  credentials: Credentials | null;
  connections: { current: number; created: number };
  /** The commands that are under way. */
  running: RunningCommands;
  /** How often each kind of command ran, for `serverStatus`. */
  counters: Record<string, number>;
}

/** A view that outlives the command, for cursors. `close` gives it back. */
export interface LongView {
  view: ReadView;
  close(): void;
}

/** What the dispatcher found out about a request before its command runs. */
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
  /** The open transaction this command belongs to. */
  transaction: StoreTransaction | null;
  /** The number of a retryable write; null for everything else. */
  retryNumber: bigint | null;
  /** Used up when `maxTimeMS` is over or somebody ended the command. */
  budget: Budget;
}

/** Everything a command may use. One is made per request. */
export class CommandContext {
  readonly now = new Date();
  readonly request: Request;

  constructor(request: Request) {
    this.request = request;
  }

  get engine(): Engine {
    return this.request.engine;
  }

  get db(): string {
    return this.request.db;
  }

  get body(): Document {
    return this.request.body;
  }

  /** Runs what can take long: others get their turns in between. */
  run<T>(steps: Steps<T>): T | Promise<T> {
    const { transaction, budget } = this.request;
    return run(within(budget, transaction ? whileOpen(transaction, steps) : steps));
  }

  /** Reads the newest state, or the transaction's own, at once. Nothing lazy may leave `fn`. */
  read<T>(fn: (view: ReadView) => T): T {
    const { transaction, engine } = this.request;
    return transaction ? fn(transaction.view) : engine.store.read(fn);
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

  /** A view for a cursor. */
  longView(): LongView {
    const { transaction, engine } = this.request;
    if (transaction) return { view: transaction.view, close: () => undefined };
    const snapshot = engine.store.snapshot();
    return { view: snapshot, close: () => snapshot.close() };
  }

  /** Runs one write; resolves once it is on disk (in a transaction: once it is laid over the snapshot). */
  async write<T>(fn: (txn: WriteView) => T): Promise<T> {
    const { transaction, engine } = this.request;
    return transaction ? fn(transaction.view) : engine.store.write(fn);
  }

  /** Runs one write that can take long. It may be begun twice, so `fn` must do nothing but write. */
  async change<T>(fn: (txn: WriteView) => Steps<T>): Promise<T> {
    const { transaction, engine, budget } = this.request;
    return transaction ? this.run(fn(transaction.view)) : engine.store.change(fn, budget);
  }

  /** A cursor over documents that are already at hand, such as a list of indexes. */
  page(ns: string, documents: Document[], cursor: Document | undefined): Document {
    const { engine } = this.request;
    const size = toNumber(cursor?.['batchSize']);
    const source = { documents: documents.map(encode).values(), close: () => undefined };
    const count = Number.isFinite(size) ? size : DEFAULT_BATCH;
    return { cursor: atOnce(engine.cursors.start(source, this.cursorOwner(ns), this.request.budget, count)) };
  }

  /** Whose a cursor made by this command is. */
  cursorOwner(ns: string): CursorOwner {
    const { session, transaction } = this.request;
    return { ns, session: session?.id ?? null, inTransaction: transaction !== null };
  }
}

/** The same steps; ended when the transaction they belong to ends in one of their pauses. */
function* whileOpen<T>(transaction: StoreTransaction, steps: Steps<T>): Steps<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    try {
      yield PAUSE;
      // Reading the view throws when the transaction is over.
      void transaction.view;
    } catch (error) {
      steps.throw(error);
    }
  }
}
