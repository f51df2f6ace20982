import { setMaxListeners } from 'node:events';
import { purgeDueAccounts, clearEndedSessions } from '#app/features/accounts/index.server.ts';
import { clearExpiredRows, refreshAdminStats, trimLogs } from '#app/features/admin/index.server.ts';
import {
  backupJob,
  backupPlan,
  COMPACT_JOB,
  compactWhenDue,
  pruneBackups,
  type BackupSettings,
} from '#app/features/system/index.server.ts';
import { cancelClosedSubscriptions, shiftRenewals } from '#app/features/billing/index.server.ts';
import type { Caller, Ctx } from '#app/platform/access/context.server.ts';
import { finishDoseEffects, markMissedDoses } from '#app/features/doses/index.server.ts';
import { generateAllDoses } from '#app/features/schedules/index.server.ts';
import { deliverReminders, remindOfDoses, remindOfStock } from '#app/features/reminders/index.server.ts';
import { deliverWebhooks } from '#app/features/webhooks/index.server.ts';
import { recoverImports } from '#app/features/import/index.server.ts';
import { jobLoop, type Job } from '#app/platform/jobs/job-loop.server.ts';

export type { Job } from '#app/platform/jobs/job-loop.server.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** Everything that is done without anybody asking. Each job claims what it works on, so any number of workers may run. */
export const JOBS: readonly Job[] = [
  { name: 'shift-renewals', everyMs: 10 * MINUTE_MS, run: shiftRenewals },
  { name: 'cancel-subscriptions', everyMs: 10 * MINUTE_MS, run: cancelClosedSubscriptions },
  { name: 'remind-of-doses', everyMs: 5 * SECOND_MS, run: remindOfDoses },
  { name: 'deliver-reminders', everyMs: 2 * SECOND_MS, run: deliverReminders },
  { name: 'deliver-webhooks', everyMs: 2 * SECOND_MS, run: deliverWebhooks },
  { name: 'remind-of-stock', everyMs: 10 * MINUTE_MS, run: remindOfStock },
  { name: 'clear-sessions', everyMs: 10 * MINUTE_MS, run: clearEndedSessions },
  { name: 'finish-doses', everyMs: MINUTE_MS, run: finishDoseEffects },
  { name: 'mark-missed', everyMs: MINUTE_MS, run: markMissedDoses },
  { name: 'make-doses', everyMs: 10 * MINUTE_MS, run: generateAllDoses },
  { name: 'settle-imports', everyMs: 5 * MINUTE_MS, run: recoverImports },
  { name: 'clear-expired', everyMs: 10 * MINUTE_MS, run: clearExpiredRows },
  { name: 'trim-logs', everyMs: 10 * MINUTE_MS, run: trimLogs },
  { name: 'prune-backups', everyMs: 60 * MINUTE_MS, run: pruneBackups },
  { name: 'count-accounts', everyMs: MINUTE_MS, run: (ctx) => refreshAdminStats(ctx) },
  { name: 'purge-accounts', everyMs: 10 * MINUTE_MS, run: purgeDueAccounts },
  { name: COMPACT_JOB, everyMs: 5 * MINUTE_MS, run: compactWhenDue },
];

/** All jobs, and those that there are by the settings alone. */
export function jobsOf(settings: BackupSettings): readonly Job[] {
  const backups = backupPlan(settings);
  return backups === null ? JOBS : [...JOBS, backupJob(backups)];
}

/** Who does what is due without anybody asking. */
export const WORKER: Caller = {
  actor: { kind: 'cli', osUser: 'worker' },
  client: { address: 'this server', userAgent: null },
};

/** Jobs that run. */
export interface Worker {
  /** Starts no new round, and resolves when those that run have ended. */
  stop(): Promise<void>;
}

/**
 * Does all jobs, at once and then each in its own rhythm, side by side: one that is slow or fails holds up no other.
 * @param ctx made for {@link WORKER}
 */
export function startWorker(ctx: Ctx, jobs: readonly Job[] = JOBS): Worker {
  const stopping = new AbortController();
  // Each job listens once.
  setMaxListeners(0, stopping.signal);
  const loops = jobs.map((job) => jobLoop(ctx, job, stopping.signal));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}
