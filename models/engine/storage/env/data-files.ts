import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';

/**
 * Which of the files in a directory is the database. A new one is `data.mdb`; each compaction writes the next of
 * `data-1.mdb`, `data-2.mdb` … The highest number counts, and its appearing, by a rename, is what makes it count.
 *
 * A process may still have an earlier one open. What makes that safe:
 * - The next file appears only while the one before it is locked for writing, so whoever holds that lock and sees that its
 *   own file is the newest can write until the lock is given back.
 * - A file goes only after a later one has appeared, and all before the newest go before the next appears. So a file is
 *   the newest exactly if it still has its name and the number after it is not taken; that is cheap to look at.
 * - Each file has a lock file of its own. LMDB's lock counts transactions, and must not outlive the file it belongs to.
 */
export interface DataFile {
  number: number;
  path: string;
  lock: string;
}

const FIRST = 'data.mdb';
const LATER = /^data-(\d+)\.mdb$/;
/** Copies that a compaction is writing, or was when it was killed. */
const COPY = /^compact-.*\.tmp/;
/** What the file ends with that stands in the place of the first, once there are later ones. */
export const MOVED_NOTE =
  'The database is in the file data-N.mdb with the highest number, for versions that know it by this name.\n';
/** LMDB's own files are a multiple of this long. */
const PAGE_BYTES = 4096;

/** The file of a number; 0 is the first. */
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

/** The file that counts, which need not exist in a new directory. */
export function newestFile(dir: string): DataFile {
  return numbered(dir, Math.max(0, ...numbersIn(dir)));
}

/** The number of a file on its disk, which nothing else gets while it is open; null when it is not there. */
export function identityOf(file: string): bigint | null {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
}

/** Whether the file that a process has open, known by its identity, is the newest still. */
export function isNewest(dir: string, file: DataFile, identity: bigint): boolean {
  return identityOf(file.path) === identity && !existsSync(numbered(dir, file.number + 1).path);
}

/** Puts names that were given or taken on the disk. */
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
 * Removes the files before the newest. That one's name is put on the disk first. `standIn` writes a file that takes the
 * place of the first one, which earlier versions of the program look for.
 */
export function removeEarlier(dir: string, newest: DataFile, standIn: (path: string) => void): void {
  if (newest.number === 0) return;
  const first = numbered(dir, 0);
  const earlier = numbersIn(dir).filter((number) => number < newest.number);
  const { size } = statSync(first.path, { throwIfNoEntry: false }) ?? { size: 0 };
  const isFirstThere = size % PAGE_BYTES !== MOVED_NOTE.length;
  if (earlier.length > 0 || isFirstThere) syncDirectory(dir);
  for (const number of earlier) remove(numbered(dir, number));
  if (isFirstThere) {
    const stub = copyFile(dir, `moved-${process.pid}`);
    standIn(stub);
    renameSync(stub, first.path);
  }
  rmSync(first.lock, { force: true });
}

function remove({ path: file, lock }: DataFile): void {
  rmSync(file, { force: true });
  rmSync(lock, { force: true });
}

const copiesIn = (dir: string): string[] => readdirSync(dir).filter((name) => COPY.test(name));

/** Whether copies of a compaction lie about, finished or not. */
export function hasCopies(dir: string): boolean {
  return copiesIn(dir).length > 0;
}

export function removeCopies(dir: string): void {
  for (const name of copiesIn(dir)) rmSync(path.join(dir, name), { force: true });
}
