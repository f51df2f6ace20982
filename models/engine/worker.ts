import { parentPort, workerData } from 'node:worker_threads';
import { serveStore } from './commands/serve.ts';
import { EngineError } from './errors.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './host/protocol.ts';
import type { LogSink } from './log.ts';
import { openStore } from './storage/index.ts';

const port = parentPort;
if (!port) throw new Error('the engine runs in a worker thread');

/** How long a cursor in constant use may live; idle ones are closed much earlier. */
const LONGEST_SNAPSHOT_MS = 60 * 60_000;

const tell = (message: FromWorker) => port.postMessage(message);
const log: LogSink = (level, message, fields) =>
  tell({ type: 'log', entry: { level, message, ...(fields ? { fields } : {}) } });

/** Resolves when the host asks the thread to end, which it may do while the store is being opened. */
const closing = new Promise<void>((resolve) =>
  port.on('message', (message: ToWorker) => {
    if (message.type === 'close') resolve();
  }),
);

async function start({ dir, where, user }: WorkerSettings): Promise<() => Promise<void>> {
  const store = await openStore({ dir, onLog: log, snapshotMaxAgeMs: LONGEST_SNAPSHOT_MS });
  const served = await serveStore({ store, log, where, ...(user ? { user } : {}) }).catch(
    async (error: unknown) => {
      await store.close();
      throw error;
    },
  );
  tell({ type: 'ready', address: served.address });
  return async () => {
    await served.close();
    await store.close();
  };
}

try {
  const stop = await start(workerData as WorkerSettings);
  void closing.then(async () => {
    await stop().catch((error: unknown) =>
      log('error', 'the engine did not close cleanly', { reason: String(error) }),
    );
    port.close();
  });
} catch (error) {
  const codeName = error instanceof EngineError ? error.codeName : 'InternalError';
  tell({ type: 'failed', message: error instanceof Error ? error.message : String(error), codeName });
  port.close();
}
