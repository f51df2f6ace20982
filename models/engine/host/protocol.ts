import type { LogEntry } from '../log.ts';
import type { ListenAddress } from '../wire/listener.ts';

/** The worker thread's settings. */
export interface WorkerSettings {
  dir: string;
  where: ListenAddress;
  user?: { name: string; password: string };
}

/** Messages from the worker to its host. */
export type FromWorker =
  | { type: 'ready'; address: string }
  | { type: 'failed'; message: string; codeName: string }
  | { type: 'log'; entry: LogEntry };

/** Messages from the host to the worker. */
export interface ToWorker {
  type: 'close';
}
