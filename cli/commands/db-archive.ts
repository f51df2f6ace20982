import { createReadStream } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Command } from 'commander';
import { AppError } from '#app/domain/errors.ts';
import { backupStore, restoreStore } from '#models/engine/index.ts';
import { action, type Session, withCommonOptions } from '../command.ts';
import { writeExport } from '../export-target.ts';
import type { Io } from '../io.ts';
import { write } from '../io.ts';
import { EXIT, writeJson } from '../output.ts';

interface BackupOptions {
  out: string;
  json?: boolean;
}

/** Finds the data directory of the settings; given by `db.ts`. */
export type FindDirectory = (io: Io, mustExist?: boolean) => Promise<string>;

async function backup(io: Io, dir: string, options: BackupOptions): Promise<number> {
  await writeExport(io, options.out, () => Readable.from(backupStore({ dir }), { objectMode: false }));
  if (options.out === '-') return EXIT.done;
  const { size } = await stat(options.out);
  if (options.json) await writeJson(io, { file: options.out, bytes: size });
  else await write(io.stderr, `Wrote ${size} bytes to ${options.out}\n`);
  return EXIT.done;
}

async function restore(io: Io, dir: string, file: string, options: { json?: boolean }): Promise<number> {
  await access(file).catch((error: unknown) => {
    throw new AppError('NOT_FOUND', `There is no file "${file}".`, { cause: error });
  });
  const summary = await restoreStore({ dir, source: () => createReadStream(file) });
  const { collections, documents } = summary;
  if (options.json) await writeJson(io, summary);
  else await write(io.stdout, `Restored ${documents} documents in ${collections} collections.\n`);
  return EXIT.done;
}

/** Adds `vialbook db backup|restore`. */
export function registerArchive(session: Session, db: Command, find: FindDirectory): void {
  const { io } = session;
  withCommonOptions(
    db
      .command('backup')
      .description('Write everything to one compressed file with checksums, while writes go on.')
      .requiredOption('--out <file>', 'the file, or - for stdout'),
  ).action(action(session, async (options: BackupOptions) => backup(io, await find(io), options)));
  withCommonOptions(
    db
      .command('restore')
      .argument('<file>', 'a backup')
      .description('Read a backup into an empty data directory. Refused whole when the file is damaged.'),
  ).action(
    action<{ json?: boolean }>(session, async (options, file = '') =>
      restore(io, await find(io, false), file, options),
    ),
  );
}
