import mongoose, { type Connection, type ConnectOptions } from 'mongoose';
import type { Log } from '#app/domain/log.ts';
import { writeConcernOf, type Settings } from '#app/domain/settings/settings.ts';
import {
  archiveDeployment,
  backupStore,
  TrialRestoreError,
  tryRestore,
  type ArchiveSummary,
  type CompactReport,
  type StorageSize,
} from '../engine/index.ts';
import { lacksServer, toDatabaseError, unavailable } from './database-errors.server.ts';
import { startEmbedded, type EmbeddedEngine } from './embedded.server.ts';

mongoose.set('sanitizeFilter', true);
mongoose.set('strictQuery', 'throw');
mongoose.set('strict', 'throw');
// Models take part in the transaction of the call that uses them, see `transactionsOf`.
mongoose.set('transactionAsyncLocalStorage', true);
// Set before the first connection, so that a call without a database fails at once instead of waiting in a buffer.
mongoose.set('bufferCommands', false);

/** An open connection and how to close it. */
export interface OpenConnection {
  connection: Connection;
  kind: 'embedded' | 'deployment';
  /** To be called with the error when the database does not answer, see `reopening`. */
  reopenIfStuck: (error: unknown) => Promise<void>;
  close(): Promise<void>;
}

/** An engine that has been started already, for a database without a deployment. */
export interface StartedEngine {
  engine?: Promise<EmbeddedEngine> | undefined;
}

/** Driver options that a caller may add; tests watch the commands. */
export type DriverOptions = Pick<ConnectOptions, 'monitorCommands' | 'serverSelectionTimeoutMS'>;

/** Options for mongoose, in addition to the driver's. */
const OPTIONS: ConnectOptions = { autoIndex: false, autoCreate: false, bufferCommands: false };

/**
 * How long a call waits for a deployment that does not answer, in ms, unless its address says otherwise. A replica set whose
 * first member is gone elects another within ten seconds, in which calls should wait rather than fail.
 */
const SELECTION_MS = 15_000;

/** What was answered as saved survives the loss of a server, unless the address says otherwise, see `settingWarnings`. */
const SAVED: ConnectOptions = { writeConcern: { w: 'majority' } };

/**
 * How soon a member that stopped answering without closing its connections is given up, so that calls waiting for it go to
 * the next first member: after the sum of the two, as long as an election. The driver's own 40 s would keep them waiting.
 */
const WATCH: ConnectOptions = { heartbeatFrequencyMS: 2000, connectTimeoutMS: 10_000 };

/** Options of our own that an address does not set itself. */
function optionsFor(uri: string, driver: DriverOptions): ConnectOptions {
  const isDirect = /[?&]directConnection=true/i.test(uri);
  const own = { serverSelectionTimeoutMS: SELECTION_MS, ...(isDirect ? {} : WATCH) };
  const given = new Set([...uri.matchAll(/[?&](\w+)=/g)].map(([, name]) => name?.toLowerCase()));
  const free = Object.entries(own).filter(([name]) => !given.has(name.toLowerCase()));
  const saved = writeConcernOf(uri) === undefined ? SAVED : {};
  return { ...OPTIONS, ...saved, ...Object.fromEntries(free), ...driver };
}

async function connect(uri: string, driver: DriverOptions): Promise<Connection> {
  const connection = mongoose.createConnection(uri, optionsFor(uri, driver));
  try {
    return await connection.asPromise();
  } catch (error) {
    await connection.close(true).catch(() => undefined);
    throw toDatabaseError(error);
  }
}

/** How long a ping may take, in ms. */
const ANSWER_MS = 10_000;

/** Measures one round trip to the database, in ms. @throws AppError DATABASE_UNAVAILABLE */
export async function ping(connection: Connection): Promise<number> {
  const begin = performance.now();
  if (connection.db === undefined) throw unavailable();
  // The driver itself waits for an answer without a time limit.
  const signal = AbortSignal.timeout(ANSWER_MS);
  try {
    await connection.db.command({ ping: 1 }, { signal });
  } catch (error) {
    throw error === signal.reason ? unavailable(error as Error) : toDatabaseError(error);
  }
  return performance.now() - begin;
}

/** True when the database answers a client that has just been made. */
async function answersNewClient(uri: string, driver: DriverOptions): Promise<boolean> {
  const connection = mongoose.createConnection(uri, optionsFor(uri, driver));
  try {
    await connection.asPromise();
    return true;
  } catch {
    return false;
  } finally {
    await connection.close(true).catch(() => undefined);
  }
}

/**
 * Returns what to call when the database does not answer: if it answers a new client meanwhile, the connection is closed
 * and opened again, and models and repositories keep working.
 *
 * The driver (7.8) can stop looking for its server for good: if it writes to a connection whose end it has read but not yet
 * reported, it waits without a time limit for a "drain" event, which a destroyed socket never emits.
 */
function reopening(
  connection: Connection,
  uri: string,
  driver: DriverOptions,
  log: Log,
): OpenConnection['reopenIfStuck'] {
  return async (error) => {
    // Any other failure is one of a server that the driver has found.
    if (!lacksServer(error) || !(await answersNewClient(uri, driver))) return;
    // The database may have come back between the two.
    const isBack = await ping(connection).then(
      () => true,
      () => false,
    );
    if (isBack) return;
    await connection.close();
    await connection.openUri(uri, optionsFor(uri, driver));
    log.warn({}, 'the driver had stopped looking for the database; its connection was reopened');
  };
}

async function connectEmbedded(
  { uri, close: end }: EmbeddedEngine,
  log: Log,
  driver: DriverOptions,
): Promise<OpenConnection> {
  try {
    const connection = await connect(uri, driver);
    const close = async () => {
      await connection.close();
      await end();
    };
    return { connection, kind: 'embedded', reopenIfStuck: reopening(connection, uri, driver, log), close };
  } catch (error) {
    await end();
    throw error;
  }
}

/**
 * Everything as one compressed file with checksums, while writes continue: a snapshot of one instant from the embedded
 * engine, collection by collection from a deployment.
 */
async function* archive(settings: Settings, connection: Connection): AsyncGenerator<Uint8Array> {
  if (settings.MONGODB_URI === undefined) return yield* backupStore({ dir: settings.DATA_DIR });
  if (connection.db === undefined) throw unavailable();
  yield* archiveDeployment(connection.db);
}

/** Creates and checks backups. They contain everything and have no owner. */
export function createArchives(settings: Settings, connection: Connection) {
  return {
    /** @throws AppError DATABASE_UNAVAILABLE while being read */
    open: (): AsyncIterable<Uint8Array> => archive(settings, connection),

    /**
     * Restores an archive into an embedded store of its own in the data directory, in a separate thread, compares the two,
     * and removes that store.
     * @returns what the archive holds; if its checksums are right but it could not be restored, why
     * @throws Error when the archive is damaged
     */
    async tryRestore(file: string): Promise<TrialRestore> {
      try {
        return { ...(await tryRestore({ file, within: settings.DATA_DIR })), failure: null };
      } catch (error) {
        if (error instanceof TrialRestoreError) return { failure: error.message };
        throw error;
      }
    },
  };
}

/** The embedded engine's data file. It contains everything and has no owner. */
export function createDataFile(settings: Settings, connection: Connection) {
  const command = async (name: string): Promise<Record<string, unknown>> => {
    if (connection.db === undefined) throw unavailable();
    return connection.db.command({ [name]: 1 });
  };
  const isEmbedded = settings.MONGODB_URI === undefined;
  return {
    /** The file's size and free space in bytes; null without the embedded engine. */
    async size(): Promise<StorageSize | null> {
      if (!isEmbedded) return null;
      const { fileBytes, freeBytes } = (await command('serverStatus'))['storageEngine'] as StorageSize;
      return { fileBytes, freeBytes };
    },

    /** Copies the live data into a new file, without what was deleted; does nothing without the embedded engine. */
    async compact(): Promise<CompactReport | null> {
      if (!isEmbedded) return null;
      const { before, after } = await command('compact');
      return { before: before as StorageSize, after: after as StorageSize };
    },
  };
}

/** The result of a trial restore. */
export type TrialRestore = (ArchiveSummary & { failure: null }) | { failure: string };
export type { ArchiveSummary };
export type Archives = ReturnType<typeof createArchives>;
export type DataFile = ReturnType<typeof createDataFile>;
export type { StorageSize };

/** A connection that is not open yet; every call fails with DATABASE_UNAVAILABLE. */
export function closedConnection(): Connection {
  return mongoose.createConnection();
}

/**
 * Opens a closed connection.
 * @returns what to call when the database does not answer, see `reopening`
 * @throws AppError DATABASE_UNAVAILABLE; it can be retried
 */
export async function openLater(
  connection: Connection,
  uri: string,
  driver: DriverOptions,
  log: Log,
): Promise<OpenConnection['reopenIfStuck']> {
  try {
    await connection.openUri(uri, optionsFor(uri, driver));
  } catch (error) {
    throw toDatabaseError(error);
  }
  return reopening(connection, uri, driver, log);
}

/**
 * Connects to the deployment in `MONGODB_URI`, or else to the embedded engine in `DATA_DIR`. Only this function
 * knows which of the two it is.
 * @throws AppError DATABASE_UNAVAILABLE with what to do
 */
export async function openConnection(
  settings: Settings,
  log: Log,
  { engine, ...driver }: DriverOptions & StartedEngine = {},
): Promise<OpenConnection> {
  if (settings.MONGODB_URI === undefined)
    return connectEmbedded(await (engine ?? startEmbedded(settings.DATA_DIR, log)), log, driver);
  const connection = await connect(settings.MONGODB_URI, driver);
  const reopenIfStuck = reopening(connection, settings.MONGODB_URI, driver, log);
  return { connection, kind: 'deployment', reopenIfStuck, close: () => connection.close() };
}
