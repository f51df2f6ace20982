import { atOnce } from '../budget.ts';
import type { LogEntry } from '../log.ts';
import type { ArchiveSummary, CompactReport, StorageSize, Store, VerifyReport } from '../storage/index.ts';

export interface MaintenanceOptions {
  /** The data directory; other processes may be using it. */
  dir: string;
  log?: (entry: LogEntry) => void;
}

/** Opens the store in this thread. Loads storage code on demand, because a process that only starts the engine needs none. */
async function open({ dir, log }: MaintenanceOptions): Promise<Store> {
  const { openStore } = await import('../storage/index.ts');
  return openStore({
    dir,
    onLog: (level, message, fields) => log?.({ level, message, ...(fields ? { fields } : {}) }),
  });
}

/** What is stored, and the disk space it takes. */
export interface StoreStats extends StorageSize {
  /** By name, with the sizes of documents and index keys in bytes. */
  collections: { name: string; documents: number; bytes: number; indexBytes: number }[];
}

/** Runs `work` on a directory's store. @throws EngineError when it cannot be opened; its message says what to do */
async function withStore<T>(options: MaintenanceOptions, work: (store: Store) => T | Promise<T>): Promise<T> {
  const store = await open(options);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** How much is stored, and how much of the file is free. */
export function storeStats(options: MaintenanceOptions): Promise<StoreStats> {
  return withStore(options, (store) =>
    store.read((view) => {
      const collections = view.listDatabases().flatMap((db) => view.listCollections(db));
      return {
        ...store.size(),
        collections: collections.map(({ ns, name }) => {
          const { count, size, indexSizes } = atOnce(view.stats(ns));
          const indexBytes = Object.values(indexSizes).reduce((sum, bytes) => sum + bytes, 0);
          return { name, documents: count, bytes: size, indexBytes };
        }),
      };
    }),
  );
}

/**
 * Writes the data file again without what was deleted, while others use the store.
 * @throws EngineError 117 while another process is compacting
 */
export function compactStore(options: MaintenanceOptions): Promise<CompactReport> {
  return withStore(options, async (store) => {
    const { compactStore: compact } = await import('../commands/outcomes.ts');
    return compact(store);
  });
}

/**
 * Checks every index entry against every document and every document against its indexes, on one consistent state.
 * @throws EngineError when the store cannot be opened; its message says what to do.
 */
export async function verifyStore(
  options: MaintenanceOptions & { onProgress?: (documents: number) => void },
): Promise<VerifyReport> {
  return withStore(options, (store) => store.verify(options.onProgress));
}

/** A consistent backup of all databases as a compressed stream with checksums, while writes continue. */
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
 * @throws EngineError when the directory is not empty or the backup is damaged; then nothing is written.
 */
export async function restoreStore(
  options: MaintenanceOptions & { source: () => AsyncIterable<Uint8Array> },
): Promise<ArchiveSummary> {
  return withStore(options, (store) => store.restore(options.source));
}
