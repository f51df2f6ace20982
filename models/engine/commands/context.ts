import { EngineError } from '../errors.ts';
import type { LogSink } from '../log.ts';
import type { ReadView, Store, StoreTransaction, WriteView } from '../storage/index.ts';
import { encode } from '../values/codec.ts';
import type { Document } from '../values/types.ts';
import type { Client } from '../wire/connection.ts';
import { DEFAULT_BATCH, type Cursors } from './cursors.ts';
import { toNumber } from './numbers.ts';
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
  /** `Date.now()` value after which the command must stop; null without `maxTimeMS`. */
  deadline: number | null;
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

  /** Reads the newest state, or the transaction's own. Nothing lazy may leave `fn`. */
  read<T>(fn: (view: ReadView) => T): T {
    const { transaction, engine } = this.request;
    return transaction ? fn(transaction.view) : engine.store.read(fn);
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

  /** A cursor over documents that are already at hand, such as a list of indexes. */
  page(ns: string, documents: Document[], cursor: Document | undefined): Document {
    const { engine, session, transaction } = this.request;
    const size = toNumber(cursor?.['batchSize']);
    const owner = { ns, session: session?.id ?? null, inTransaction: transaction !== null };
    const source = { documents: documents.map(encode).values(), close: () => undefined };
    return { cursor: engine.cursors.start(source, owner, Number.isFinite(size) ? size : DEFAULT_BATCH) };
  }

  /** @throws EngineError 50 once `maxTimeMS` is over. */
  checkTime(): void {
    const { deadline } = this.request;
    if (deadline !== null && Date.now() > deadline)
      throw new EngineError('MaxTimeMSExpired', 'operation exceeded time limit');
  }

  /** Gives the same values, stopping with error 50 when `maxTimeMS` is over. */
  *timed<T>(values: Iterable<T>): Generator<T> {
    let seen = 0;
    for (const value of values) {
      seen += 1;
      if (seen % 64 === 0) this.checkTime();
      yield value;
    }
  }
}
