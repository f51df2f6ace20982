import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { EngineError } from '../../errors.ts';
import { decode } from '../../values/decode.ts';
import { encode } from '../../values/encode.ts';
import { Catalog, newCatalogCache } from '../catalog/catalog.ts';
import { takeExclusive } from '../env/exclusive.ts';
import { damaged } from '../env/failures.ts';
import { createPrivateFile } from '../env/file-system.ts';
import { syncDirectory, type DataFiles } from '../env/files.ts';
import { connect, createTables } from '../env/schema.ts';
import { ownKey } from '../keys/layout.ts';
import { SqliteKv, type Kv } from '../kv.ts';
import type { StoreLog } from '../types.ts';
import { Verifier } from '../upkeep/verify.ts';
import { copyEarlier } from './copy.ts';
import {
  earlierFiles,
  findEarlierFile,
  isStandIn,
  processesUsing,
  standIn,
  type EarlierFile,
} from './lmdb-directory.ts';
import { LmdbFileError, readLmdbFile } from './lmdb-file.ts';

/** How often to see whether another process has finished its migration. */
const AGAIN_MS = 50;

/** The file that was migrated. Until it is removed, a start knows by this that its data is here. */
const MIGRATED = ownKey('migrated');

/** What tells a file from others. */
function identityOf(file: string): { inode: string; bytes: number; changed: Date } {
  const { ino, size, mtime } = statSync(file, { bigint: true });
  return { inode: String(ino), bytes: Number(size), changed: mtime };
}

type Identity = ReturnType<typeof identityOf>;

const isSame = (a: Partial<Identity>, b: Identity): boolean =>
  a.inode === b.inode && a.bytes === b.bytes && a.changed?.getTime() === b.changed.getTime();

/** @throws EngineError while another program, which must be one of an earlier version, has the file open */
function requireUnused({ dir }: DataFiles, earlier: EarlierFile): void {
  const using = processesUsing(earlier);
  if (using.length === 0) return;
  throw new EngineError(
    'InternalError',
    `The data in ${dir} was written by an earlier version of the program, which is still running (process ${using.join(', ')}). Stop it, and start again.`,
  );
}

/** @throws EngineError for an empty file that only took the place of an earlier one: a new file is empty only under the first name */
function requireData({ path: file }: EarlierFile): void {
  if (statSync(file).size > 0 || path.basename(file) === 'data.mdb') return;
  throw new EngineError(
    'UnsupportedFormat',
    `The file with the data is missing: ${file} is empty. Restore the data directory or a backup.`,
  );
}

/**
 * Moves the data of an earlier version, which used LMDB, into a new file. If the process is killed, the next start does it
 * again from the beginning. Several processes may start at the same time. Does nothing if there is no such data.
 * @throws EngineError that says what to do; then everything is as before
 */
export async function migrateEarlier(files: DataFiles, log: StoreLog): Promise<void> {
  if (existsSync(files.data) || !findEarlierFile(files.dir)) return;
  await alone(files, async () => {
    const earlier = existsSync(files.data) ? null : findEarlierFile(files.dir);
    if (earlier) await migrate(files, earlier, log);
  });
}

/** Runs `work` while no other process migrates or compacts. */
async function alone(files: DataFiles, work: () => Promise<void> | void): Promise<void> {
  let giveBack = takeExclusive(files);
  for (; !giveBack; giveBack = takeExclusive(files)) await wait(AGAIN_MS);
  try {
    await work();
  } finally {
    giveBack();
  }
}

async function migrate(files: DataFiles, earlier: EarlierFile, log: StoreLog): Promise<void> {
  const { dir, data } = files;
  const made = `${data}.tmp`;
  const clear = () => {
    for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${made}${end}`, { force: true });
  };
  requireUnused(files, earlier);
  requireData(earlier);
  log('info', 'copying the data of an earlier version into a new file', { from: earlier.path });
  clear();
  try {
    const before = identityOf(earlier.path);
    await writeCopy(files, earlier, made);
    requireUnused(files, earlier);
    if (!isSame(before, identityOf(earlier.path)))
      throw new EngineError('InternalError', `${earlier.path} was changed meanwhile. Start again.`);
  } catch (error) {
    clear();
    throw error instanceof LmdbFileError ? damaged(dir, error.message) : error;
  }
  renameSync(made, data);
  syncDirectory(dir);
  log('info', 'the data of the earlier version is in the new file', { to: data });
}

/** Writes and checks the new file, which is on disk afterwards. */
async function writeCopy({ dir }: DataFiles, earlier: EarlierFile, made: string): Promise<void> {
  createPrivateFile(made);
  const db = connect(made, 0);
  try {
    createTables(db);
    // Nothing needs to be undone or flushed: an unfinished file is thrown away, a finished one is flushed as a whole.
    db.run('PRAGMA journal_mode = OFF');
    db.run('PRAGMA synchronous = OFF');
    const kv = new SqliteKv(db);
    db.run('BEGIN');
    copyEarlier(statSync(earlier.path).size === 0 ? [] : readLmdbFile(earlier.path), kv);
    kv.put(MIGRATED, encode({ ...identityOf(earlier.path) }));
    db.run('COMMIT');
    const structure = () => Promise.resolve(problemOf(db.value('PRAGMA quick_check(1)')));
    const { problems } = await new Verifier(kv, new Catalog(kv, newCatalogCache()), structure).verify();
    if (problems[0] !== undefined) throw damaged(dir, problems[0]);
    db.run('PRAGMA journal_mode = WAL');
  } finally {
    db.close();
  }
  const fd = openSync(made, 'r+');
  fsyncSync(fd);
  closeSync(fd);
}

const problemOf = (answer: unknown): string | null => (answer === 'ok' ? null : String(answer));

/** Whether there is more of an earlier version than the file that makes it refuse the directory. */
function hasEarlier(dir: string): boolean {
  return earlierFiles(dir).some((file) => !isStandIn(file));
}

/**
 * Removes the files of the earlier version after a migration, since they contain what was deleted, and leaves one that makes
 * earlier versions refuse the directory.
 * @throws EngineError when they are not those that were migrated
 */
export async function removeEarlier(files: DataFiles, kv: Kv): Promise<void> {
  if (!hasEarlier(files.dir)) return;
  // Another process may be removing them at this moment.
  await alone(files, () => {
    if (hasEarlier(files.dir)) replaceEarlier(files, kv);
  });
}

function replaceEarlier({ dir, data }: DataFiles, kv: Kv): void {
  const first = path.join(dir, 'data.mdb');
  const others = earlierFiles(dir).filter((file) => file !== first);
  const newest = findEarlierFile(dir)?.path ?? null;
  if (newest !== null && !isStandIn(newest)) {
    const migrated = kv.get(MIGRATED);
    if (!migrated || !isSame(decode(migrated) as Partial<Identity>, identityOf(newest)))
      throw new EngineError(
        'InternalError',
        `${dir} contains both ${data} and ${newest} of an earlier version. Move the one with the older data to another directory.`,
      );
  }
  // The migrated file goes last: while it is there, a start knows that the others are not needed either.
  for (const file of others) if (file !== newest) rmSync(file, { force: true });
  const written = path.join(dir, `moved-${randomUUID()}.tmp`);
  writeFileSync(written, standIn(), { mode: 0o600 });
  renameSync(written, first);
  if (newest !== null && newest !== first) rmSync(newest, { force: true });
  syncDirectory(dir);
}
