import { parentPort, workerData } from 'node:worker_threads';
import { serveStore } from './commands/serve.ts';
import { EngineError } from './errors.ts';
import type { FromWorker, ToWorker, WorkerData, WorkerSettings } from './host/protocol.ts';
import type { LogSink } from './log.ts';
import { openStore } from './storage/index.ts';

const port = parentPort;
if (!port) throw new Error('the engine runs in a worker thread');

/** How long a cursor in constant use may live; idle ones are closed much earlier. */
const LONGEST_SNAPSHOT_MS = 60 * 60_000;

const { ended, ...settings } = workerData as WorkerData;

/** Call this when the thread no longer uses the data: from here on, it may be terminated. */
function noteEnd(): void {
  Atomics.store(ended, 0, 1);
  Atomics.notify(ended, 0);
}

const tell = (message: FromWorker) => port.postMessage(message);
const log: LogSink = (level, message, fields) =>
  tell({ type: 'log', entry: { level, message, ...(fields ? { fields } : {}) } });

/** Resolves when the host asks the thread to end. The host's checks are answered from the start, since opening the store can take long. */
const closing = new Promise<void>((resolve) =>
  port.on('message', (message: ToWorker) => {
    if (message.type === 'ask') tell({ type: 'alive' });
    else resolve();
  }),
);

/** Must run before the thread ends: otherwise LMDB's locks would be held for ever and block all processes. */
let abandon: () => Promise<unknown> = () => Promise.resolve();

/** An uncaught error ends the thread, and the host restarts it. */
process.once('uncaughtException', (error: unknown) => {
  abandon()
    .catch((reason: unknown) => log('error', 'the engine did not end cleanly', { reason: String(reason) }))
    .finally(() => {
      noteEnd();
      setImmediate(() => {
        throw error;
      });
    });
});

/** Ends the thread, so that the host restarts it with a reopened store; clients retry. */
function restart(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}

async function start(settings: WorkerSettings): Promise<() => Promise<void>> {
  const store = await openStore({
    dir: settings.dir,
    onLog: log,
    onBroken: restart,
    snapshotMaxAgeMs: LONGEST_SNAPSHOT_MS,
  });
  abandon = () => store.giveUp();
  const served = await serveStore({
    store,
    log,
    where: settings.where,
    ...(settings.user ? { user: settings.user } : {}),
  }).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  abandon = () => Promise.all([store.giveUp(), served.close()]);
  tell({ type: 'ready', address: served.address });
  return async () => {
    await served.close();
    await store.close();
  };
}

try {
  const stop = await start(settings);
  void closing.then(async () => {
    await stop().catch((error: unknown) =>
      log('error', 'the engine did not close cleanly', { reason: String(error) }),
    );
    noteEnd();
    port.close();
  });
} catch (error) {
  const codeName = error instanceof EngineError ? error.codeName : 'InternalError';
  noteEnd();
  tell({ type: 'failed', message: error instanceof Error ? error.message : String(error), codeName });
  port.close();
}
