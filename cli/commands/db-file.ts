import type { Command } from 'commander';
import { compactStore, storeStats } from '#models/engine/index.ts';
import { examples } from '#cli/command.ts';
import { action, type Session, withCommonOptions } from '../command.ts';
import { type Io, write } from '../io.ts';
import { EXIT, writeJson } from '../output.ts';
import type { FindDirectory } from './db-archive.ts';

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
  for (const [name = '', ...figures] of rows)
    await write(io.stdout, `${name.padEnd(28)}${figures.map((each) => each.padStart(12)).join('')}\n`);
  await write(
    io.stdout,
    `The file takes ${megabytes(fileBytes)}, of which ${megabytes(freeBytes)} are free.\n`,
  );
  return EXIT.done;
}

async function compact(io: Io, find: FindDirectory, options: { json?: boolean }): Promise<number> {
  const report = await compactStore({ dir: await find(io) });
  const { before, after } = report;
  if (options.json) await writeJson(io, report);
  else
    await write(
      io.stdout,
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
      .description('Show how large the file is, how much of it is free, and what each collection takes.')
      .addHelpText('after', examples('vialbook db stats', 'vialbook db stats --json')),
  ).action(action(session, (options: { json?: boolean }) => stats(io, find, options)));
  withCommonOptions(
    db
      .command('compact')
      .description(
        'Write what counts into a new file, without what was deleted, while the server and others work on. The worker does so by itself after it has deleted accounts, once a day at most.',
      )
      .addHelpText('after', examples('vialbook db compact', 'vialbook db compact --json')),
  ).action(action(session, (options: { json?: boolean }) => compact(io, find, options)));
}
