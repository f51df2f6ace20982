import { existsSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { EngineError } from '../../errors.ts';
import { ownKey } from '../keys/layout.ts';
import { SqliteKv, type WritableKv } from '../kv.ts';
import { migrateEarlier, removeEarlier } from '../migration/migrate.ts';
import type { StoreLog } from '../types.ts';
import { Background } from './background.ts';
import { damaged, refusedStart } from './failures.ts';
import { createPrivateFile, prepareDirectory, requirePrivate } from './file-system.ts';
import { filesIn, syncDirectory, type DataFiles } from './files.ts';
import { Readers } from './readers.ts';
import { checkFormat, connect, createTables, OPENING_MS } from './schema.ts';
import type { Connection } from './sqlite.ts';
import { useForTemporaryFiles } from './temporary.ts';
import { identityOf, Writer } from './writer.ts';

/** An open data directory. */
export interface Database {
  files: DataFiles;
  writer: Writer;
  readers: Readers;
  background: Background;
  close(): Promise<void>;
}

const RESTORING = ownKey('restoring');
const HOME = ownKey('home');

/** Marks a restore as begun or done: a store with an unfinished restore refuses to open. */
export function markRestoring(kv: WritableKv, begun: boolean): void {
  if (begun) kv.put(RESTORING, Buffer.from('1'));
  else kv.remove(RESTORING);
}

const homeOf = ({ data }: DataFiles): Buffer => Buffer.from(String(identityOf(data)));

/** Whether the data file is the one that was last in use, and not a copy of it; null for a new file. */
export function isHome({ files, writer }: Database): boolean | null {
  return new SqliteKv(writer.db).get(HOME)?.equals(homeOf(files)) ?? null;
}

/** Stores the file's inode number: a different one later means that the file was copied or moved here. */
export function noteHome(files: DataFiles, kv: WritableKv): void {
  kv.put(HOME, homeOf(files));
}

/** Checks directory and files, and opens them. @throws EngineError that says what to do. */
export async function openDatabase(dir: string, onLog: StoreLog): Promise<Database> {
  let db: Connection | null = null;
  try {
    prepareDirectory(dir, onLog);
    useForTemporaryFiles(dir);
    const files = filesIn(dir);
    const { data, log, lock } = files;
    requirePrivate(dir, [data, log, lock]);
    requireData(files);
    createPrivateFile(lock);
    await migrateEarlier(files, onLog);
    createPrivateFile(data);
    db = connect(data, OPENING_MS);
    checkFormat(dir, db);
    createTables(db);
    if (new SqliteKv(db).get(RESTORING))
      throw new EngineError(
        'InternalError',
        `A restore into ${dir} was interrupted. Move the directory away and restore the backup again.`,
      );
    await removeEarlier(files, new SqliteKv(db));
    return await assemble(files, db, onLog);
  } catch (error) {
    db?.close();
    throw refusedStart(dir, error);
  }
}

/** @throws EngineError when only a log is there: its writes belong to a file that is missing */
function requireData({ dir, data, log }: DataFiles): void {
  if (existsSync(data) || (statSync(log, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  throw damaged(dir, `${data} is missing, but not the log that belongs to it`);
}

async function assemble(files: DataFiles, db: Connection, onLog: StoreLog): Promise<Database> {
  // The first read has created the log, which stays the same file until the last connection is closed.
  const log = await open(files.log, 'r+');
  syncDirectory(files.dir);
  db.run('PRAGMA busy_timeout = 0');
  const background = new Background(files.data);
  const readers = new Readers(files.data);
  const writer = new Writer({ db, log, files, background, onLog });
  return {
    files,
    writer,
    readers,
    background,
    async close() {
      await writer.settle();
      await background.close();
      readers.close();
      await log.close();
      // The last connection of all processes transfers the log.
      db.close();
    },
  };
}
