import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

/**
 * Determines which file in a directory is the database. A new one is `data.mdb`; each compaction writes the next of
 * `data-1.mdb`, `data-2.mdb` … The file with the highest number is current, from the moment it is renamed to that number.
 *
 * A process may still have an earlier file open. This is safe because:
 * - The next file only appears while the previous one is locked for writing, so a process that holds that lock and sees
 *   that its own file is the newest can write until it releases the lock.
 * - A file is only replaced after a later one has appeared, and all earlier ones are replaced before the next appears. So a
 *   file is the newest exactly if it still has its name and the next number is not taken, which is cheap to check.
 * - An empty file takes its name for an hour: another process may be opening it at this moment, and LMDB opens it by name
 *   twice. If it is gone the second time, the `lmdb` package frees memory twice, which ends the process.
 * - Each file has a lock file of its own. LMDB's lock file counts transactions and must not outlive its data file.
 */
export interface DataFile {
  number: number;
  path: string;
  lock: string;
}

const FIRST = 'data.mdb';
const LATER = /^data-(\d+)\.mdb$/;
/** Copies that a compaction is writing, or was writing when it was killed. */
const COPY = /^compact-.*\.tmp/;
/** What will replace an earlier file, until it does: a few milliseconds, unless its process is killed. */
const STAND_IN = /^moved-.*\.tmp/;
/** Nobody opens a file for this long. */
const OPENED_MS = 60 * 60_000;
/** The text at the end of the file that replaces the first one once there are later ones. */
export const MOVED_NOTE =
  'The database is in the file data-N.mdb with the highest number, for versions that know it by this name.\n';
/** The length of LMDB's own files is a multiple of this. */
const PAGE_BYTES = 4096;

/** The file with a number; 0 is the first. */
export function numbered(dir: string, number: number): DataFile {
  if (number === 0) return { number, path: path.join(dir, FIRST), lock: path.join(dir, 'lock.mdb') };
  const file = path.join(dir, `data-${number}.mdb`);
  return { number, path: file, lock: `${file}-lock` };
}

/** Where a compaction writes its copy. */
export function copyFile(dir: string, token: string): string {
  return path.join(dir, `compact-${token}.tmp`);
}

function numbersIn(dir: string): number[] {
  return readdirSync(dir).flatMap((name) => {
    const number = LATER.exec(name)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
}

/** The current file, which may not exist yet in a new directory. */
export function newestFile(dir: string): DataFile {
  return numbered(dir, Math.max(0, ...numbersIn(dir)));
}

/** A file's inode number, which is not reused while it is open; null if the file does not exist. */
export function identityOf(file: string): bigint | null {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
}

/** Whether the file that a process has open, known by its identity, is still the newest. */
export function isNewest(dir: string, file: DataFile, identity: bigint): boolean {
  return identityOf(file.path) === identity && !existsSync(numbered(dir, file.number + 1).path);
}

/** Flushes renames and removals in a directory to disk. */
export function syncDirectory(dir: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(dir, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/**
 * Replaces the files before the newest, after flushing the newest one's name to disk. `standIn` writes a file that replaces
 * the first one, which earlier versions of the program look for; an empty file replaces each of the others.
 */
export function removeEarlier(dir: string, newest: DataFile, standIn: (path: string) => void): void {
  if (newest.number === 0) return;
  const first = numbered(dir, 0);
  const earlier = numbersIn(dir)
    .filter((number) => number < newest.number)
    .map((number) => numbered(dir, number))
    .filter((file) => sizeOf(file) > 0 || isUntouched(file.path));
  const isFirstThere = sizeOf(first) % PAGE_BYTES !== MOVED_NOTE.length;
  if (earlier.length > 0 || isFirstThere) syncDirectory(dir);
  for (const file of earlier) {
    if (sizeOf(file) > 0) replace(dir, file, (path) => writeFileSync(path, '', { mode: 0o600 }));
    else rmSync(file.path, { force: true });
    rmSync(file.lock, { force: true });
  }
  if (isFirstThere) replace(dir, first, standIn);
  rmSync(first.lock, { force: true });
}

function sizeOf({ path: file }: DataFile): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Whether nobody has written to a file for so long that nobody is opening it either. */
function isUntouched(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs > OPENED_MS;
}

/** Replaces a file with what `write` writes, under a name of its own: several processes may do so at the same time. */
function replace(dir: string, file: DataFile, write: (path: string) => void): void {
  const written = path.join(dir, `moved-${randomUUID()}.tmp`);
  write(written);
  renameSync(written, file.path);
}

const copiesIn = (dir: string): string[] =>
  readdirSync(dir).filter(
    (name) => COPY.test(name) || (STAND_IN.test(name) && isUntouched(path.join(dir, name))),
  );

/** Whether there are copies left by compactions, finished or not, or stand-ins for the first file. */
export function hasCopies(dir: string): boolean {
  return copiesIn(dir).length > 0;
}

export function removeCopies(dir: string): void {
  for (const name of copiesIn(dir)) rmSync(path.join(dir, name), { force: true });
}
