import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { CODES, EngineError } from './errors.ts';
import type { FromTrial, TrialData } from './host/trial-restore.ts';
import { BadArchive } from './storage/archive/format.ts';
import { readArchive } from './storage/archive/restore.ts';
import { openStore, type ArchiveSummary, type Store } from './storage/index.ts';

const port = parentPort;
if (!port) throw new Error('a trial restore runs in a worker thread');

const { file, dir } = workerData as TrialData;
const tell = (message: FromTrial) => port.postMessage(message);
const open = () =>
  openStore({
    dir,
    onLog: (level, message, fields) =>
      tell({ type: 'log', entry: { level, message, ...(fields ? { fields } : {}) } }),
  });

/** Opens the store for some work. */
async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const store = await open();
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** The documents of one collection, as far as they were read. */
interface Content {
  documents: number;
  hash: Hash;
}

/** Everything in an archive or a store: the number and hash of each collection's documents, in their order. */
async function contentOf(source: AsyncIterable<Uint8Array>): Promise<Map<string, string>> {
  const all = new Map<string, Content>();
  await readArchive(source, {
    collection: ({ ns }) => {
      all.set(ns, { documents: 0, hash: createHash('sha256') });
      return Promise.resolve();
    },
    documents: (ns, documents) => {
      const content = all.get(ns) as Content;
      content.documents += documents.length;
      for (const document of documents) content.hash.update(document);
      return Promise.resolve();
    },
  });
  return new Map(
    [...all].map(([ns, { documents, hash }]) => [ns, `${documents} documents, ${hash.digest('hex')}`]),
  );
}

/** @throws Error that names what differs */
function compare(backup: Map<string, string>, store: Map<string, string>): void {
  for (const [ns, content] of backup)
    if (store.get(ns) !== content)
      throw new Error(`${ns} has ${content}, but ${store.get(ns) ?? 'is missing'} after the restore`);
  for (const ns of store.keys())
    if (!backup.has(ns)) throw new Error(`the restored store has a collection ${ns}, and the backup has not`);
}

async function restoreAndCompare(): Promise<ArchiveSummary> {
  const source = () => createReadStream(file);
  const summary = await withStore((store) => store.restore(source, { skipsForeignIndexes: true }));
  // Opened again, like the store of somebody who starts the server after a restore.
  await withStore(async (store) => {
    const { ok, problems } = await store.verify();
    if (!ok) throw new Error(`the restored store is inconsistent: ${problems[0]}`);
    compare(await contentOf(source()), await contentOf(store.backup()));
  });
  return summary;
}

try {
  tell({ type: 'done', summary: await restoreAndCompare() });
} catch (error) {
  tell({
    type: 'failed',
    isDamaged: error instanceof BadArchive,
    message: error instanceof Error ? error.message : String(error),
    code: error instanceof EngineError ? error.code : CODES.InternalError,
  });
}
