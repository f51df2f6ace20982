import { parentPort, workerData } from 'node:worker_threads';
import type { Reply, Request, Task } from './background.ts';
import { connect } from './schema.ts';
import { sqliteCode } from './sqlite.ts';

const port = parentPort;
if (!port) throw new Error('this runs in a worker thread');

/** How long one attempt waits for other connections, whose writes wait meanwhile. */
const WAIT_MS = 50;
const db = connect(workerData as string, WAIT_MS);

function checkpoint(mode: 'PASSIVE' | 'RESTART' | 'TRUNCATE'): boolean {
  const [busy, logged, transferred] = db.statement(`PRAGMA wal_checkpoint(${mode})`).row() as number[];
  return busy === 0 && logged === transferred;
}

const tasks: Record<Exclude<Task, 'close'>, () => boolean | string | null> = {
  checkpoint: () => checkpoint('PASSIVE'),
  restart: () => checkpoint('RESTART'),
  truncate: () => checkpoint('TRUNCATE'),
  vacuum: () => {
    db.run('VACUUM');
    return true;
  },
  check: () => {
    const problem = db.value('PRAGMA quick_check(1)') as string;
    return problem === 'ok' ? null : problem;
  },
};

function answer(id: number, run: () => boolean | string | null): Reply {
  try {
    return { id, result: run() };
  } catch (error) {
    return { id, code: sqliteCode(error) ?? 'UNKNOWN', message: (error as Error).message };
  }
}

port.on('message', ({ id, task }: Request) => {
  if (task !== 'close') return port.postMessage(answer(id, tasks[task]));
  db.close();
  port.close();
});
