import { closeSync, openSync, readdirSync, readlinkSync, readSync, statSync, type Stats } from 'node:fs';
import path from 'node:path';
import { encode } from '../../values/encode.ts';
import { isRunning } from '../env/running.ts';

/**
 * A data directory of the earlier versions of the program, which used LMDB.
 *
 * The data is in `data.mdb`, with the lock file `lock.mdb`. Each compaction wrote the next of `data-1.mdb`, `data-2.mdb` …,
 * with the lock file `data-1.mdb-lock` …; the file with the highest number is the current one, whatever the others contain. Those before it
 * are empty, or were about to be replaced when a process was killed; `data.mdb` is then a stand-in of a later format, which
 * makes versions refuse that know no other file. `compact-….tmp` is an unfinished copy, `moved-….tmp` an unfinished stand-in.
 *
 * Keys begin with their kind:
 * - `c` collections, `d` documents, `n` counters, `t` outcomes of retryable writes: as they are today.
 * - `g` what remains of dropped collections and indexes and is still to be removed.
 * - `i` index entries. A key of more than 1,932 bytes (without the record id) was cut to 1,900 and a hash of 32, and its
 *   index has `cut` in the collection's record: such keys must be computed again from the documents.
 * - `j` changes noted for a compaction, void when it is not running.
 * - `m` the store's own values: `mcatalogVersion` and `mlastId` (of collections and indexes) belong to the data;
 *   `mformat` is `{ version: 1, created }`, and another version is refused; `mrestoring` marks an unfinished restore, which is
 *   refused as well; `mhome` (the file's inode), `mfollowed`, `mmoved` and `mcompacting` are about the LMDB file only.
 */
export interface EarlierFile {
  path: string;
  lock: string;
}

const LATER = /^data-(\d+)\.mdb$/;
/** Everything that the earlier versions wrote into their directory. */
const OURS = /^(data(-\d+)?\.mdb(-lock)?|lock\.mdb|(compact|moved)-.*\.tmp(-lock)?)$/;

/** The current data file of the earlier versions; null if there is none. */
export function findEarlierFile(dir: string): EarlierFile | null {
  const names = readdirSync(dir);
  const newest = Math.max(0, ...names.map((name) => Number(LATER.exec(name)?.[1] ?? 0)));
  if (newest > 0) {
    const file = path.join(dir, `data-${newest}.mdb`);
    return { path: file, lock: `${file}-lock` };
  }
  return names.includes('data.mdb')
    ? { path: path.join(dir, 'data.mdb'), lock: path.join(dir, 'lock.mdb') }
    : null;
}

/** All files that the earlier versions have left in a directory. */
export function earlierFiles(dir: string): string[] {
  return readdirSync(dir)
    .filter((name) => OURS.test(name))
    .map((name) => path.join(dir, name));
}

/** The reader table at the end of a lock file: for each reader a line of 64 bytes, the process in its second number. */
const READERS = 1024;
const READER_BYTES = 64;
const PROCESS_AT = 8;

/** The processes in a lock file's reader table. One that was killed is still there. */
function readersIn(lock: string): number[] {
  const found = statSync(lock, { throwIfNoEntry: false });
  const table = Buffer.alloc(READERS * READER_BYTES);
  if (!found || found.size < table.length) return [];
  const fd = openSync(lock, 'r');
  try {
    readSync(fd, table, 0, table.length, found.size - table.length);
  } finally {
    closeSync(fd);
  }
  return Array.from({ length: READERS }, (_, n) => table.readInt32LE(n * READER_BYTES + PROCESS_AT));
}

const isSame = (a: Stats, b: Stats | undefined): boolean => a.dev === b?.dev && a.ino === b.ino;

/** Whether a process has one of some files open; null when this user may not know. Only on Linux. */
function hasOpen(pid: number, files: Stats[]): boolean | null {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).some((name) => {
      try {
        // Sockets and pipes need no closer look.
        if (!readlinkSync(`${folder}/${name}`).startsWith('/')) return false;
        const open = statSync(`${folder}/${name}`, { throwIfNoEntry: false });
        return files.some((file) => isSame(file, open));
      } catch {
        return false;
      }
    });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? false : null;
  }
}

/**
 * The other processes that have a file of the earlier versions open. LMDB registers each in the lock file, but the entry of a
 * killed one stays, and another process may have got its number; on Linux, the open files of all processes decide.
 * Processes in another container are not seen: a directory shared by two was never supported.
 */
export function processesUsing(file: EarlierFile): number[] {
  const readers = new Set(readersIn(file.lock).filter((pid) => pid > 0 && isRunning(pid)));
  const files = [file.path, file.lock].flatMap((name) => statSync(name, { throwIfNoEntry: false }) ?? []);
  const isUsing = (pid: number): boolean => hasOpen(pid, files) ?? readers.has(pid);
  const using =
    process.platform === 'linux'
      ? readdirSync('/proc')
          .map(Number)
          .filter((pid) => pid > 0 && isUsing(pid))
      : [...readers];
  return using.filter((pid) => pid !== process.pid).sort((a, b) => a - b);
}

const PAGE_BYTES = 4096;
const MAP_BYTES = 0x20000;
const NO_PAGE = 0xffff_ffff_ffff_ffffn;
const STAND_IN_NOTE =
  'The database is in the file data.db. Versions of the program that know it by another name must not use it.\n';

/** Whether a file is what {@link standIn} has written. The length of LMDB's own files is a multiple of the page size. */
export function isStandIn(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.size === 3 * PAGE_BYTES + STAND_IN_NOTE.length;
}

/**
 * An LMDB file with nothing but a format that earlier versions do not know, so that they refuse to start and say that a newer
 * version was here. It must be a valid one: their LMDB ends the process when it opens anything else.
 */
export function standIn(): Buffer {
  const pages = Buffer.alloc(3 * PAGE_BYTES);
  for (const number of [0, 1]) {
    const page = pages.subarray(number * PAGE_BYTES);
    page.writeUInt32LE(number, 0);
    page.writeUInt16LE(0x08, 18);
    page.writeUInt32LE(0xbeefc0de, 24);
    page.writeUInt32LE(2, 28);
    page.writeUInt32LE(MAP_BYTES, 40);
    page.writeUInt32LE(PAGE_BYTES, 48);
    page.writeUInt16LE(0x08, 52);
    for (const root of [88, 136]) page.writeBigUInt64LE(NO_PAGE, root);
    page.writeUInt32LE(2, 144);
    page.writeUInt32LE(number, 152);
  }
  // The state of the first transaction: a tree of one leaf with one entry.
  const meta = pages.subarray(PAGE_BYTES);
  meta.writeUInt16LE(1, 102);
  for (const [value, at] of [
    [1, 112],
    [1, 128],
  ] as const)
    meta.writeUInt32LE(value, at);
  meta.writeBigUInt64LE(2n, 136);

  const key = Buffer.from('mformat');
  const value = encode({ version: 2, created: new Date() });
  const node = Buffer.alloc(8);
  node.writeUInt32LE(value.length, 0);
  node.writeUInt16LE(key.length, 6);
  const entry = Buffer.concat([node, key, value]);
  const leaf = pages.subarray(2 * PAGE_BYTES);
  // Nodes begin at even places.
  const at = (PAGE_BYTES - entry.length) & ~1;
  leaf.writeUInt32LE(2, 0);
  leaf.writeUInt32LE(1, 8);
  leaf.writeUInt16LE(0x02, 18);
  leaf.writeUInt16LE(2, 20);
  leaf.writeUInt16LE(at - 24, 22);
  leaf.writeUInt16LE(at - 24, 24);
  entry.copy(leaf, at);
  return Buffer.concat([pages, Buffer.from(STAND_IN_NOTE)]);
}
