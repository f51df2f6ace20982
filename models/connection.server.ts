import { chmod, mkdir } from 'node:fs/promises';
import mongoose, { type Connection, type ConnectOptions } from 'mongoose';
import { AppError } from '#app/domain/errors.ts';
import type { Log } from '#app/domain/log.ts';
import type { Settings } from '#app/domain/settings/settings.ts';
import {
  archiveDeployment,
  backupStore,
  checkArchive,
  EngineStartError,
  startEngine,
  type CompactReport,
  type EngineHandle,
  type StorageSize,
} from './engine/index.ts';
import { toDatabaseError, unavailable } from './database-errors.server.ts';

mongoose.set('sanitizeFilter', true);
mongoose.set('strictQuery', 'throw');
mongoose.set('strict', 'throw');
// Also before the first connection: a call without a database fails at once instead of waiting in a buffer.
mongoose.set('bufferCommands', false);

/** What an open database needs to know: which one it is, and how to end. */
export interface OpenConnection {
  connection: Connection;
  kind: 'embedded' | 'deployment';
  close(): Promise<void>;
}

/** Driver options that a caller may add; tests watch the commands. */
export type DriverOptions = Pick<ConnectOptions, 'monitorCommands' | 'serverSelectionTimeoutMS'>;

const OPTIONS: ConnectOptions = { autoIndex: false, autoCreate: false, bufferCommands: false };

/** How long a call waits for a deployment that does not answer, unless its address says so itself. */
const SELECTION_MS = 5000;

function optionsFor(uri: string, driver: DriverOptions): ConnectOptions {
  const own = /[?&]serverSelectionTimeoutMS=/i.test(uri) ? {} : { serverSelectionTimeoutMS: SELECTION_MS };
  return { ...OPTIONS, ...own, ...driver };
}

/** Creates the data directory if it is missing; only its owner may read it. */
async function prepareDirectory(directory: string): Promise<void> {
  try {
    const made = await mkdir(directory, { recursive: true, mode: 0o700 });
    if (made !== undefined) await chmod(directory, 0o700);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError(
      'DATABASE_UNAVAILABLE',
      `The data directory "${directory}" cannot be made: ${reason}`,
      {
        cause: error,
      },
    );
  }
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

async function startEmbedded(directory: string, log: Log): Promise<EngineHandle> {
  try {
    return await startEngine({
      dir: directory,
      log: (entry) => log[entry.level](entry.fields ?? {}, entry.message),
      onLost: (error) => log.error({ err: error }, 'the database engine ended'),
    });
  } catch (error) {
    if (!(error instanceof EngineStartError)) throw error;
    throw new AppError('DATABASE_UNAVAILABLE', error.message, { cause: error });
  }
}

async function connectEmbedded(directory: string, log: Log, driver: DriverOptions): Promise<OpenConnection> {
  await prepareDirectory(directory);
  const engine = await startEmbedded(directory, log);
  try {
    const connection = await connect(engine.uri, driver);
    const close = async () => {
      await connection.close();
      await engine.close();
    };
    return { connection, kind: 'embedded', close };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/**
 * Everything as one compressed file with checksums, while writes go on: of one instant from the embedded engine,
 * collection by collection from a deployment.
 */
async function* archive(settings: Settings, connection: Connection): AsyncGenerator<Uint8Array> {
  if (settings.MONGODB_URI === undefined) return yield* backupStore({ dir: settings.DATA_DIR });
  if (connection.db === undefined) throw unavailable();
  yield* archiveDeployment(connection.db);
}

/** Creates and checks backups. Nobody owns them: they hold everything. */
export function createArchives(settings: Settings, connection: Connection) {
  return {
    /** @throws AppError DATABASE_UNAVAILABLE while it is read */
    open: (): AsyncIterable<Uint8Array> => archive(settings, connection),

    /** Reads an archive to its end. @throws Error when anything in it is wrong */
    check: (source: AsyncIterable<Uint8Array>): Promise<ArchiveSummary> => checkArchive(source),
  };
}

/** The file of the embedded engine. Nobody owns it: it holds everything. */
export function createDataFile(settings: Settings, connection: Connection) {
  const command = async (name: string): Promise<Record<string, unknown>> => {
    if (connection.db === undefined) throw unavailable();
    return connection.db.command({ [name]: 1 });
  };
  const isEmbedded = settings.MONGODB_URI === undefined;
  return {
    /** Bytes of the file, and those of them that are free; null where there is none of ours. */
    async size(): Promise<StorageSize | null> {
      if (!isEmbedded) return null;
      const { fileBytes, freeBytes } = (await command('serverStatus'))['storageEngine'] as StorageSize;
      return { fileBytes, freeBytes };
    },

    /** Writes what counts into a new file, without what was deleted; does nothing where there is none of ours. */
    async compact(): Promise<CompactReport | null> {
      return isEmbedded ? ((await command('compact')) as unknown as CompactReport) : null;
    },
  };
}

/** What an archive holds. */
export type ArchiveSummary = Awaited<ReturnType<typeof checkArchive>>;
export type Archives = ReturnType<typeof createArchives>;
export type DataFile = ReturnType<typeof createDataFile>;
export type { StorageSize };

/** A connection that is not open yet: every call fails with DATABASE_UNAVAILABLE. */
export function closedConnection(): Connection {
  return mongoose.createConnection();
}

/** Opens such a connection. @throws AppError DATABASE_UNAVAILABLE; it may be tried again then */
export async function openLater(connection: Connection, uri: string, driver: DriverOptions): Promise<void> {
  try {
    await connection.openUri(uri, optionsFor(uri, driver));
  } catch (error) {
    throw toDatabaseError(error);
  }
}

/**
 * Connects to the deployment that `MONGODB_URI` names, else to the embedded engine in `DATA_DIR`. The only place that
 * knows which of the two it is.
 * @throws AppError DATABASE_UNAVAILABLE with what to do
 */
export async function openConnection(
  settings: Settings,
  log: Log,
  driver: DriverOptions = {},
): Promise<OpenConnection> {
  if (settings.MONGODB_URI === undefined) return connectEmbedded(settings.DATA_DIR, log, driver);
  const connection = await connect(settings.MONGODB_URI, driver);
  return { connection, kind: 'deployment', close: () => connection.close() };
}
