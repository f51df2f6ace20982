import mongoose, { mongo, type Connection, type ConnectOptions } from 'mongoose';
import type { Log } from '#app/domain/log.ts';
import type { Settings } from '#app/domain/settings/settings.ts';
import {
  archiveDeployment,
  backupStore,
  TrialRestoreError,
  tryRestore,
  type ArchiveSummary,
  type CompactReport,
  type StorageSize,
} from './engine/index.ts';
import { toDatabaseError, unavailable } from './database-errors.server.ts';
import { Monitors } from './database-watch.server.ts';
import { startEmbedded, type EmbeddedEngine } from './embedded.server.ts';

mongoose.set('sanitizeFilter', true);
mongoose.set('strictQuery', 'throw');
mongoose.set('strict', 'throw');
// Set before the first connection, so that a call without a database fails at once instead of waiting in a buffer.
mongoose.set('bufferCommands', false);

/** An open connection and how to close it. */
export interface OpenConnection {
  connection: Connection;
  kind: 'embedded' | 'deployment';
  /** To be called when the database does not answer, see `Renewal`. */
  renewIfStuck: () => Promise<void>;
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

/** How long a call waits for a deployment that does not answer, in ms, unless its address says otherwise. */
const SELECTION_MS = 5000;

function driverOptions(uri: string, driver: DriverOptions): DriverOptions {
  const own = /[?&]serverSelectionTimeoutMS=/i.test(uri) ? {} : { serverSelectionTimeoutMS: SELECTION_MS };
  return { ...own, ...driver };
}

function optionsFor(uri: string, driver: DriverOptions): ConnectOptions {
  return { ...OPTIONS, ...driverOptions(uri, driver) };
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

/** Watches an open connection's driver, and reopens its client if that has stopped looking for the server. */
interface Renewal {
  /** Every connection that was open is gone, and the server can be reached again. */
  serverStartedAgain(): void;
  /**
   * Call this when the database does not answer. If the driver has stopped looking for it, the client is replaced with a
   * new one, and models and repositories keep working. Otherwise it does nothing.
   *
   * The driver (7.8) gets stuck when it writes to a connection whose end it has read but not yet reported: it waits, without
   * a time limit, for a "drain" event that a destroyed socket never emits (`Connection.writeCommand`).
   */
  renewIfStuck(): Promise<void>;
}

function renewalOf(connection: Connection, uri: string, driver: DriverOptions, log: Log): Renewal {
  let monitors = new Monitors(connection.getClient());
  return {
    serverStartedAgain: () => monitors.serverStartedAgain(performance.now()),
    async renewIfStuck() {
      if (!monitors.areStuck(performance.now())) return;
      const client = new mongo.MongoClient(uri, driverOptions(uri, driver));
      try {
        await client.connect();
      } catch {
        // The database is unreachable. The next call tries again.
        return await client.close();
      }
      // The old client's last events would be mistaken for the new one's.
      connection.getClient().removeAllListeners();
      await connection.close();
      connection.setClient(client);
      monitors = new Monitors(client);
      log.warn({}, 'the driver had stopped looking for the database; its client was reopened');
    },
  };
}

async function connectEmbedded(
  { uri, whenStartedAgain, close: end }: EmbeddedEngine,
  log: Log,
  driver: DriverOptions,
): Promise<OpenConnection> {
  try {
    const connection = await connect(uri, driver);
    const { serverStartedAgain, renewIfStuck } = renewalOf(connection, uri, driver, log);
    whenStartedAgain(serverStartedAgain);
    const close = async () => {
      await connection.close();
      await end();
    };
    return { connection, kind: 'embedded', renewIfStuck, close };
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
      return isEmbedded ? ((await command('compact')) as unknown as CompactReport) : null;
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
 * @returns what to call when the database does not answer, see `Renewal`
 * @throws AppError DATABASE_UNAVAILABLE; it can be retried
 */
export async function openLater(
  connection: Connection,
  uri: string,
  driver: DriverOptions,
  log: Log,
): Promise<() => Promise<void>> {
  try {
    await connection.openUri(uri, optionsFor(uri, driver));
  } catch (error) {
    throw toDatabaseError(error);
  }
  return renewalOf(connection, uri, driver, log).renewIfStuck;
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
  const { renewIfStuck } = renewalOf(connection, settings.MONGODB_URI, driver, log);
  return { connection, kind: 'deployment', renewIfStuck, close: () => connection.close() };
}
