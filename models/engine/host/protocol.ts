import type { LogEntry } from '../log.ts';
import type { ListenAddress } from '../wire/listener.ts';

/** The worker thread's settings. */
export interface WorkerSettings {
  dir: string;
  where: ListenAddress;
  user?: { name: string; password: string };
}

/** What the worker thread gets. */
export interface WorkerData extends WorkerSettings {
  /** Shared memory with one number: 1 once the thread no longer uses the data. A host that is exiting waits for it. */
  ended: Int32Array;
}

/** Messages from the worker to its host. */
export type FromWorker =
  | { type: 'ready'; address: string }
  | { type: 'failed'; message: string; codeName: string }
  | { type: 'log'; entry: LogEntry }
  | { type: 'alive' };

/** Messages from the host to the worker. */
export type ToWorker = { type: 'ask' } | { type: 'close' };
