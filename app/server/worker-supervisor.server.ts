import { setTimeout as wait } from 'node:timers/promises';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { JOBS, startWorker, type Job, type Worker } from './worker.server.ts';

/** How often a process looks whether a restart was asked for, and how long a round may hold one up, in ms. */
interface Rhythm {
  lookEveryMs: number;
  patienceMs: number;
}

const RHYTHM: Rhythm = { lookEveryMs: 3_000, patienceMs: 20_000 };

/** Resolves with what was asked for most lately; null when the database does not answer. */
const asked = (ctx: Ctx): Promise<number | null> =>
  ctx.repos.processSignals.count('restart-worker').catch(() => null);

/**
 * A worker that stops and starts anew when an administrator asks for it, in whichever process. A round that never ends
 * does not hold it up: what that round claimed comes free when its lease is over.
 * @param ctx made for `WORKER`
 */
export function superviseWorker(ctx: Ctx, jobs: readonly Job[] = JOBS, rhythm = RHYTHM): Worker {
  const stopping = new AbortController();
  let worker = startWorker(ctx, jobs);

  async function restart(): Promise<void> {
    const began = performance.now();
    const ended = await Promise.race([
      worker.stop().then(() => true),
      wait(rhythm.patienceMs, false, { ref: false }),
    ]);
    if (stopping.signal.aborted) return;
    worker = startWorker(ctx, jobs);
    const ms = Math.round(performance.now() - began);
    ctx.log.warn({ kind: 'worker', ms }, ended ? 'worker restarted' : 'worker started beside a stuck round');
    const note = { at: ctx.now(), ms, failures: 0, error: null };
    await ctx.repos.jobRuns.note('restart-worker', note).catch(() => undefined);
  }

  async function look(): Promise<void> {
    let seen = await asked(ctx);
    while (!stopping.signal.aborted) {
      await wait(rhythm.lookEveryMs, undefined, { signal: stopping.signal, ref: false }).catch(
        () => undefined,
      );
      if (stopping.signal.aborted) return;
      const count = await asked(ctx);
      if (count !== null && seen !== null && count > seen) await restart();
      seen = count ?? seen;
    }
  }

  const looking = look();
  return {
    async stop() {
      stopping.abort();
      await looking;
      await worker.stop();
    },
  };
}
