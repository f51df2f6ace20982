import type { MigrationStatus, Database, JobRunRecord, StorageSize } from '#models/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { isAppError } from '#app/domain/errors.ts';

/** The state of the worker's jobs and queues, for operators. */
export interface WorkerFigures {
  /** Each job's last recorded run, by name. A job whose `at` is long ago has no worker. */
  jobs: readonly JobRunRecord[];
  backlog: {
    /** Doses whose reminder is due but not created yet. */
    reminders: Backlog;
    /** Pushes and mails that are due but not sent yet. */
    deliveries: Backlog;
  };
}

/** How much work is waiting, and since when the oldest of it. */
interface Backlog {
  waiting: number;
  oldestAt: Date | null;
}

/** @throws AppError UNAUTHENTICATED, FORBIDDEN */
export async function getWorkerFigures(ctx: Ctx): Promise<WorkerFigures> {
  authorise(ctx.actor, 'admin.worker');
  const now = ctx.now();
  const reminders = await ctx.repos.doseReminding.backlog(now);
  const deliveries = await ctx.repos.deliveries.backlog(now);
  return { jobs: await ctx.repos.jobRuns.list(), backlog: { reminders, deliveries } };
}

/**
 * How large the embedded database's file is; null for a database elsewhere.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function getDataFile(ctx: Ctx): Promise<StorageSize | null> {
  authorise(ctx.actor, 'admin.worker');
  return ctx.repos.dataFile.size();
}

/**
 * The status of this version's migrations. They run whenever the program opens a database.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function migrationStatus(ctx: Ctx): Promise<MigrationStatus[]> {
  authorise(ctx.actor, 'admin.worker');
  return ctx.repos.migrations.list();
}

/** Something that failed, and has not worked since. */
export interface Failure {
  /** The name of a job; `requested backup` for one that an administrator asked for. */
  what: string;
  /** When its last attempt ended. */
  at: Date;
  /** How often it failed in a row. */
  times: number;
  /** What happened, in one line, and what to do where that is known. */
  reason: string;
}

/** So many requested backups are looked at for the last that has ended. */
const RECENT_BACKUPS = 5;

/**
 * What an operator has to see to: jobs of the worker whose last attempt failed, and the last requested backup if that did.
 * The reasons name paths of this server.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function listFailures(ctx: Ctx): Promise<Failure[]> {
  authorise(ctx.actor, 'admin.worker');
  const { jobRuns, backups } = ctx.repos;
  const [jobs, recent] = await Promise.all([jobRuns.list(), backups.list(RECENT_BACKUPS)]);
  const found = jobs
    .filter(({ failures }) => failures > 0)
    .map(({ name, at, failures, error }) => ({ what: name, at, times: failures, reason: error ?? '' }));
  const last = recent.find(({ state }) => state !== 'running');
  if (last?.state === 'failed')
    found.push({ what: 'requested backup', at: last.seenAt, times: 1, reason: last.error ?? '' });
  return found.map((one) => ({ ...one, reason: one.reason.replaceAll(/\p{Cc}+/gu, ' ') }));
}

/** Whether requests can be answered. */
interface Readiness {
  ready: boolean;
  /** How long the database took to answer, in ms; null when it did not. */
  databaseMs: number | null;
}

/** Whether the database answers. Open to everyone: it reveals nothing else. */
export async function checkReadiness(database: Pick<Database, 'ping'>): Promise<Readiness> {
  try {
    return { ready: true, databaseMs: Math.round(await database.ping()) };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { ready: false, databaseMs: null };
  }
}
