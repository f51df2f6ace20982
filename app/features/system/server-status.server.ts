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
