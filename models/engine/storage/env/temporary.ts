import { isMainThread } from 'node:worker_threads';

/**
 * Makes SQLite put its temporary files, which have no names and end with their use, into the data directory: they contain
 * data, and need the room that is there. SQLite reads the setting once in a process, from the environment, which only
 * the main thread can change.
 */
export function useForTemporaryFiles(dir: string): void {
  if (isMainThread) process.env['SQLITE_TMPDIR'] ??= dir;
}
