import type { LogEntry } from '../log.ts';
import type { ArchiveSummary, Store, VerifyReport } from '../storage/index.ts';

export interface MaintenanceOptions {
  /** The data directory; other processes may be using it. */
  dir: string;
  log?: (entry: LogEntry) => void;
}

/** Opens the store in this thread. Loaded only here: a process that merely starts the engine needs no storage code. */
async function open({ dir, log }: MaintenanceOptions): Promise<Store> {
  const { openStore } = await import('../storage/index.ts');
  return openStore({
    dir,
    onLog: (level, message, fields) => log?.({ level, message, ...(fields ? { fields } : {}) }),
  });
}

/**
 * Checks every index entry against every document and every document against its indexes, on one consistent state.
 * @throws EngineError when the store cannot be opened; its message says what to do.
 */
export async function verifyStore(
  options: MaintenanceOptions & { onProgress?: (documents: number) => void },
): Promise<VerifyReport> {
  const store = await open(options);
  try {
    return await store.verify(options.onProgress);
  } finally {
    await store.close();
  }
}

/** A consistent backup of all databases as a compressed stream with checksums, while writes go on. */
export async function* backupStore(options: MaintenanceOptions): AsyncGenerator<Uint8Array> {
  const store = await open(options);
  try {
    yield* store.backup();
  } finally {
    await store.close();
  }
}

/**
 * Reads a backup into an empty data directory. `source` is called once to check the whole backup and once to read it.
 * @throws EngineError when the directory is not empty or the backup is damaged; nothing is written then.
 */
export async function restoreStore(
  options: MaintenanceOptions & { source: () => AsyncIterable<Uint8Array> },
): Promise<ArchiveSummary> {
  const store = await open(options);
  try {
    return await store.restore(options.source);
  } finally {
    await store.close();
  }
}
