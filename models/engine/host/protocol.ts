import type { LogEntry } from '../log.ts';
import type { ListenAddress } from '../wire/listener.ts';

/** What the worker thread is started with. */
export interface WorkerSettings {
  dir: string;
  where: ListenAddress;
  user?: { name: string; password: string };
}

/** What the worker tells its host. */
export type FromWorker =
  | { type: 'ready'; address: string }
  | { type: 'failed'; message: string; codeName: string }
  | { type: 'log'; entry: LogEntry }
  | { type: 'alive' }
  | { type: 'closed' };

/** What the host tells the worker. */
export type ToWorker = { type: 'ask' } | { type: 'close' };
