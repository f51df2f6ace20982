import type { Connection } from 'mongoose';
import type { Log } from '#app/domain/log.ts';
import type { Settings } from '#app/domain/settings/index.ts';
import { createAddressRepository } from './address.repository.server.ts';
import { createAuditRepository } from './audit.repository.server.ts';
import { createCalculationBook } from './calculation-book.server.ts';
import { openConnection, type DriverOptions } from './connection.server.ts';
import { guardRepository, toDatabaseError } from './database-errors.server.ts';
import { createDemoInterestRepository } from './demo-interest.repository.server.ts';
import { createHoldingsRepository } from './holdings.repository.server.ts';
import { createOneTimeSecretRepository } from './one-time-secret.repository.server.ts';
import { createRoleHoldersRepository } from './role-holders.repository.server.ts';
import { createSecondFactorRepository } from './second-factor.repository.server.ts';
import { createSessionRepository } from './session.repository.server.ts';
import { createSubscriptionEventRepository } from './subscription-event.repository.server.ts';
import { createThrottleRepository } from './throttle.repository.server.ts';
import { createUserCountRepository } from './user-count.repository.server.ts';
import { createUserDeletionRepository } from './user-deletion.repository.server.ts';
import { createUserRepository } from './user.repository.server.ts';
import { createUserStandingRepository } from './user-standing.repository.server.ts';

/** Everything that is stored, by noun. */
export interface Repositories {
  addresses: ReturnType<typeof createAddressRepository>;
  audit: ReturnType<typeof createAuditRepository>;
  calculations: ReturnType<typeof createCalculationBook>;
  demoInterest: ReturnType<typeof createDemoInterestRepository>;
  holdings: ReturnType<typeof createHoldingsRepository>;
  oneTimeSecrets: ReturnType<typeof createOneTimeSecretRepository>;
  roleHolders: ReturnType<typeof createRoleHoldersRepository>;
  secondFactors: ReturnType<typeof createSecondFactorRepository>;
  sessions: ReturnType<typeof createSessionRepository>;
  subscriptionEvents: ReturnType<typeof createSubscriptionEventRepository>;
  throttles: ReturnType<typeof createThrottleRepository>;
  users: ReturnType<typeof createUserRepository> &
    ReturnType<typeof createUserStandingRepository> &
    ReturnType<typeof createUserDeletionRepository>;
  userCounts: ReturnType<typeof createUserCountRepository>;
}

/** An open database. */
export interface Database {
  repos: Repositories;
  /** Milliseconds that one question to the database took. @throws AppError DATABASE_UNAVAILABLE */
  ping(): Promise<number>;
  close(): Promise<void>;
}

function repositoriesOf(connection: Connection): Repositories {
  return {
    addresses: guardRepository(createAddressRepository(connection)),
    audit: guardRepository(createAuditRepository(connection)),
    calculations: guardRepository(createCalculationBook(connection)),
    demoInterest: guardRepository(createDemoInterestRepository(connection)),
    holdings: guardRepository(createHoldingsRepository(connection)),
    oneTimeSecrets: guardRepository(createOneTimeSecretRepository(connection)),
    roleHolders: guardRepository(createRoleHoldersRepository(connection)),
    secondFactors: guardRepository(createSecondFactorRepository(connection)),
    sessions: guardRepository(createSessionRepository(connection)),
    subscriptionEvents: guardRepository(createSubscriptionEventRepository(connection)),
    throttles: guardRepository(createThrottleRepository(connection)),
    users: guardRepository({
      ...createUserRepository(connection),
      ...createUserStandingRepository(connection),
      ...createUserDeletionRepository(connection),
    }),
    userCounts: guardRepository(createUserCountRepository(connection)),
  };
}

/** Makes the indexes that are missing. None is ever dropped here. */
async function ensureIndexes(connection: Connection): Promise<void> {
  for (const model of Object.values(connection.models)) await model.createIndexes();
}

async function ping(connection: Connection): Promise<number> {
  const begin = performance.now();
  try {
    await connection.db?.command({ ping: 1 });
  } catch (error) {
    throw toDatabaseError(error);
  }
  return performance.now() - begin;
}

/**
 * Opens the database that the settings name, with its indexes.
 * @param driver options of the MongoDB driver, for tests that watch its commands
 * @throws AppError DATABASE_UNAVAILABLE when it cannot be reached or its directory cannot be used
 */
export async function openDatabase(
  settings: Settings,
  log: Log,
  driver: DriverOptions = {},
): Promise<Database> {
  const { connection, kind, close } = await openConnection(settings, log, driver);
  try {
    const repos = repositoriesOf(connection);
    await ensureIndexes(connection);
    log.debug({ kind }, 'database open');
    return { repos, ping: () => ping(connection), close };
  } catch (error) {
    await close();
    throw toDatabaseError(error);
  }
}

export type { CalculationScope } from './calculation-reader.server.ts';
export type { CalculationTotals } from './calculation-totals.server.ts';
export type { HistoryPosition } from './history-ranges.server.ts';
export { nameKeyOf } from './calculation-row.server.ts';
export type { NewCalculation } from './calculation-row.server.ts';
export type { AuditRecord } from './audit.repository.server.ts';
export type { SessionRecord } from './session.repository.server.ts';
export type { UserRecord } from './user.repository.server.ts';
