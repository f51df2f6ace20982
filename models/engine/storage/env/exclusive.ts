import { Connection, isBusy } from './sqlite.ts';
import type { DataFiles } from './files.ts';

/**
 * Takes the right to do what only one process at a time may do: compact, or migrate. The system takes it back when the process
 * ends, however it ends.
 * @param waitMs how long to wait for another process, blocking the thread
 * @returns the function that gives it back; null when another has it
 */
export function takeExclusive({ lock }: DataFiles, waitMs = 0): (() => void) | null {
  const db = new Connection(lock, { waitMs });
  try {
    // The file stays empty: only its lock matters.
    db.run('BEGIN EXCLUSIVE');
    return () => db.close();
  } catch (error) {
    db.close();
    if (isBusy(error)) return null;
    throw error;
  }
}
