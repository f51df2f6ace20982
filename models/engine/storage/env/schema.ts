import { EngineError } from '../../errors.ts';
import { Connection } from './sqlite.ts';

/** Incremented whenever older engines cannot read what newer ones write. 1 was the format of the LMDB files. */
export const FORMAT_VERSION = 2;
/** "Vial", in a field of the file's header that says which program it belongs to. */
const APPLICATION = 0x5669616c;

/** How long opening waits for another process that creates, recovers or closes the file at this moment. */
export const OPENING_MS = 10_000;

const TABLES = [
  'CREATE TABLE documents(id INTEGER PRIMARY KEY, bson BLOB NOT NULL)',
  'CREATE TABLE entries(key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID',
];

/** Settings of every connection. Temporary files are needed by statements that change much, and by compactions. */
const SETTINGS = [
  // A commit is flushed by the write queue, without blocking the thread.
  'PRAGMA synchronous = NORMAL',
  'PRAGMA secure_delete = ON',
  'PRAGMA cache_size = -8000',
  'PRAGMA temp_store = FILE',
  'PRAGMA mmap_size = 0',
  // The log is transferred by a thread of its own.
  'PRAGMA wal_autocheckpoint = 0',
  'PRAGMA journal_size_limit = 67108864',
];

/** Opens a connection to the data file. */
export function connect(file: string, waitMs: number): Connection {
  const db = new Connection(file, { waitMs });
  try {
    for (const setting of SETTINGS) db.run(setting);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Creates the tables of an empty file, in one transaction. Does nothing if they exist. */
export function createTables(db: Connection): void {
  if (formatOf(db) !== 0) return;
  db.run('PRAGMA journal_mode = WAL');
  db.run('BEGIN IMMEDIATE');
  // Another process may have been faster.
  if (formatOf(db) === 0) {
    for (const table of TABLES) db.run(table);
    db.run(`PRAGMA application_id = ${APPLICATION}`);
    db.run(`PRAGMA user_version = ${FORMAT_VERSION}`);
  }
  db.run('COMMIT');
}

function formatOf(db: Connection): number {
  return db.value('PRAGMA user_version') as number;
}

/** @throws EngineError for a database of another program, or of a later version of this one */
export function checkFormat(dir: string, db: Connection): void {
  // Another process may write all three at once between two of these reads. The last one decides whose file it is.
  const tables = db.value('SELECT count(*) FROM sqlite_schema') as number;
  const version = formatOf(db);
  const application = db.value('PRAGMA application_id');
  if (application === 0 && version === 0 && tables === 0) return;
  if (application !== APPLICATION)
    throw new EngineError(
      'UnsupportedFormat',
      `${dir} contains a database of another program. Choose another directory.`,
    );
  if (version > FORMAT_VERSION)
    throw new EngineError(
      'UnsupportedFormat',
      `The database in ${dir} has format ${version}; this version of the program reads up to format ${FORMAT_VERSION}. ` +
        'Start the newer version again, or restore a backup made with this one.',
    );
}
