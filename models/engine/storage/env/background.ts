import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/** What the thread can do. A checkpoint transfers the log into the data file. */
export type Task =
  /** As much as possible without waiting for anyone. */
  | 'checkpoint'
  /** Everything, so that the next write begins the log again. */
  | 'restart'
  /** Everything, and empties the log. */
  | 'truncate'
  /** Writes the whole file again, without what was deleted. */
  | 'vacuum'
  /** SQLite's own check of the file's structure. */
  | 'check'
  | 'close';

export interface Request {
  id: number;
  task: Task;
}

/** `result`: of a checkpoint, whether it has transferred everything that it should; of a check, what is wrong. */
export type Reply =
  | { id: number; result: boolean | string | null }
  | { id: number; code: string; message: string };

interface Pending {
  resolve(result: boolean | string | null): void;
  reject(error: Error): void;
}

/** A failure in the thread, with SQLite's name for it. */
class BackgroundError extends Error {
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}

/**
 * A thread with a connection of its own, for work that waits for the disk: it would block everything else here. It starts
 * with its first task.
 */
export class Background {
  private worker: Worker | null = null;
  private readonly pending = new Map<number, Pending>();
  private last = 0;

  constructor(private readonly file: string) {}

  /** @throws Error with SQLite's name for the failure as its `code` */
  run(task: Exclude<Task, 'close'>): Promise<boolean | string | null> {
    const worker = (this.worker ??= this.start());
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      // Only a running task keeps the process alive.
      worker.ref();
      worker.postMessage({ id, task } satisfies Request);
    });
  }

  /** Waits for running tasks. */
  async close(): Promise<void> {
    const { worker } = this;
    if (!worker) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.ref();
    worker.postMessage({ id: 0, task: 'close' } satisfies Request);
    await ended;
  }

  private start(): Worker {
    const worker = new Worker(createRequire(import.meta.url).resolve('#engine-background'), {
      workerData: this.file,
      name: 'engine-background',
      // The host's flags, such as a loader, must not apply to the bundle.
      execArgv: [],
    });
    worker.on('message', (reply: Reply) => {
      const pending = this.pending.get(reply.id);
      this.pending.delete(reply.id);
      if (this.pending.size === 0) worker.unref();
      if ('code' in reply) pending?.reject(new BackgroundError(reply.message, reply.code));
      else pending?.resolve(reply.result);
    });
    let reason = 'the thread ended';
    worker.on('error', (error) => (reason = error.message));
    worker.once('exit', () => {
      this.worker = null;
      for (const { reject } of this.pending.values()) reject(new BackgroundError(reason, 'ENDED'));
      this.pending.clear();
    });
    return worker;
  }
}
