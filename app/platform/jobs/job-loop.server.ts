import { setTimeout as wait } from 'node:timers/promises';
import type { Ctx } from '#app/platform/access/context.server.ts';

/** What the worker does again and again. Any number of workers may do the same job at once. */
export interface Job {
  /** Names it in the log and in the figures. */
  name: string;
  /** Pause between the end of one round and the next, in ms. */
  everyMs: number;
  /**
   * One round. A long one stops between two of its pieces when `stopping` is aborted; what it claimed and did not do is
   * taken up by another worker when the lease is over.
   */
  run(ctx: Ctx, stopping: AbortSignal): Promise<unknown>;
}

/** How often a job's figures are written when nothing about it changes, in ms. */
const NOTE_EVERY_MS = 60_000;

interface LoopState {
  failures: number;
  notedAt: number;
}

/** One round, told: the first failure of a row of them is logged, and so is the end of the row. */
async function round(ctx: Ctx, job: Job, state: LoopState, stopping: AbortSignal): Promise<void> {
  const began = performance.now();
  const before = state.failures;
  let error: string | null = null;
  try {
    await job.run(ctx, stopping);
    state.failures = 0;
    if (before > 0) ctx.log.info({ job: job.name, failures: before }, 'job works again');
  } catch (cause) {
    state.failures += 1;
    error = cause instanceof Error ? cause.message : String(cause);
    if (before === 0) ctx.log.error({ err: cause, job: job.name }, 'job failed, it is tried again');
  }
  const ended = performance.now();
  const changed = before > 0 !== state.failures > 0;
  if (!changed && state.notedAt !== 0 && ended - state.notedAt < NOTE_EVERY_MS) return;
  state.notedAt = ended;
  const note = { at: ctx.now(), ms: Math.round(ended - began), failures: state.failures, error };
  // Figures are not worth a failed round; without a database the job itself has failed already.
  await ctx.repos.jobRuns.note(job.name, note).catch(() => undefined);
}

/** Does a job until `stopping` is aborted; resolves when the round that ran then has ended. Never rejects. */
export async function jobLoop(ctx: Ctx, job: Job, stopping: AbortSignal): Promise<void> {
  const state: LoopState = { failures: 0, notedAt: 0 };
  while (!stopping.aborted) {
    await round(ctx, job, state, stopping);
    // A waiting worker keeps no process alive; the pause is measured by a clock that does not jump.
    await wait(job.everyMs, undefined, { signal: stopping, ref: false }).catch(() => undefined);
  }
}
