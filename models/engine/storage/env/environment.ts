import { join } from 'node:path';
import { statSync } from 'node:fs';
import { open, type RootDatabase } from 'lmdb';
import { EngineError } from '../../errors.ts';
import { decode, encode } from '../../values/codec.ts';
import { ownKey } from '../keys/layout.ts';
import type { StoreLog } from '../types.ts';
import { completeDataFile } from './data-file.ts';
import { damaged, refusedStart } from './failures.ts';
import { prepareDirectory } from './file-system.ts';

/** Counts up whenever older engines could not read what newer ones write. */
export const FORMAT_VERSION = 1;

/** LMDB with binary keys and values. */
export type Database = RootDatabase<Buffer, Buffer>;

const FORMAT = 'format';
const RESTORING = 'restoring';
const HOME = 'home';
const MAX_READERS = 1024;

/** The name of LMDB's data file in a directory. */
export function dataFile(dir: string): string {
  return join(dir, 'data.mdb');
}

function openLmdb(dir: string, mapSize: number | undefined): Database {
  return open<Buffer, Buffer>({
    path: dir,
    noSubdir: false,
    encoding: 'binary',
    keyEncoding: 'binary',
    maxReaders: MAX_READERS,
    // A commit returns only after its pages are on disk, so a transaction that is reported is durable.
    overlappingSync: false,
    // The queue makes the groups; with LMDB's own grouping a failed commit also rejects a promise that nobody can catch.
    eventTurnBatching: false,
    ...(mapSize ? { mapSize } : {}),
  });
}

function checkFormat(dir: string, db: Database): void {
  const stored = db.get(ownKey(FORMAT));
  if (!stored) {
    for (const _key of db.getKeys({ start: Buffer.from([0]), limit: 1 }))
      throw new EngineError(
        'UnsupportedFormat',
        `${dir} holds a database of another program. Name another directory.`,
      );
    return;
  }
  const version = decode(stored)['version'] as number;
  if (version > FORMAT_VERSION)
    throw new EngineError(
      'UnsupportedFormat',
      `The database in ${dir} has format ${version}; this version of the program reads up to format ${FORMAT_VERSION}. ` +
        'Start the newer version again, or restore a backup made with this one.',
    );
  if (db.get(ownKey(RESTORING)))
    throw new EngineError(
      'InternalError',
      `A restore into ${dir} was interrupted. Move the directory away and restore the backup again.`,
    );
}

/** The file's number on its disk: another one than noted means that the file was copied or moved here. */
function homeOf(dir: string): Buffer {
  return Buffer.from(String(statSync(dataFile(dir)).ino));
}

/** True when the data file is not the one that was last in use: somebody copied it. */
export function wasCopied(dir: string, db: Database): boolean {
  const noted = db.get(ownKey(HOME));
  return noted !== undefined && !noted.equals(homeOf(dir));
}

/** Makes the data file whole. @returns whether it was @throws EngineError that says what to do */
export function completeFile(dir: string): boolean {
  try {
    return completeDataFile(dir, dataFile(dir));
  } catch (error) {
    throw refusedStart(dir, error);
  }
}

/** True when another process that lives has the store open: it has looked at the file when it started. */
export function isInUseElsewhere(db: Database): boolean {
  const pids = db.readerList().matchAll(/^\s*(\d+)\s/gm);
  return [...pids].some(([, pid]) => Number(pid) !== process.pid);
}

/** Notes the format of a new store, and that the data file is where it belongs. */
export async function settle(dir: string, db: Database): Promise<void> {
  const home = homeOf(dir);
  if (db.get(ownKey(FORMAT)) && db.get(ownKey(HOME))?.equals(home)) return;
  await db.transaction(() => {
    if (!db.get(ownKey(FORMAT)))
      db.putSync(ownKey(FORMAT), Buffer.from(encode({ version: FORMAT_VERSION, created: new Date() })));
    db.putSync(ownKey(HOME), home);
  });
}

/** Marks a restore as begun or as done: a store with the mark refuses to open. */
export function markRestoring(db: Database, begun: boolean): void {
  if (begun) db.putSync(ownKey(RESTORING), Buffer.from('1'));
  else db.removeSync(ownKey(RESTORING));
}

/** Opens LMDB after looking at directory and file. @throws EngineError that says what to do. */
export function openEnvironment(dir: string, log: StoreLog, mapSize?: number): Database {
  try {
    prepareDirectory(dir, log);
    completeDataFile(dir, dataFile(dir));
    // Once in a process: LMDB's lock on the directory is lost when a second opening of it is closed.
    const db = openLmdb(dir, mapSize);
    try {
      const stale = db.readerCheck();
      if (stale > 0) log('info', 'cleared reader slots of processes that are gone', { slots: stale });
      checkFormat(dir, db);
      return db;
    } catch (error) {
      void db.close();
      throw error;
    }
  } catch (error) {
    throw refusedStart(dir, error);
  }
}

export { damaged };
