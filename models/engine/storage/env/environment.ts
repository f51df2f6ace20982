import * as lmdb from 'lmdb';
import type { RootDatabase, RootDatabaseOptionsWithPath } from 'lmdb';
import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { EngineError } from '../../errors.ts';
import { decode } from '../../values/decode.ts';
import { encode } from '../../values/encode.ts';
import { ownKey } from '../keys/layout.ts';
import type { Kv, WritableKv } from '../kv.ts';
import type { StoreLog } from '../types.ts';
import { completeDataFile } from './data-file.ts';
import {
  identityOf,
  MOVED_NOTE,
  newestFile,
  numbered,
  removeEarlier as replaceFiles,
  type DataFile,
} from './data-files.ts';
import { refusedStart } from './failures.ts';
import { prepareDirectory, prepareFiles } from './file-system.ts';
import { Turnstile } from './turnstile.ts';

/** Incremented whenever older engines cannot read what newer ones write. */
export const FORMAT_VERSION = 1;

/** LMDB with binary keys and values. */
export type Database = RootDatabase<Buffer, Buffer>;

const FORMAT = ownKey('format');
/** Since when all programs that open the file notice when another file replaces it. */
const FOLLOWED = ownKey('followed');
const RESTORING = 'restoring';
const HOME = ownKey('home');
/** Set in a file that a compaction has replaced, whose data is old. */
export const MOVED = ownKey('moved');
const MAX_READERS = 1024;

/** An open file with its inode number. */
export interface Environment {
  db: Database;
  file: DataFile;
  identity: bigint;
  turnstile: Turnstile;
}

/** The `lmdb` package's internal link to LMDB; statuses 0 to 2 are a write's progress, all others are LMDB errors. */
interface Link {
  startWriting(from: number, tell: (status: number) => unknown): void;
  /** Releases this thread's write lock, which the package keeps when a write cannot begin. */
  resumeWriting(): void;
  close(): void;
}

const linkOf = (db: Database): Link => (db as unknown as { env: Link }).env;

/** Callbacks waiting for a transaction of a database, called when LMDB fails. */
const waiting = new WeakMap<Database, Set<(error: Error) => void>>();
/** Databases with a transaction that could not begin: the `lmdb` package would wait for it before closing them. */
const refusing = new WeakSet<Database>();

function watchFailures(db: Database): void {
  const told = new Set<(error: Error) => void>();
  waiting.set(db, told);
  const env = linkOf(db);
  const start = env.startWriting.bind(env);
  const startWriting: typeof start = (from, tell) =>
    start(from, (status) => {
      // Statements of a failed commit get its reason first.
      if (![0, 1, 2].includes(status))
        setImmediate(() =>
          told.forEach((refuse) => refuse(new Error(`LMDB cannot begin to write (${status})`))),
        );
      return tell(status);
    });
  Object.defineProperty(env, 'startWriting', { value: startWriting });
}

/**
 * Runs a write transaction. If it cannot begin, the `lmdb` package returns a promise that never settles: after
 * a disk failure, LMDB refuses all writes to an open file, including by others in this process that have it open.
 */
export function transaction(db: Database, run: () => void | Promise<void>): Promise<void> {
  const told = waiting.get(db);
  return new Promise<void>((resolve, reject) => {
    const refuse = (reason: Error) => {
      refusing.add(db);
      linkOf(db).resumeWriting();
      reject(reason);
    };
    told?.add(refuse);
    db.transaction(run)
      .then(resolve, reject)
      .finally(() => told?.delete(refuse));
  });
}

/** The `lmdb` package's class of {@link Link}, which its types leave out. */
const { Env } = (lmdb as unknown as { nativeAddon: { Env: { prototype: { path?: string } } } }).nativeAddon;

/**
 * Calls `opened` when LMDB has opened a file in `run`, and so has its locks, but has not begun a transaction: at that moment,
 * the `lmdb` package stores the path in its link, and tells nobody else.
 */
function tellWhenOpened<T>(opened: () => void, run: () => T): T {
  Object.defineProperty(Env.prototype, 'path', {
    configurable: true,
    set(this: object, value: string) {
      Object.defineProperty(this, 'path', { value, writable: true, enumerable: true, configurable: true });
      opened();
    },
  });
  try {
    return run();
  } finally {
    delete Env.prototype.path;
  }
}

/**
 * Opens an LMDB file. `path` is the file itself; its lock file has the same name plus `-lock`. `opened` is called before the
 * first transaction. While it is being opened, nobody may remove it: the `lmdb` package then frees memory twice, which ends
 * the process.
 */
export function openLmdb(
  options: Pick<RootDatabaseOptionsWithPath, 'path' | 'noSubdir' | 'noSync' | 'mapSize'>,
  opened: () => void = () => undefined,
): Database {
  const db = tellWhenOpened(opened, () =>
    lmdb.open<Buffer, Buffer>({
      noSubdir: true,
      encoding: 'binary',
      keyEncoding: 'binary',
      maxReaders: MAX_READERS,
      // A commit only returns after its pages are on disk, so a reported transaction is durable.
      overlappingSync: false,
      // The queue groups writes. With LMDB's own grouping, a failed commit also rejects a promise that nobody can catch.
      eventTurnBatching: false,
      ...options,
    }),
  );
  watchFailures(db);
  return db;
}

function checkFormat(dir: string, db: Database): void {
  const stored = db.get(FORMAT);
  if (!stored) {
    for (const _key of db.getKeys({ start: Buffer.from([0]), limit: 1 }))
      throw new EngineError(
        'UnsupportedFormat',
        `${dir} contains a database of another program. Choose another directory.`,
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

/** Stores the file's inode number: a different one later means that the file was copied or moved here. */
export function noteHome(db: Database, identity: bigint): void {
  db.putSync(HOME, Buffer.from(String(identity)));
}

function isHome({ db, identity }: Environment): boolean | null {
  const noted = db.get(HOME);
  return noted === undefined ? null : noted.equals(Buffer.from(String(identity)));
}

/** True when the data file is not the one that was last in use, because it was copied. */
export function wasCopied(environment: Environment): boolean {
  return isHome(environment) === false;
}

/** Completes the data file. @returns whether it was already complete @throws EngineError that says what to do */
export function completeFile(dir: string): boolean {
  try {
    return completeDataFile(dir, existsSync(dir) ? newestFile(dir).path : numbered(dir, 0).path);
  } catch (error) {
    throw refusedStart(dir, error);
  }
}

/** True when another live process has the store open, and therefore checked the file when it started. */
export function isInUseElsewhere(db: Database): boolean {
  const pids = db.readerList().matchAll(/^[ \t]*(\d+)\s/gm);
  return [...pids].some(([, pid]) => Number(pid) !== process.pid);
}

/** An earlier version of the program, which would not notice a compaction, has been stopped this long after a newer one started. */
const UPDATE_MS = 60 * 60_000;

/**
 * Replaces the files before the newest, the first one by an empty database of a later format, which earlier versions of the
 * program refuse. It must be a valid database: a process may be about to open the first file at this moment,
 * and the `lmdb` package ends the process when a file that it opens is not a database.
 */
export function removeEarlier(dir: string, newest: DataFile): void {
  replaceFiles(dir, newest, (path) => {
    prepareFiles(dir, [path, `${path}-lock`]);
    const db = openLmdb({ path, noSync: true });
    db.putSync(FORMAT, Buffer.from(encode({ version: FORMAT_VERSION + 1, created: new Date() })));
    void db.close();
    rmSync(`${path}-lock`, { force: true });
    appendFileSync(path, MOVED_NOTE);
  });
}

/** Records the format of a new store, and the identity of its data file. */
export async function settle(environment: Environment): Promise<void> {
  const { db, identity, turnstile } = environment;
  const isSettled = () => db.get(FORMAT) && db.get(FOLLOWED) && isHome(environment) === true;
  while (!isSettled())
    await transaction(db, () => {
      if (!turnstile.lets(db)) return;
      if (!db.get(FOLLOWED))
        db.putSync(FOLLOWED, Buffer.from(encode({ since: new Date(db.get(FORMAT) ? Date.now() : 0) })));
      if (!db.get(FORMAT))
        db.putSync(FORMAT, Buffer.from(encode({ version: FORMAT_VERSION, created: new Date() })));
      noteHome(db, identity);
    });
}

/** @throws EngineError 117 while a process may be running that would keep using the old file */
export function requireFollowers(kv: Kv): void {
  const since = decode(kv.get(FOLLOWED) as Buffer)['since'] as Date;
  if (Date.now() - since.getTime() > UPDATE_MS) return;
  throw new EngineError(
    'ConflictingOperationInProgress',
    'This database was in use by an earlier version of the program less than an hour ago, which would not notice a compaction. Try again in an hour.',
  );
}

/** Marks a restore as begun or done: a store with an unfinished restore refuses to open. */
export function markRestoring(kv: WritableKv, begun: boolean): void {
  if (begun) kv.put(ownKey(RESTORING), Buffer.from('1'));
  else kv.remove(ownKey(RESTORING));
}

/** Checks directory and file, then opens the newest file. @throws EngineError that says what to do. */
export function openEnvironment(dir: string, log: StoreLog, mapSize?: number): Environment {
  try {
    prepareDirectory(dir, log);
    for (;;) {
      const file = newestFile(dir);
      try {
        return openFile(dir, file, log, mapSize);
      } catch (error) {
        // A compaction has replaced it in the meantime.
        if (newestFile(dir).number === file.number) throw error;
      }
    }
  } catch (error) {
    throw refusedStart(dir, error);
  }
}

function openFile(dir: string, file: DataFile, log: StoreLog, mapSize?: number): Environment {
  prepareFiles(dir, [file.path, file.lock]);
  completeDataFile(dir, file.path);
  const turnstile = new Turnstile(file, log);
  // Opened once per process: LMDB's lock on a file is lost when a second handle to it is closed.
  let db: Database | null = null;
  try {
    db = openLmdb(
      {
        ...(file.number === 0 ? { path: dir, noSubdir: false } : { path: file.path }),
        ...(mapSize ? { mapSize } : {}),
      },
      () => turnstile.mendLocks(),
    );
    // If the file is still the newest, it has been all along, so opening it did not create a new one.
    const identity = identityOf(file.path);
    const newest = newestFile(dir);
    removeEarlier(dir, newest);
    if (identity === null || identity !== turnstile.identity || newest.number !== file.number)
      throw new Error(`${file.path} was replaced`);
    turnstile.beforeRead();
    const stale = db.readerCheck();
    if (stale > 0) log('info', 'cleared reader slots of processes that have ended', { slots: stale });
    checkFormat(dir, db);
    return { db, file, identity, turnstile };
  } catch (error) {
    void db?.close();
    turnstile.close();
    throw error;
  }
}

/** Nothing may use data read from it any more. */
export async function closeEnvironment({ db, turnstile }: Environment): Promise<void> {
  if (refusing.has(db)) linkOf(db).close();
  else await db.close();
  turnstile.close();
}
