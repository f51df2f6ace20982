import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { purgeDueAccounts, clearEndedSessions } from '#app/features/accounts/index.server.ts';
import { clearExpiredRows, countAccounts, trimAudit, trimLogs } from '#app/features/admin/index.server.ts';
import {
  backupJob,
  finishMigrations,
  backupPlan,
  COMPACT_JOB,
  compactWhenDue,
  pruneBackups,
  type BackupSettings,
} from '#app/features/system/index.server.ts';
import { cancelClosedSubscriptions, shiftRenewals } from '#app/features/billing/index.server.ts';
import type { Settings } from '#app/domain/settings/settings.ts';
import type { Caller, Ctx } from '#app/platform/access/context.server.ts';
import { markMissedDoses } from '#app/features/doses/index.server.ts';
import { generateAllDoses } from '#app/features/schedules/index.server.ts';
import { deliverReminders, remindOfDoses, remindOfStock } from '#app/features/reminders/index.server.ts';
import { deliverWebhooks } from '#app/features/webhooks/index.server.ts';
import { recoverImports } from '#app/features/import/index.server.ts';
import { jobLoop, type Job } from '#app/platform/jobs/job-loop.server.ts';
import { repos } from './repositories.server.ts';

export type { Job } from '#app/platform/jobs/job-loop.server.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** All background jobs. Each job claims what it works on, so any number of workers may run. */
export const JOBS: readonly Job[] = [
  { name: 'migrate', everyMs: MINUTE_MS, run: finishMigrations },
  { name: 'shift-renewals', everyMs: 10 * MINUTE_MS, run: shiftRenewals },
  { name: 'cancel-subscriptions', everyMs: 10 * MINUTE_MS, run: cancelClosedSubscriptions },
  { name: 'remind-of-doses', everyMs: 5 * SECOND_MS, run: remindOfDoses },
  { name: 'deliver-reminders', everyMs: 2 * SECOND_MS, run: deliverReminders },
  { name: 'send-mails', everyMs: 2 * SECOND_MS, run: (ctx, stopping) => ctx.mailQueue.send(stopping) },
  { name: 'deliver-webhooks', everyMs: 2 * SECOND_MS, run: deliverWebhooks },
  { name: 'remind-of-stock', everyMs: 10 * MINUTE_MS, run: remindOfStock },
  { name: 'clear-sessions', everyMs: 10 * MINUTE_MS, run: clearEndedSessions },
  { name: 'mark-missed', everyMs: MINUTE_MS, run: markMissedDoses },
  { name: 'make-doses', everyMs: 10 * MINUTE_MS, run: generateAllDoses },
  { name: 'settle-imports', everyMs: 5 * MINUTE_MS, run: recoverImports },
  { name: 'clear-expired', everyMs: 10 * MINUTE_MS, run: clearExpiredRows },
  { name: 'trim-logs', everyMs: 10 * MINUTE_MS, run: trimLogs },
  { name: 'prune-backups', everyMs: 60 * MINUTE_MS, run: pruneBackups },
  { name: 'count-accounts', everyMs: MINUTE_MS, run: countAccounts },
  { name: 'purge-accounts', everyMs: 10 * MINUTE_MS, run: purgeDueAccounts },
  { name: COMPACT_JOB, everyMs: 5 * MINUTE_MS, run: compactWhenDue },
];

/** Jobs that only a server that sells plans has. */
const OF_SELLING: readonly string[] = ['shift-renewals', 'cancel-subscriptions'];

/** The jobs of a server with these settings. */
export function jobsOf(
  settings: BackupSettings & Pick<Settings, 'BILLING' | 'AUDIT_KEEP_DAYS'>,
): readonly Job[] {
  const backups = backupPlan(settings);
  const jobs = JOBS.filter(({ name }) => settings.BILLING !== 'off' || !OF_SELLING.includes(name));
  const { AUDIT_KEEP_DAYS: days } = settings;
  const trim: Job[] =
    days === undefined
      ? []
      : [{ name: 'trim-audit', everyMs: 60 * MINUTE_MS, run: (ctx) => trimAudit(ctx, days) }];
  return [...jobs, ...trim, ...(backups === null ? [] : [backupJob(backups)])];
}

/** The caller for background jobs. */
export const WORKER: Caller = {
  actor: { kind: 'cli', osUser: 'worker' },
  client: { address: 'this server', userAgent: null },
};

/** Running jobs. */
export interface Worker {
  /** Starts no new rounds, and resolves when the running ones have ended. */
  stop(): Promise<void>;
}

/**
 * Runs all jobs, first at once and then each at its own interval. They run side by side, so a slow or failing job does not
 * delay the others.
 * @param ctx created for {@link WORKER}
 */
export function startWorker(ctx: Ctx, jobs: readonly Job[] = JOBS): Worker {
  const stopping = new AbortController();
  // Each job adds one listener.
  setMaxListeners(0, stopping.signal);
  const loops = jobs.map((job) => jobLoop(ctx, job, stopping.signal));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

/** How often a process checks for a requested restart, and how long a running round may delay it, in ms. */
interface Rhythm {
  lookEveryMs: number;
  patienceMs: number;
}

const RHYTHM: Rhythm = { lookEveryMs: 3_000, patienceMs: 20_000 };

/** The time of the latest restart request; null if the database does not respond. */
const signalCount = (ctx: Ctx): Promise<number | null> =>
  repos(ctx)
    .processSignals.count('restart-worker')
    .catch(() => null);

/**
 * A worker that restarts when an administrator requests it, in any process. A round that never ends does not block the
 * restart; what it claimed becomes free when its lease expires.
 * @param ctx created for `WORKER`
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
    await repos(ctx)
      .jobRuns.note('restart-worker', note)
      .catch(() => undefined);
  }

  async function look(): Promise<void> {
    let seen = await signalCount(ctx);
    while (!stopping.signal.aborted) {
      await wait(rhythm.lookEveryMs, undefined, { signal: stopping.signal, ref: false }).catch(
        () => undefined,
      );
      if (stopping.signal.aborted) return;
      const count = await signalCount(ctx);
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
