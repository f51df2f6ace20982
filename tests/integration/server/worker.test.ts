import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { JOBS, startWorker, WORKER, type Job } from '#app/server/worker.server.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

interface Told {
  level: string;
  message: string;
}

function listening(): { ctx: Ctx; told: Told[] } {
  const told: Told[] = [];
  const tell = (level: string) => (_facts: object, message: string) => void told.push({ level, message });
  const log = { debug: tell('debug'), info: tell('info'), warn: tell('warn'), error: tell('error') };
  return { ctx: { ...db.ctx(WORKER.actor), log }, told };
}

/** Resolves when the job has begun the wanted number of rounds. */
function counted(name: string, expected: number, outcome: (round: number) => Promise<unknown>) {
  let rounds = 0;
  let reached: () => void = () => undefined;
  const there = new Promise<void>((resolve) => (reached = resolve));
  const job: Job = {
    name,
    everyMs: 1,
    run: () => {
      rounds += 1;
      if (rounds === expected) reached();
      return outcome(rounds);
    },
  };
  return { job, there, rounds: () => rounds };
}

describe('the worker', () => {
  it('continues after a failure, and logs consecutive ones once', async () => {
    const { ctx, told } = listening();
    const flaky = counted('flaky', 6, (round) =>
      round < 4 ? Promise.reject(new Error('no luck')) : Promise.resolve(),
    );
    const worker = startWorker(ctx, [flaky.job]);
    await flaky.there;
    await worker.stop();
    expect(told).toEqual([
      { level: 'error', message: 'job failed and will be retried' },
      { level: 'info', message: 'job works again' },
    ]);
    const noted = (await db.repos.jobRuns.list()).find(({ name }) => name === 'flaky');
    expect(noted).toMatchObject({ failures: 0, error: null, at: db.clock.now() });
  });

  it('is not blocked by a job that never ends, and tells it to stop', async () => {
    const { ctx } = listening();
    let ended = false;
    const slow: Job = {
      name: 'slow',
      everyMs: 1,
      run: (_ctx, stopping) =>
        new Promise<void>((resolve) => {
          stopping.addEventListener('abort', () => {
            ended = true;
            resolve();
          });
        }),
    };
    const quick = counted('quick', 5, () => Promise.resolve());
    const worker = startWorker(ctx, [slow, quick.job]);
    await quick.there;
    expect(ended).toBe(false);
    await worker.stop();
    expect(ended).toBe(true);
    const after = quick.rounds();
    await new Promise((resolve) => setImmediate(resolve));
    expect(quick.rounds()).toBe(after);
  });

  it('does not stop before the running round has ended', async () => {
    const { ctx } = listening();
    const steps: string[] = [];
    let go: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    const careful: Job = {
      name: 'careful',
      everyMs: 1,
      run: async () => {
        await gate;
        steps.push('written');
      },
    };
    const worker = startWorker(ctx, [careful]);
    const stopped = worker.stop().then(() => steps.push('stopped'));
    go();
    await stopped;
    expect(steps).toEqual(['written', 'stopped']);
  });

  it('has a unique name for each job', () => {
    expect(new Set(JOBS.map(({ name }) => name)).size).toBe(JOBS.length);
  });

  it('runs every job on an empty database without a failure', async () => {
    const { ctx, told } = listening();
    const never = new AbortController().signal;
    for (const job of JOBS) await job.run(ctx, never);
    expect(told.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
