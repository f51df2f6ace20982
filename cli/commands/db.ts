import path from 'node:path';
import type { mongo } from 'mongoose';
import { fieldError } from '#app/domain/errors.ts';
import { parseSettings } from '#app/domain/settings/settings.ts';
import { onStopSignal } from '#app/platform/stop-signal.server.ts';
import {
  copyDeployment,
  type CopyClient,
  serveEngine,
  startEngine,
  verifyStore,
  type EngineHandle,
  compactStore,
  storeStats,
} from '#models/engine/index.ts';
import { examples, action, type Session, withCommonOptions } from '#cli/command.ts';
import { requireDataDirectory, withContext } from '#cli/context.ts';
import { type Io, write } from '#cli/io.ts';
import { plural } from '#app/domain/text/plural.ts';
import { columnsText, EXIT, writeJson, writeOutcome } from '#cli/output.ts';
import { startProgress } from '#cli/progress.ts';
import { registerArchive, type FindDirectory } from './db-archive.ts';
import type { Command } from 'commander';
import { finishMigrations, migrationStatus } from '#app/features/system/index.server.ts';

interface ServeOptions {
  port?: string;
  socket?: string;
  json?: boolean;
}

interface CopyCommandOptions {
  to: string;
  json?: boolean;
}

/** The data directory from the settings. @throws AppError NOT_FOUND when `mustExist` is set and there is none */
async function dataDirectory(io: Io, mustExist = true): Promise<string> {
  const { DATA_DIR } = parseSettings(io.env);
  return mustExist ? requireDataDirectory(DATA_DIR) : path.resolve(DATA_DIR);
}

function readPort(text: string | undefined): number {
  const port = text === undefined ? 0 : Number(text);
  if (text !== undefined && !/^\d{1,5}$/.test(text))
    throw fieldError('port', 'The port must be a whole number from 0 to 65535.');
  if (port > 65_535) throw fieldError('port', 'The port must be a whole number from 0 to 65535.');
  return port;
}

/** Resolves when the process is told to stop; rejects when the engine fails. */
function untilStopped(lost: Promise<never>): Promise<void> {
  const signalled = new Promise<void>((resolve) => onStopSignal(() => resolve()));
  return Promise.race([signalled, lost]);
}

async function serve(io: Io, options: ServeOptions): Promise<number> {
  if (options.port !== undefined && options.socket !== undefined)
    throw fieldError('socket', 'Choose --port or --socket, not both.');
  if (options.socket !== undefined && !options.socket.endsWith('.sock'))
    throw fieldError('socket', 'The socket’s name must end in .sock, so that drivers recognize it.');
  const port = readPort(options.port);
  const dir = await dataDirectory(io, false);
  let fail: (error: Error) => void = () => undefined;
  const lost = new Promise<never>((_resolve, reject) => (fail = reject));
  const log = (entry: { level: string; message: string }) => {
    if (entry.level === 'error' || entry.level === 'warn') io.stderr.write(`vialbook: ${entry.message}\n`);
  };
  const where = options.socket === undefined ? { port } : { socket: path.resolve(options.socket) };
  const engine = await serveEngine({ dir, log, onLost: (error) => fail(error), ...where });
  try {
    if (options.json) await writeJson(io, { uri: engine.uri });
    else await write(io.stdout, `${engine.uri}\n`);
    await untilStopped(lost);
  } finally {
    await engine.close();
  }
  return EXIT.done;
}

async function verify(io: Io, options: { json?: boolean }): Promise<number> {
  const dir = await dataDirectory(io);
  const progress = await startProgress(io, 'documents');
  const report = await verifyStore({ dir, onProgress: (documents) => progress.update(documents, documents) });
  progress.stop();
  if (options.json) {
    await writeJson(io, report);
    return report.ok ? EXIT.done : EXIT.failed;
  }
  const { collections, documents, indexEntries, problems, problemCount } = report;
  for (const problem of problems) await write(io.stderr, `vialbook: ${problem}\n`);
  const counts = `${collections} collections, ${documents} documents, ${indexEntries} index entries`;
  await write(
    io.stdout,
    report.ok ? `No problems: ${counts}.\n` : `${plural(problemCount, 'problem')} in ${counts}.\n`,
  );
  return report.ok ? EXIT.done : EXIT.failed;
}

/** The server's error code for an unsupported feature. */
const NOT_IMPLEMENTED = 238;

/** Creates indexes. If the server doesn't support expiring rows, the indexes are created without, as the program itself does. */
async function createIndexes(
  collection: mongo.Collection,
  specs: mongo.IndexDescription[],
): Promise<unknown> {
  try {
    return await collection.createIndexes(specs);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== NOT_IMPLEMENTED) throw error;
    return collection.createIndexes(specs.map(({ expireAfterSeconds: _, ...spec }) => spec));
  }
}

/**
 * A deployment as the target of a copy. The program's database is copied into the one that the address names, which is
 * where the program looks for it when it connects to the same address.
 */
function targetIn(client: mongo.MongoClient, ownName: string): CopyClient {
  const collectionOf = (collection: mongo.Collection) => ({
    find: collection.find.bind(collection),
    insertMany: collection.insertMany.bind(collection),
    listIndexes: () => collection.listIndexes(),
    countDocuments: () => collection.countDocuments(),
    createIndexes: (specs: mongo.IndexDescription[]) => createIndexes(collection, specs),
  });
  return {
    db(name) {
      const database = name === ownName ? client.db() : client.db(name);
      return {
        admin: () => database.admin(),
        listCollections: () => database.listCollections(),
        createCollection: (collection, options) => database.createCollection(collection, options),
        collection: (collection) => collectionOf(database.collection(collection)),
      };
    },
  };
}

/** Copies from the embedded engine to the deployment at `uri`. Nothing may write during the copy. */
async function copyTo(io: Io, engine: EngineHandle, uri: string) {
  const { default: mongoose } = await import('mongoose');
  const { MongoClient } = mongoose.mongo;
  const source = new MongoClient(engine.uri);
  const target = new MongoClient(uri, { serverSelectionTimeoutMS: 10_000 });
  const progress = await startProgress(io, 'documents');
  let done = 0;
  try {
    return await copyDeployment(source, targetIn(target, source.db().databaseName), {
      onProgress: ({ documents }) => progress.update(++done, documents),
    });
  } finally {
    progress.stop();
    await Promise.all([source.close(), target.close()]);
  }
}

async function copy(io: Io, options: CopyCommandOptions): Promise<number> {
  if (!/^mongodb(\+srv)?:\/\//.test(options.to))
    throw fieldError('to', '--to must be an address that begins with mongodb:// or mongodb+srv://.');
  const engine = await startEngine({ dir: await dataDirectory(io) });
  try {
    const report = await copyTo(io, engine, options.to);
    const { collections, documents, indexes } = report;
    if (options.json) await writeJson(io, report);
    else
      await writeOutcome(
        io,
        `Copied ${documents} documents in ${collections} collections with ${indexes} indexes.\n`,
      );
  } finally {
    await engine.close();
  }
  return EXIT.done;
}

/** Adds `vialbook db serve|verify|stats|compact|backup|restore|migrate|copy`. */
export function register(session: Session): void {
  const { io } = session;
  const db = session.program.command('db').description('Manage the embedded database in DATA_DIR.');
  withCommonOptions(
    db
      .command('serve')
      .description(
        'Open the database to mongosh, Compass or a script. Prints one line with its address, then runs until it is stopped.',
      )
      .option('--port <n>', 'port on 127.0.0.1, with a new password (0 or omitted: any free port)')
      .option('--socket <path>', 'unix socket to use instead; its name must end in .sock')
      .addHelpText(
        'after',
        examples(
          'vialbook db serve --port 0',
          'vialbook db serve --socket /tmp/vialbook.sock & sleep 3; mongosh "mongodb://%2Ftmp%2Fvialbook.sock/vialbook?directConnection=true"; kill %1',
        ),
      ),
  ).action(
    action(
      session,
      (options: ServeOptions) => serve(io, options),
      (field) => `--${field}`,
    ),
  );
  withCommonOptions(
    db
      .command('verify')
      .description('Check every index entry against every document. Exits with code 1 if something is wrong.')
      .addHelpText(
        'after',
        examples('vialbook db verify', 'DATA_DIR=/srv/vialbook vialbook db verify --json'),
      ),
  ).action(action(session, (options: { json?: boolean }) => verify(io, options)));
  registerFile(session, db, dataDirectory);
  registerArchive(session, db, dataDirectory);
  registerMigrate(session, db);
  withCommonOptions(
    db
      .command('copy')
      .description('Copy everything, including indexes, to a MongoDB whose collections are empty.')
      .requiredOption('--to <uri>', 'target, mongodb://…')
      .addHelpText('after', examples('vialbook db copy --to mongodb://db.example.org/vialbook')),
  ).action(
    action(
      session,
      (options: CopyCommandOptions) => copy(io, options),
      (field) => `--${field}`,
    ),
  );
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

async function stats(io: Io, find: FindDirectory, options: { json?: boolean }): Promise<number> {
  const found = await storeStats({ dir: await find(io) });
  if (options.json) {
    await writeJson(io, found);
    return EXIT.done;
  }
  const { fileBytes, freeBytes, collections } = found;
  const rows = [
    ['collection', 'documents', 'size', 'indexes'],
    ...collections.map(({ name, documents, bytes, indexBytes }) => [
      name,
      String(documents),
      megabytes(bytes),
      megabytes(indexBytes),
    ]),
  ];
  await write(io.stdout, columnsText(rows, [1, 2, 3]));
  await write(io.stdout, `The file is ${megabytes(fileBytes)}, of which ${megabytes(freeBytes)} is free.\n`);
  return EXIT.done;
}

async function compact(io: Io, find: FindDirectory, options: { json?: boolean }): Promise<number> {
  const report = await compactStore({ dir: await find(io) });
  const { before, after } = report;
  if (options.json) await writeJson(io, report);
  else
    await writeOutcome(
      io,
      `Compacted from ${megabytes(before.fileBytes)} to ${megabytes(after.fileBytes)}.\n`,
    );
  return EXIT.done;
}

/** Adds `vialbook db stats|compact`. */
export function registerFile(session: Session, db: Command, find: FindDirectory): void {
  const { io } = session;
  withCommonOptions(
    db
      .command('stats')
      .description('Show the size of the file, how much of it is free, and the size of each collection.')
      .addHelpText('after', examples('vialbook db stats', 'vialbook db stats --json')),
  ).action(action(session, (options: { json?: boolean }) => stats(io, find, options)));
  withCommonOptions(
    db
      .command('compact')
      .description(
        'Rewrite the file without deleted data while the server and other programs keep running. The worker does this itself after deleting accounts, at most once a day.',
      )
      .addHelpText('after', examples('vialbook db compact', 'vialbook db compact --json')),
  ).action(action(session, (options: { json?: boolean }) => compact(io, find, options)));
}

interface MigrateOptions {
  status?: boolean;
  json?: boolean;
}

async function migrate(io: Io, { status = false, json = false }: MigrateOptions): Promise<number> {
  // Opening the database runs pending migrations, except with `--status` and for what can wait.
  const migrations = await withContext(
    io,
    async (ctx) => {
      if (!status) await finishMigrations(ctx);
      return migrationStatus(ctx);
    },
    { migrates: !status },
  );
  const waiting = migrations.filter(({ state }) => state !== 'done').length;
  if (json) await writeJson(io, { migrations, waiting });
  else if (migrations.length === 0) await write(io.stdout, 'This version has no migrations.\n');
  else
    await write(
      io.stdout,
      columnsText(
        migrations.map(({ id, state, changed, description }) => [
          ...[state, id],
          ...[`${changed} documents`, description],
        ]),
        [2],
      ),
    );
  return EXIT.done;
}

/** Adds `vialbook db migrate`. */
export function registerMigrate(session: Session, db: Command): void {
  const { io } = session;
  withCommonOptions(
    db
      .command('migrate')
      .description(
        'Convert stored data to the format of this version. Vialbook does this itself when it starts; an interrupted migration continues.',
      )
      .option('--status', 'only show the progress of each migration')
      .addHelpText('after', examples('vialbook db migrate --status', 'vialbook db migrate --json')),
  ).action(action(session, (options: MigrateOptions) => migrate(io, options)));
}
