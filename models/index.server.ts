import type { Connection, mongo } from 'mongoose';
import type { Log } from '#app/domain/log.ts';
import type { Settings } from '#app/domain/settings/settings.ts';
import {
  closedConnection,
  createArchives,
  openConnection,
  openLater,
  type Archives,
  type DriverOptions,
} from './connection.server.ts';
import { retryUntilDone } from './retry-until-done.server.ts';
import { guardRepository, isUnavailable, toDatabaseError, unavailable } from './database-errors.server.ts';
import { createMigrationStatus, isUnused, runMigrations } from './migrations/run.server.ts';
import { repositoriesOf, type Repositories as StoredRepositories } from './repositories.server.ts';

/** Everything that is stored, by noun, and what is about all of it. */
export type Repositories = StoredRepositories & {
  archives: Archives;
  migrations: ReturnType<typeof createMigrationStatus>;
};

function openRepositories(settings: Settings, connection: Connection): Repositories {
  const archives = guardRepository(createArchives(settings, connection));
  const migrations = guardRepository(createMigrationStatus(connection));
  return { ...repositoriesOf(connection), archives, migrations };
}

/** An open database. */
export interface Database {
  repos: Repositories;
  /** Milliseconds that one question to the database took. @throws AppError DATABASE_UNAVAILABLE */
  ping(): Promise<number>;
  close(): Promise<void>;
}

/**
 * Makes the indexes that are missing; none is ever dropped here. One command for each collection, all at once: the
 * embedded engine then makes those of an empty directory in a few writes to the disk instead of hundreds.
 */
async function ensureIndexes(connection: Connection): Promise<void> {
  const models = Object.values(connection.models).map(({ schema, collection }) => ({
    collection,
    indexes: schema.indexes().map(([key, options]) => ({ ...options, key }) as mongo.IndexDescription),
  }));
  const made = models.filter(({ indexes }) => indexes.length > 0);
  await Promise.all(made.map(({ collection, indexes }) => collection.createIndexes(indexes)));
}

/** How to open it: for tests that watch the driver's commands, and for a look at what is not migrated yet. */
export interface OpenOptions extends DriverOptions {
  migrates?: boolean;
}

async function ping(connection: Connection): Promise<number> {
  const begin = performance.now();
  if (connection.db === undefined) throw unavailable();
  try {
    await connection.db.command({ ping: 1 });
  } catch (error) {
    throw toDatabaseError(error);
  }
  return performance.now() - begin;
}

/**
 * Opens the database that the settings name, with its data in this version's form and its indexes.
 * @throws AppError DATABASE_UNAVAILABLE when it cannot be reached or its directory cannot be used
 */
export async function openDatabase(
  settings: Settings,
  log: Log,
  { migrates = true, ...driver }: OpenOptions = {},
): Promise<Database> {
  const { connection, kind, close } = await openConnection(settings, log, driver);
  try {
    const repos = openRepositories(settings, connection);
    // One that nobody uses yet stays empty, so that a backup can be restored into it.
    if (migrates && !(await isUnused(connection))) await runMigrations(connection, log);
    await ensureIndexes(connection);
    log.debug({ kind }, 'database open');
    return { repos, ping: () => ping(connection), close };
  } catch (error) {
    await close();
    throw toDatabaseError(error);
  }
}

/**
 * The same for a process that serves on while the database is away: when a deployment does not answer, its repositories
 * are there all the same, whose calls fail with DATABASE_UNAVAILABLE until it does. Its indexes are made before the
 * first call is let through.
 * @throws AppError DATABASE_UNAVAILABLE when the embedded database cannot be used, since waiting would not mend that
 */
export async function openDatabaseWaiting(
  settings: Settings,
  log: Log,
  driver: DriverOptions = {},
): Promise<Database> {
  const uri = settings.MONGODB_URI;
  try {
    return await openDatabase(settings, log, driver);
  } catch (error) {
    if (uri === undefined || !isUnavailable(error)) throw error;
    log.error({ err: error }, 'the database cannot be reached, it is waited for');
  }
  const connection = closedConnection();
  const repos = openRepositories(settings, connection);
  const waiting = retryUntilDone(log, async () => {
    const prepared = await openDatabase(settings, log, driver);
    await prepared.close();
    await openLater(connection, uri, driver);
    log.info({}, 'the database answers');
  });
  const close = async () => {
    await waiting.stop();
    await connection.close();
  };
  return { repos, ping: () => ping(connection), close };
}

export type { MigrationStatus } from './migrations/run.server.ts';
export type { ArchiveSummary } from './connection.server.ts';
export type { CalculationScope } from './calculation-reader.server.ts';
export type { CalculationTotals } from './calculation-totals.server.ts';
export type { HistoryPosition } from './history-ranges.server.ts';
export type { VialSlice } from './compound-reader.server.ts';
export { vialPosition, type VialPosition } from './compound-row.server.ts';
export { nameKeyOf } from './calculation-row.server.ts';
export type { NewCalculation } from './calculation-row.server.ts';
export type { FileRoom, Room } from './storage-quota.server.ts';
export type { FileStore } from './file-store.server.ts';
export type { OrderRecord } from './order.server.ts';
export type { ProductRecord } from './product.server.ts';
export type { SupplierRecord } from './supplier.server.ts';
export type { ApiTokenRecord } from './api-token.server.ts';
export type { DayNameCount } from './analytics.server.ts';
export type { BackupRecord } from './backup.server.ts';
export type { ServerLogRecord, ServerLogSelection } from './server-log.server.ts';
export type { AuditRecord } from './audit.server.ts';
export type { CalendarFeedRecord } from './calendar-feed.server.ts';
export type { DeliveryRow } from './delivery.model.server.ts';
export type { DeliveryRecord, DeliveryResult } from './delivery.server.ts';
export type { RemindableDose, ReminderMove } from './dose-reminding.repository.server.ts';
export type { PushSubscriptionRecord } from './push-subscription.server.ts';
export type { ReminderRow } from './reminder.model.server.ts';
export type { ReminderRecord } from './reminder.server.ts';
export type { JobRunRecord } from './job-run.server.ts';
export type { ReferralRecord } from './referral.server.ts';
export type { DoseDraw, DoseStatus, RemindStage } from './dose.model.server.ts';
export type { CountedBy } from './dose-count.repository.server.ts';
export type { OwnedDose } from './dose-sweep.repository.server.ts';
export type { DoseChanges, DoseRecord, DoseSelection } from './dose.server.ts';
export type { ScheduleTemplateRecord } from './schedule-template.server.ts';
export type { ScheduleChanges, ScheduleRecord } from './schedule.server.ts';
export type { ReportedEffect } from './report.server.ts';
export type { ReportShareRecord } from './report-share.server.ts';
export type { ImportCounts } from './import.model.server.ts';
export type { ImportRecord, OwnedImport } from './import.server.ts';
export type { InjectionSiteRecord } from './injection-site.server.ts';
export type { MeasurementRecord } from './measurement.server.ts';
export type { NutritionRecord } from './nutrition.server.ts';
export type { SideEffectRecord } from './side-effect.server.ts';
export type { SecondFactorRecord } from './second-factor.server.ts';
export type { RenewalShiftRecord } from './renewal-shift.server.ts';
export type { SessionRecord } from './session.server.ts';
export type { AuditFilter, AuditPlace } from './audit-list.repository.server.ts';
export type { UserListField, UserPath, UserPlace } from './user-list.repository.server.ts';
export type { UserRecord } from './user.server.ts';
export type { OneTimeSecretRecord } from './one-time-secret.server.ts';
