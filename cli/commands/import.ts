import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { AppError } from '#app/domain/errors.ts';
import type { ImportSource } from '#app/features/import/index.server.ts';
import { plural } from '#app/domain/text/plural.ts';
import { allCounts, countsText, type TypeCounts } from '#app/domain/records/type-names.ts';
import { action, type Session, userOption, withCommonOptions } from '../command.ts';
import { throughDoor } from '../doors/door.ts';
import { importDoors, type ListedImport, type Outcome } from '../doors/import.ts';
import { cannotRead } from '#cli/files.ts';
import { type Io, write } from '../io.ts';
import { columnsText, EXIT, writeJson, writeNote } from '../output.ts';
import { withSmallMemory } from '../small-memory.ts';
import { startProgress } from '../progress.ts';

interface ImportOptions {
  user: string;
  dryRun?: boolean;
  list?: boolean;
  undo?: string;
  confirm?: boolean;
  json?: boolean;
}

const HELP = `
The file is a Vialbook export (JSON or CSV, every type) or a CSV table of doses taken:
  takenAt,name,amount,unit[,site][,notes]
  2026-03-09 08:00,BPC-157,250,mcg,abdomen-upper-left,after breakfast
Times without an offset are in the account's time zone. If any row contains an error, nothing is imported; the rows and
their line numbers are listed, exit code 2. The same goes for rows with an unusual amount, unless you add --confirm.
A vial whose reconstitution date is in the future is imported and listed.
Existing records are skipped. You can undo an import for 7 days.

The file may also hold a phone's health data: the export.xml of Apple Health or its zip file, or the JSON of Health Auto
Export or a Health Connect exporter. Weight, body fat, blood pressure, heart rate, glucose and sleep become
measurements; what was imported and what was skipped is listed. Memory use does not grow with the file.

Examples:
  vialbook import --user ada@example.org backup.json --dry-run
  vialbook export --user ada@example.org --format json | vialbook import --user new@example.org -
  vialbook import --user ada@example.org --list
  vialbook import --user ada@example.org --undo imp_6740a1b2c3d4e5f607182930`;

/** The file's bytes in chunks, and its size if known. */
async function openSource(
  io: Io,
  file: string,
): Promise<{ bytes: AsyncIterable<Uint8Array>; size?: number }> {
  if (file === '-') return { bytes: io.stdin as AsyncIterable<Uint8Array> };
  const facts = await stat(file).catch((cause: unknown) => {
    throw cannotRead(file, cause);
  });
  if (facts.isDirectory()) throw cannotRead(file, Object.assign(new Error(), { code: 'EISDIR' }));
  async function* pieces() {
    try {
      for await (const piece of createReadStream(file)) yield piece as Uint8Array;
    } catch (cause) {
      throw cannotRead(file, cause);
    }
  }
  return { bytes: pieces(), ...(facts.isFile() && { size: facts.size }) };
}

const NOTHING = 'nothing';
const inWords = (counts: TypeCounts): string => countsText(counts) ?? NOTHING;

const plainLine = (text: string): string => `${text.replace(/\p{Cc}/gu, ' ')}\n`;

async function tell(io: Io, { dryRun = false, json }: ImportOptions, outcome: Outcome): Promise<void> {
  const { id, rows, added, unusual = [], healthFile = null } = outcome;
  if (json)
    return writeJson(io, {
      dryRun,
      ...(id !== undefined && { id }),
      rows: allCounts(rows),
      added: allCounts(added),
      unusual,
      healthFile,
    });
  const verb = dryRun ? 'Would add' : 'Added';
  await writeNote(io, `Read ${inWords(rows)}. ${verb} ${inWords(added)}.\n`);
  for (const { type, records, taken } of healthFile?.understood ?? [])
    await writeNote(io, plainLine(`Recognised: ${type}, ${plural(records, 'record')}. ${taken}.`));
  for (const { type, records, reason } of healthFile?.leftOut ?? [])
    await writeNote(io, plainLine(`Left out: ${type}, ${plural(records, 'record')}. ${reason}.`));
  for (const { message } of unusual) await writeNote(io, plainLine(message));
  if (id !== undefined && countsText(added) !== null)
    await writeNote(io, `Undo within 7 days: vialbook import ${io.login ? '' : '--user … '}--undo ${id}\n`);
}

/** Works on the file while a progress bar on stderr shows how much has been read. */
async function whileReading<T>(io: Io, file: string, work: (source: ImportSource) => Promise<T>): Promise<T> {
  const { bytes, size } = await openSource(io, file);
  const progress = await startProgress(io, 'bytes read', size);
  const onRead = (read: number) => progress.update(read, read);
  try {
    const isFile = size !== undefined;
    return await work({ bytes, fileName: file === '-' ? null : file, onRead, ...(isFile && { path: file }) });
  } finally {
    progress.stop();
  }
}

/** Writes the rows while a progress bar on stderr shows how many there are already. */
async function whileWriting<T>(
  io: Io,
  total: number,
  work: (onWritten: (count: number) => void) => Promise<T>,
): Promise<T> {
  const progress = await startProgress(io, 'rows written', total);
  try {
    return await work((count) => progress.update(count, count));
  } finally {
    progress.stop();
  }
}

async function bringIn(io: Io, options: ImportOptions, file: string): Promise<void> {
  const { user, dryRun, confirm = false } = options;
  await throughDoor(io, importDoors(user), async (door) => {
    const read = <T>(work: (source: ImportSource) => Promise<T>) => whileReading(io, file, work);
    if (dryRun) return tell(io, options, await door.check(read));
    const done = await door.bringIn(read, (total, work) => whileWriting(io, total, work), confirm);
    // With --confirm the user has seen them already. Without it, those left need no confirmation but are still shown.
    return tell(io, options, confirm ? { ...done, unusual: [] } : done);
  });
}

const cells = ({ id, state, fileName, doneAt, createdAt, added }: ListedImport): string[] =>
  [
    ...[id, (doneAt ?? createdAt).toISOString(), state, inWords(added)],
    ...(fileName === null ? [] : [`(${fileName})`]),
  ].map((cell) => cell.replace(/\p{Cc}/gu, ' '));

async function list(io: Io, { user, json }: ImportOptions): Promise<void> {
  const actions = { page: 1, limit: 100 };
  const { items: imports, total } = await throughDoor(io, importDoors(user), (door) => door.list(actions));
  if (json) {
    const shown = imports.map(({ id, state, fileName, createdAt, doneAt, rows, added, kept: result }) => ({
      ...{ id, state, fileName, createdAt, doneAt },
      ...{ rows: allCounts(rows), added: allCounts(added), kept: allCounts(result) },
    }));
    return writeJson(io, { imports: shown, ...actions, total });
  }
  await write(io.stdout, columnsText(imports.map(cells)));
  if (imports.length === 0) await writeNote(io, 'No imports yet.\n');
}

async function undo(io: Io, { user, json, undo: id = '' }: ImportOptions): Promise<void> {
  const result = await throughDoor(io, importDoors(user), (door) => door.undo(id));
  if (json) return writeJson(io, { id, state: 'undone', kept: allCounts(result) });
  const stays = countsText(result);
  await writeNote(
    io,
    stays === null ? 'Undone.\n' : `Undone. Kept because they were changed since: ${stays}.\n`,
  );
}

async function run(io: Io, options: ImportOptions, file: string | undefined): Promise<number> {
  const actions = [file !== undefined, options.list === true, options.undo !== undefined].filter(Boolean);
  if (actions.length !== 1)
    throw new AppError('INVALID_INPUT', 'Give a file ("-" for stdin), --list, or --undo with an id.');
  if (options.list) await list(io, options);
  else if (options.undo !== undefined) await undo(io, options);
  else await withSmallMemory(() => bringIn(io, options, file ?? '-'));
  return EXIT.done;
}

/** Adds `vialbook import`. */
export function register(session: Session): void {
  const command = session.program
    .command('import')
    .description(
      'Import an export, a table of doses or a phone’s health data into an account: all of it or nothing.',
    )
    .argument(
      '[file]',
      'an export (JSON, CSV), a table of doses (CSV) or a phone\'s health file (XML, zip, JSON); "-" for stdin',
    )
    .addOption(userOption('whose data'))
    .option('--dry-run', 'only report what would be added and which rows contain errors')
    .option('--confirm', 'import unusual amounts, too')
    .option('--list', 'list the imports of the account')
    .option('--undo <id>', 'undo an import')
    .addHelpText('after', HELP);
  withCommonOptions(command).action(
    action<ImportOptions>(session, (options, file) => run(session.io, options, file)),
  );
}
