import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Command } from 'commander';
import { parseSettings } from '#app/domain/settings/settings.ts';
import {
  archiveDeployment,
  backupStore,
  restoreDeployment,
  restoreStore,
  type ArchiveDatabase,
} from '#models/engine/index.ts';
import { examples } from '#cli/command.ts';
import { action, type Session, withCommonOptions } from '../command.ts';
import { refuseTerminal, requireTarget, withReadableFile, writeExport } from '#cli/files.ts';
import type { Io } from '../io.ts';
import { EXIT, writeJson, writeNote, writeOutcome } from '../output.ts';

interface BackupOptions {
  out: string;
  force?: boolean;
  json?: boolean;
}

/** Finds the data directory from the settings; provided by `db.ts`. */
export type FindDirectory = (io: Io, mustExist?: boolean) => Promise<string>;

/** Connects to the database at `MONGODB_URI`. */
async function withDeployment<T>(uri: string, work: (database: ArchiveDatabase) => Promise<T>): Promise<T> {
  const { default: mongoose } = await import('mongoose');
  const client = new mongoose.mongo.MongoClient(uri, { serverSelectionTimeoutMS: 10_000 });
  try {
    return await work(client.db());
  } finally {
    await client.close();
  }
}

async function backup(io: Io, find: FindDirectory, options: BackupOptions): Promise<number> {
  refuseTerminal(io, options.out, 'A backup');
  await requireTarget(options.out, options);
  const { MONGODB_URI: uri } = parseSettings(io.env);
  const file = (source: AsyncIterable<Uint8Array>) => () => Readable.from(source, { objectMode: false });
  if (uri === undefined) {
    const dir = await find(io);
    await writeExport(io, options.out, file(backupStore({ dir })));
  } else {
    await withDeployment(uri, (database) => writeExport(io, options.out, file(archiveDeployment(database))));
  }
  if (options.out === '-') return EXIT.done;
  const { size } = await stat(options.out);
  if (options.json) await writeJson(io, { file: options.out, bytes: size });
  else await writeNote(io, `Wrote ${size} bytes to ${options.out}\n`);
  return EXIT.done;
}

/**
 * Restores a backup into the empty database of the settings.
 * @param file a path, or "-" for stdin
 * @param directory finds the data directory; called only without `MONGODB_URI`
 * @throws AppError NOT_FOUND; EngineError when the database is not empty or the backup is damaged
 */
export async function restoreFrom(
  io: Io,
  file: string,
  directory: () => Promise<string>,
): Promise<{ collections: number; documents: number }> {
  const { MONGODB_URI: uri } = parseSettings(io.env);
  return withReadableFile(io, file, async (path) => {
    const source = () => createReadStream(path);
    return uri === undefined
      ? restoreStore({ dir: await directory(), source })
      : withDeployment(uri, (database) => restoreDeployment(database, source));
  });
}

async function restore(
  io: Io,
  find: FindDirectory,
  file: string,
  options: { json?: boolean },
): Promise<number> {
  const summary = await restoreFrom(io, file, () => find(io, false));
  const { collections, documents } = summary;
  if (options.json) await writeJson(io, summary);
  else await writeOutcome(io, `Restored ${documents} documents in ${collections} collections.\n`);
  return EXIT.done;
}

/** Adds `vialbook db backup|restore`. */
export function registerArchive(session: Session, db: Command, find: FindDirectory): void {
  const { io } = session;
  withCommonOptions(
    db
      .command('backup')
      .description(
        'Write everything to one compressed file with checksums, without stopping the server: from DATA_DIR, or from MONGODB_URI if it is set.',
      )
      .requiredOption('--out <file>', 'the file, or - for stdout')
      .option('--force', 'replace the file if it exists')
      .addHelpText('after', examples('vialbook db backup --out vialbook.backup')),
  ).action(action(session, (options: BackupOptions) => backup(io, find, options)));
  withCommonOptions(
    db
      .command('restore')
      .argument('<file>', 'a backup; "-" for stdin')
      .addHelpText(
        'after',
        examples(
          'vialbook db restore vialbook.backup',
          'ssh backups cat vialbook.backup | vialbook db restore -',
        ),
      )
      .description(
        'Restore a backup into an empty data directory, or into the empty database at MONGODB_URI. A damaged file is rejected as a whole.',
      ),
  ).action(action<{ json?: boolean }>(session, (options, file = '') => restore(io, find, file, options)));
}
