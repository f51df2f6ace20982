import { setTimeout as wait } from 'node:timers/promises';
import { MINUTE_MS } from '#app/domain/time/calendar.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { inSpan, recordDuration } from '#app/platform/telemetry/spans.server.ts';
import { isDatabaseAway } from '#models/index.server.ts';
import { repos } from './repositories.server.ts';

/** A recurring job of the worker. Any number of workers may run the same job at once. */
export interface Job {
  /** Its name in the log and in the metrics. */
  name: string;
  /** Pause between the end of one round and the next, in ms. */
  everyMs: number;
  /**
   * One round. A long one stops between two steps when `stopping` is aborted; another worker takes over its claims when the
   * lease expires.
   */
  run(ctx: Ctx, stopping: AbortSignal): Promise<unknown>;
}

/**
 * Returned by a round that tried nothing, for example because another worker has this turn. Neither success nor failure, so
 * the record of the last attempt stays.
 */
export const NOTHING_TRIED = Symbol('nothing tried');

/** How often a job's figures are written when its state doesn't change, in ms. */
const NOTE_EVERY_MS = MINUTE_MS;

interface LoopState {
  failures: number;
  /** The failure has been logged. */
  isStopping: boolean;
  notedAt: number;
}

/**
 * Runs one round and records it. Of consecutive failures only the first is logged, and then the recovery. An unavailable
 * database, which stops every job, is logged elsewhere.
 */
async function round(ctx: Ctx, job: Job, state: LoopState, stopping: AbortSignal): Promise<void> {
  const began = performance.now();
  const before = state.failures;
  let error: string | null = null;
  let isIdle = false;
  try {
    isIdle = (await inSpan(`job ${job.name}`, {}, () => job.run(ctx, stopping))) === NOTHING_TRIED;
    if (!isIdle) state.failures = 0;
    if (state.isStopping && !isIdle) {
      ctx.log.info({ job: job.name, failures: before }, 'job works again');
      state.isStopping = false;
    }
  } catch (cause) {
    state.failures += 1;
    error = cause instanceof Error ? cause.message : String(cause);
    if (!state.isStopping && !isDatabaseAway(cause)) {
      ctx.log.error({ err: cause, job: job.name }, 'job failed and will be retried');
      state.isStopping = true;
    }
  }
  const ended = performance.now();
  recordDuration('vialbook.job.duration', (ended - began) / 1000, { job: job.name, failed: error !== null });
  const changed = before > 0 !== state.failures > 0;
  if (!changed && state.notedAt !== 0 && ended - state.notedAt < NOTE_EVERY_MS) return;
  state.notedAt = ended;
  const run = { at: ctx.now(), ms: Math.round(ended - began) };
  const { jobRuns } = repos(ctx);
  // Figures aren't worth failing a round; without a database the job itself has already failed.
  const noted = isIdle
    ? jobRuns.noteIdle(job.name, run)
    : jobRuns.note(job.name, { ...run, failures: state.failures, error });
  await noted.catch(() => undefined);
}

/** Repeats a job until `stopping` is aborted; resolves when the running round has ended. Never rejects. */
export async function jobLoop(ctx: Ctx, job: Job, stopping: AbortSignal): Promise<void> {
  const state: LoopState = { failures: 0, isStopping: false, notedAt: 0 };
  while (!stopping.aborted) {
    await round(ctx, job, state, stopping);
    // The pause keeps no process alive and doesn't depend on the system clock.
    await wait(job.everyMs, undefined, { signal: stopping, ref: false }).catch(() => undefined);
  }
}
