import { closeSync, fsyncSync, openSync } from 'node:fs';
import path from 'node:path';

/**
 * The files of a data directory. No code of the process may open and close `data` or its `-shm` file: this would release
 * SQLite's locks on them, including those of another engine in this process (POSIX locks belong to processes).
 */
export interface DataFiles {
  dir: string;
  /** SQLite's database. */
  data: string;
  /** Writes that are not in the database file yet. */
  log: string;
  /** Locked by the process that compacts or migrates; always empty. */
  lock: string;
}

export function filesIn(dir: string): DataFiles {
  const data = path.join(dir, 'data.db');
  return { dir, data, log: `${data}-wal`, lock: path.join(dir, 'data.lock') };
}

/** Flushes renames, new files and removals in a directory to disk. */
export function syncDirectory(dir: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(dir, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
