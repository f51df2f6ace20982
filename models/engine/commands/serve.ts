import type { LogSink } from '../log.ts';
import type { Store } from '../storage/index.ts';
import { serveConnection, type Client } from '../wire/connection.ts';
import { listen, type ListenAddress, type Listener } from '../wire/listener.ts';
import type { Engine } from './context.ts';
import { Cursors } from './cursors.ts';
import { dispatch } from './dispatch.ts';
import { sweepOutcomes } from './outcomes.ts';
import { RunningCommands } from './running.ts';
import { makeCredentials } from './scram.ts';
import { Sessions } from './sessions.ts';
import { Transactions } from './transactions.ts';

/** Maximum number of connections; a driver's pool has 100. */
const MOST_CONNECTIONS = 1000;
/** Maximum number of connections that have not signed in. */
const MOST_STRANGERS = 50;
const EXPIRE_EVERY_MS = 5000;
const SWEEP_EVERY_MS = 10 * 60_000;
/** Expired documents are removed within a second, which the app's sessions rely on. */
const TTL_EVERY_MS = 1000;

export interface ServeOptions {
  store: Store;
  where: ListenAddress;
  log: LogSink;
  /** Requires every client to sign in. */
  user?: { name: string; password: string };
  /** Milliseconds after which a client that has not signed in is disconnected; 10 seconds by default. */
  signInMs?: number;
  /** Milliseconds after which a transaction that is still open is aborted; 15 seconds by default. */
  transactionMs?: number;
}

/** A running engine. */
export interface Served {
  address: string;
  close(): Promise<void>;
}

/** Serves a store over MongoDB's wire protocol. Closing it does not close the store. */
export async function serveStore(options: ServeOptions): Promise<Served> {
  const { store, log, user } = options;
  const cursors = new Cursors();
  const engine: Engine = {
    store,
    cursors,
    sessions: new Sessions(({ id, transaction }) => {
      transaction?.abort();
      cursors.killSession(id);
    }),
    transactions: new Transactions({
      store,
      log,
      lifetimeMs: options.transactionMs,
      onEnd: (session, number) => cursors.killTransaction(session, number),
    }),
    running: new RunningCommands(),
    log,
    startedAt: new Date(),
    address: 'localhost',
    credentials: user ? makeCredentials(user.name, user.password) : null,
    connections: { current: 0, created: 0 },
    counters: {},
  };
  const clients = new Set<Client>();
  const listener = await listen(options.where, (socket) => {
    const strangers = engine.credentials ? [...clients].filter((one) => !one.authenticated).length : 0;
    if (clients.size >= MOST_CONNECTIONS || strangers >= MOST_STRANGERS) {
      log('warn', 'refusing a connection: too many are open', { open: clients.size, strangers });
      socket.destroy();
      return;
    }
    engine.connections.current += 1;
    engine.connections.created += 1;
    const client: Client = {
      id: engine.connections.created,
      authenticated: engine.credentials === null,
      isGone: false,
      onGone: null,
    };
    clients.add(client);
    const respond = (request: Parameters<typeof dispatch>[1]) => dispatch(engine, request, client);
    void serveConnection(socket, client, respond, log, options.signInMs).finally(() => {
      clients.delete(client);
      engine.transactions.abortOf(client);
      engine.connections.current -= 1;
    });
  });
  engine.address = listener.address;
  const stopCare = startCare(engine);
  return { address: listener.address, close: () => stop(engine, listener, stopCare) };
}

/** Regular upkeep: ends what is idle or too old. */
function startCare(engine: Engine): () => void {
  const stopTtl = engine.store.startTtl(TTL_EVERY_MS);
  const expire = setInterval(() => {
    engine.sessions.expire();
    engine.cursors.expire();
  }, EXPIRE_EVERY_MS);
  const sweep = setInterval(() => {
    sweepOutcomes(engine.store, new Date()).catch((error: unknown) => {
      engine.log('warn', 'old outcomes of retryable writes could not be removed', { reason: String(error) });
    });
  }, SWEEP_EVERY_MS);
  expire.unref();
  sweep.unref();
  return () => {
    stopTtl();
    clearInterval(expire);
    clearInterval(sweep);
  };
}

/** Aborts reads; finishes writes that have begun. */
async function stop(engine: Engine, listener: Listener, stopCare: () => void): Promise<void> {
  stopCare();
  await listener.close();
  engine.sessions.endAll();
  engine.cursors.killAll();
  await engine.running.settle();
}
