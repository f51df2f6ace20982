import { setTimeout as wait } from 'node:timers/promises';
import type { Connection, mongo } from 'mongoose';
import type { Log } from '#app/domain/log.ts';
import { isUnavailable, guardRepository, toDatabaseError } from './store/database-errors.server.ts';
import type { Settings } from '#app/domain/settings/settings.ts';
import {
  closedConnection,
  createArchives,
  createDataFile,
  openConnection,
  openLater,
  ping,
  type Archives,
  type DataFile,
  type DriverOptions,
  type OpenConnection,
  type StartedEngine,
} from './store/connection.server.ts';
import { watchDatabase } from './store/database-watch.server.ts';
import { makeIndexes } from './store/expired-rows.server.ts';
import { createMigrationStatus, isUnused, runMigrations } from './store/migrations/run.server.ts';
import { requireTransactions, transactionsOf, type Transaction } from './store/transaction.server.ts';
import { repositoriesOf, type Repositories as StoredRepositories } from './repositories.server.ts';

/** Pause between two attempts, in ms. */
const PAUSE_MS = 1000;

/** An attempt that is repeated until it succeeds. */
interface Retrying {
  /** Stops retrying; resolves when the current attempt has ended. */
  stop(): Promise<void>;
}

/**
 * Retries until it succeeds. An unreachable database is expected and not logged; any other error is,
 * once for each run of equal errors.
 */
function retryUntilDone(log: Log, attempt: () => Promise<void>): Retrying {
  const stopping = new AbortController();
  let lastReason = '';
  const loop = async () => {
    while (!stopping.signal.aborted) {
      try {
        return await attempt();
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (!isUnavailable(error) && reason !== lastReason)
          log.error({ err: error }, 'the database can be reached but not used');
        lastReason = reason;
      }
      await wait(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = loop();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** All repositories by noun, and what concerns the whole database. */
export type Repositories = StoredRepositories & {
  archives: Archives;
  dataFile: DataFile;
  migrations: ReturnType<typeof createMigrationStatus>;
};

function openRepositories(settings: Settings, connection: Connection): Repositories {
  // Mongoose applies this to every read that is not streamed; streams set their own limit.
  connection.set('maxTimeMS', settings.QUERY_TIMEOUT_MS);
  const archives = guardRepository(createArchives(settings, connection));
  const migrations = guardRepository(createMigrationStatus(connection));
  const dataFile = guardRepository(createDataFile(settings, connection));
  return { ...repositoriesOf(connection), archives, dataFile, migrations };
}

/** An open database. */
export interface Database {
  repos: Repositories;
  transaction: Transaction;
  /** Measures one round trip to the database, in ms. @throws AppError DATABASE_UNAVAILABLE */
  ping(): Promise<number>;
  close(): Promise<void>;
}

/**
 * Creates missing indexes; never drops one. It sends one command per collection, all at once: in an empty directory, the
 * embedded engine then creates them with a few disk writes instead of hundreds.
 */
async function ensureIndexes(connection: Connection): Promise<void> {
  const models = Object.values(connection.models).map(({ schema, collection }) => ({
    collection,
    indexes: schema.indexes().map(([key, options]) => ({ ...options, key }) as mongo.IndexDescription),
  }));
  const made = models.filter(({ indexes }) => indexes.length > 0);
  await Promise.all(made.map(({ collection, indexes }) => makeIndexes(collection, indexes)));
}

/** How to open the database: for tests that watch the driver's commands, and for inspecting it before migrations. */
export interface OpenOptions extends DriverOptions, StartedEngine {
  migrates?: boolean;
}

/**
 * Opens the database that the settings name, migrated to this version and with its indexes.
 * @throws AppError DATABASE_UNAVAILABLE when it cannot be reached or its directory cannot be used
 */
export async function openDatabase(
  settings: Settings,
  log: Log,
  options: OpenOptions = {},
): Promise<Database> {
  const { repos, transaction, ping, close } = await openRenewable(settings, log, options);
  return { repos, transaction, ping, close };
}

/** The same, plus what to call when the database does not answer. */
async function openRenewable(
  settings: Settings,
  log: Log,
  { migrates = true, ...driver }: OpenOptions = {},
): Promise<Database & Pick<OpenConnection, 'reopenIfStuck'>> {
  const { connection, kind, reopenIfStuck, close } = await openConnection(settings, log, driver);
  try {
    if (kind === 'deployment') await requireTransactions(connection);
    const repos = openRepositories(settings, connection);
    // An unused database stays empty, so that a backup can be restored into it.
    if (migrates && !(await isUnused(connection))) await runMigrations(connection, log);
    await ensureIndexes(connection);
    log.debug({ kind }, 'database open');
    const transaction = transactionsOf(connection);
    return { repos, transaction, ping: () => ping(connection), reopenIfStuck, close };
  } catch (error) {
    await close();
    throw toDatabaseError(error);
  }
}

/**
 * Like `openDatabase`, but for a process that keeps serving while a deployment cannot be reached: its repositories
 * exist anyway, and their calls fail with DATABASE_UNAVAILABLE until it answers. Its indexes are created before the
 * first call is let through. During an outage, one log line a minute says so.
 * @throws AppError DATABASE_UNAVAILABLE when the embedded database cannot be used, because waiting would not fix that
 */
export async function openDatabaseWaiting(
  settings: Settings,
  log: Log,
  { engine, ...driver }: DriverOptions & StartedEngine = {},
): Promise<Database> {
  const uri = settings.MONGODB_URI;
  let found: unknown;
  try {
    const { repos, transaction, ping, reopenIfStuck, close } = await openRenewable(settings, log, {
      engine,
      ...driver,
    });
    const watch = watchDatabase(log, ping, reopenIfStuck);
    return { repos, transaction, ping, close: () => watch.stop().then(close) };
  } catch (error) {
    if (uri === undefined || !isUnavailable(error)) throw error;
    found = error;
  }
  const connection = closedConnection();
  const repos = openRepositories(settings, connection);
  let reopenIfStuck: OpenConnection['reopenIfStuck'] | null = null;
  const waiting = retryUntilDone(log, async () => {
    const prepared = await openDatabase(settings, log, driver);
    await prepared.close();
    reopenIfStuck = await openLater(connection, uri, driver, log);
  });
  const watch = watchDatabase(
    log,
    () => ping(connection),
    async (error) => reopenIfStuck?.(error),
    found,
  );
  const close = async () => {
    await watch.stop();
    await waiting.stop();
    await connection.close();
  };
  return { repos, transaction: transactionsOf(connection), ping: () => ping(connection), close };
}

export { afterCommit, type Transaction } from './store/transaction.server.ts';
export type { EmbeddedEngine } from './store/embedded.server.ts';
export { isDatabaseAway, isOutOfSpace, whereRoom } from './store/database-errors.server.ts';
export type { MigrationStatus } from './store/migrations/run.server.ts';
export type { ArchiveSummary, StorageSize, TrialRestore } from './store/connection.server.ts';
export {
  nameKeyOf,
  type CalculationScope,
  type CalculationTotals,
  type HistoryPosition,
  type NewCalculation,
} from './calculator/calculation.server.ts';
export { type VialSlice, vialPosition, type VialPosition } from './vials/vial.server.ts';
export type { FileUsage, StorageUsageRepository } from './store/storage-quota.server.ts';
export type { FileStore, NewFile } from './store/file-store.server.ts';
export type { LotRecord } from './lots/lot.server.ts';
export type { OrderRecord } from './vendors/order.server.ts';
export type { ProductRecord, SupplierRecord } from './vendors/supplier.server.ts';
export type { ApiTokenRecord } from './accounts/api-token.server.ts';
export type { DayNameCount, TakenBlend } from './analytics/analytics.server.ts';
export type { BackupRecord } from './system/backup.server.ts';
export type { ServerLogRecord, ServerLogSelection } from './system/server-log.server.ts';
export type { AuditRecord, AuditFilter, AuditPlace } from './audit/audit.server.ts';
export type { CalendarFeedRecord } from './schedules/calendar-feed.server.ts';
export type {
  DeliveryRow,
  DeliveryRecord,
  DeliveryResult,
  ReminderRow,
  ReminderRecord,
} from './reminders/reminder.server.ts';
export type {
  WebhookRecord,
  WebhookDeliveryRow,
  WebhookDeliveryRecord,
  WebhookDeliveryResult,
} from './webhooks/webhook.server.ts';
export type {
  RemindableDose,
  ReminderMove,
  DoseDraw,
  LastTaken,
  DoseStatus,
  RemindStage,
  CountedBy,
  OwnedDose,
  DoseChanges,
  DoseRecord,
  PlannedDoseRecord,
  DoseSelection,
} from './doses/dose.server.ts';
export type { NtfyTopicRecord, PushSubscriptionRecord } from './reminders/notifications.server.ts';
export type { JobRunRecord } from './system/job-run.server.ts';
export type { ProcessKind, ServerProcessRecord } from './system/server-process.server.ts';
export type { ReferralRecord } from './referrals/referral.server.ts';
export type { NamedCeiling } from './amounts/dose-ceiling.server.ts';
export type { ProposalRecord } from './proposals/proposal.server.ts';
export type { ScheduleTemplateRecord } from './schedules/schedule-template.server.ts';
export { schedulesAtOnce, type ScheduleChanges, type ScheduleRecord } from './schedules/schedule.server.ts';
export type { ReportedDose, ReportedEffect, ReportedSite } from './reports/report.server.ts';
export type { ReportShareRecord } from './reports/report-share.server.ts';
export type { ImportCounts, ImportRecord, OwnedImport } from './import/import.server.ts';
export type { InjectionSiteRecord } from './tracking/injection-site.server.ts';
export type { MeasurementRecord } from './tracking/measurement.server.ts';
export type { NutritionRecord } from './tracking/nutrition.server.ts';
export type { SideEffectRecord } from './tracking/side-effect.server.ts';
export type {
  SecondFactorRecord,
  PasskeyRecord,
  IdentityRecord,
} from './accounts/sign-in-credentials.server.ts';
export type { RenewalShiftRecord } from './billing/billing.server.ts';
export type { SessionRecord } from './accounts/session.server.ts';
export type { UserListField, UserPath, UserPlace } from './admin/user-admin.server.ts';
export type { CountedAccount } from './accounts/account-standing.server.ts';
export type { AccountToCount } from './admin/user-admin.server.ts';
export type { Credential, UserRecord } from './accounts/user.server.ts';
export type { MailRecord } from './mail/mail.server.ts';
export type { OneTimeSecretRecord } from './accounts/one-time-secret.server.ts';
