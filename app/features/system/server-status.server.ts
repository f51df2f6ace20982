import type {
  MigrationStatus,
  Database,
  JobRunRecord,
  ServerProcessRecord,
  StorageSize,
} from '#models/index.server.ts';
import { LIVE_MS } from '#app/domain/system/system-metrics.ts';
import { planBacklog } from '#app/features/schedules/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { isAppError } from '#app/domain/errors.ts';
import { repos } from './repositories.server.ts';

/** The state of the workers' jobs and queues, for operators. */
export interface WorkerFigures {
  /** Each job's last recorded run, by name. If `at` is long ago, no worker is running the job. */
  jobs: readonly JobRunRecord[];
  backlog: {
    /** Doses whose reminder is due but not created yet. */
    reminders: Backlog;
    /** Messages of reminders, such as pushes, that are due but not sent yet. */
    deliveries: Backlog;
    /** Calls of people's webhooks that are due but not sent yet. */
    webhooks: Backlog;
    /** Schedules whose doses are not made as far ahead as they should be. */
    plans: Backlog;
  };
}

/** How many items are waiting, and since when the oldest. */
interface Backlog {
  waiting: number;
  oldestAt: Date | null;
}

/** @throws AppError UNAUTHENTICATED, FORBIDDEN */
export async function getWorkerFigures(ctx: Ctx): Promise<WorkerFigures> {
  authorise(ctx.actor, 'admin.worker');
  const now = ctx.now();
  const reminders = await repos(ctx).doseReminding.backlog(now);
  const deliveries = await repos(ctx).deliveries.backlog(now);
  const webhooks = await repos(ctx).webhookDeliveries.backlog(now);
  const plans = await planBacklog(ctx);
  const backlog = { reminders, deliveries, webhooks, plans };
  return { jobs: await repos(ctx).jobRuns.list(), backlog };
}

/**
 * The running processes, of all machines: who has not reported for a minute has stopped.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function listProcesses(ctx: Ctx): Promise<ServerProcessRecord[]> {
  authorise(ctx.actor, 'admin.worker');
  return repos(ctx).serverProcesses.listSince(new Date(ctx.now().getTime() - LIVE_MS));
}

/**
 * The size of the embedded database's file; null for MongoDB.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function getDataFile(ctx: Ctx): Promise<StorageSize | null> {
  authorise(ctx.actor, 'admin.worker');
  return repos(ctx).dataFile.size();
}

/**
 * The status of this version's migrations. They run whenever the program opens a database, some of them in the worker.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function migrationStatus(ctx: Ctx): Promise<MigrationStatus[]> {
  authorise(ctx.actor, 'admin.worker');
  return repos(ctx).migrations.list();
}

/**
 * Runs what migrations left for later, beside everything else, and again what older versions wrote meanwhile. A job of the worker; any number of workers may run it.
 * @returns how many migrations were finished
 */
export async function finishMigrations(ctx: Ctx, stopping?: AbortSignal): Promise<number> {
  authorise(ctx.actor, 'system.migrate');
  const { migrations, serverProcesses } = repos(ctx);
  const finished = await migrations.finish(ctx.log, stopping);
  const live = await serverProcesses.listSince(new Date(ctx.now().getTime() - LIVE_MS));
  // What an older version writes until it ends is converted after that.
  const isAnyOlder = live.some((process) => (process.migrations ?? 0) < migrations.known());
  return isAnyOlder ? finished : finished + (await migrations.repeat(ctx.log, stopping));
}

/** Something that failed and has not succeeded since. */
export interface Failure {
  /** The name of a job; `requested backup` for one that an administrator asked for. */
  what: string;
  /** When its last attempt ended. */
  at: Date;
  /** How often it failed in a row. */
  times: number;
  /** What happened and, if known, what to do, in one line. */
  reason: string;
}

/** How many requested backups are searched for the last one that has ended. */
const RECENT_BACKUPS = 5;

/**
 * What an operator has to fix: jobs of the worker whose last attempt failed, and the last requested backup if it failed or
 * could not be restored.
 * The reasons contain paths of this server.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function listFailures(ctx: Ctx): Promise<Failure[]> {
  authorise(ctx.actor, 'admin.worker');
  const { jobRuns, backups } = repos(ctx);
  const [jobs, recent] = await Promise.all([jobRuns.list(), backups.list(RECENT_BACKUPS)]);
  const found = jobs
    .filter(({ failures }) => failures > 0)
    .map(({ name, at, failures, error }) => ({ what: name, at, times: failures, reason: error ?? '' }));
  const last = recent.find(({ state }) => state !== 'running');
  if (last && (last.state === 'failed' || last.error !== null))
    found.push({ what: 'requested backup', at: last.seenAt, times: 1, reason: last.error ?? '' });
  return found.map((one) => ({ ...one, reason: one.reason.replaceAll(/\p{Cc}+/gu, ' ') }));
}

/** Whether requests can be answered. */
interface Readiness {
  ready: boolean;
  /** How long the database took to answer, in ms; null when it did not. */
  databaseMs: number | null;
}

/** Whether the database answers. Open to everyone, because it reveals nothing else. */
export async function checkReadiness(database: Pick<Database, 'ping'>): Promise<Readiness> {
  try {
    return { ready: true, databaseMs: Math.round(await database.ping()) };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { ready: false, databaseMs: null };
  }
}
