import { createRequire } from 'node:module';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { EngineError } from '../errors.ts';
import type { LogEntry } from '../log.ts';
import { isRunning } from '../storage/env/running.ts';
import type { ArchiveSummary } from '../storage/types.ts';

export interface TrialOptions {
  /** The backup. */
  file: string;
  /** Where the store is made, on a local disk; created if missing. */
  within: string;
  log?: (entry: LogEntry) => void;
}

/** What the thread gets. */
export interface TrialData {
  file: string;
  dir: string;
}

/** What the thread sends; the last message is not a log entry. */
export type FromTrial =
  | { type: 'done'; summary: ArchiveSummary }
  | { type: 'failed'; isDamaged: boolean; message: string; code: number }
  | { type: 'log'; entry: LogEntry };

/** A backup whose checksums are right, but that could not be restored and found equal. The message says why. */
export class TrialRestoreError extends Error {
  override name = 'TrialRestoreError';
}

/** The thread holds one batch of documents at a time, at most 64 MB. More than this is a bug. */
const LIMITS = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 32 };

const NAME = /^trial-restore-(\d+)-/;
/** A store that is older than this was left by a process that was killed, even if another process has its number. */
const STALE_MS = 24 * 60 * 60_000;
/** Those of this process. */
const inUse = new Set<string>();

function isAbandoned(dir: string): boolean {
  const pid = Number(NAME.exec(path.basename(dir))?.[1]);
  if (pid === process.pid) return !inUse.has(dir);
  const found = statSync(dir, { throwIfNoEntry: false });
  return !isRunning(pid) || (found !== undefined && Date.now() - found.mtimeMs > STALE_MS);
}

/** Removes what killed processes have left: such a store contains everyone's data. */
function removeAbandoned(within: string): void {
  for (const name of readdirSync(within)) {
    const dir = path.join(within, name);
    if (NAME.test(name) && isAbandoned(dir)) rmSync(dir, { recursive: true, force: true });
  }
}

/** Restores in a thread of its own, which ends with it. */
function inThread(data: TrialData, log: (entry: LogEntry) => void): Promise<ArchiveSummary> {
  const worker = new Worker(createRequire(import.meta.url).resolve('#engine-trial'), {
    workerData: data,
    name: 'trial-restore',
    // The thread gets neither the process's environment, which contains secrets, nor its flags.
    env: {},
    execArgv: [],
    resourceLimits: LIMITS,
  });
  return new Promise<ArchiveSummary>((resolve, reject) => {
    let outcome: Exclude<FromTrial, { type: 'log' }> | null = null;
    worker.on('message', (message: FromTrial) => {
      if (message.type === 'log') log(message.entry);
      else outcome = message;
    });
    worker.on('error', (error) => reject(new TrialRestoreError(error.message, { cause: error })));
    worker.once('exit', () => {
      if (outcome === null) reject(new TrialRestoreError('the thread that restored it has ended'));
      else if (outcome.type === 'done') resolve(outcome.summary);
      else if (outcome.isDamaged) reject(new EngineError(outcome.code, outcome.message));
      else reject(new TrialRestoreError(outcome.message));
    });
  });
}

/**
 * Restores a backup into an empty store of its own, opens that again, checks it, and compares every collection with the backup.
 * The store is always removed. It needs as much room on the disk as the data.
 * @throws EngineError when the backup is damaged; TrialRestoreError when anything else prevents it
 */
export async function tryRestore({
  file,
  within,
  log = () => undefined,
}: TrialOptions): Promise<ArchiveSummary> {
  let dir: string;
  try {
    mkdirSync(within, { recursive: true, mode: 0o700 });
    removeAbandoned(within);
    dir = mkdtempSync(path.join(within, `trial-restore-${process.pid}-`));
  } catch (error) {
    throw new TrialRestoreError((error as Error).message, { cause: error });
  }
  const remove = () => rmSync(dir, { recursive: true, force: true });
  inUse.add(dir);
  // A process that exits ends the thread, too.
  process.once('exit', remove);
  try {
    return await inThread({ file, dir }, log);
  } finally {
    process.off('exit', remove);
    inUse.delete(dir);
    remove();
  }
}
