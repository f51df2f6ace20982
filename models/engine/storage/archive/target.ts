import { atOnce } from '../../budget.ts';
import { EngineError } from '../../errors.ts';
import { decode } from '../../values/decode.ts';
import { markRestoring } from '../env/database.ts';
import type { ArchiveSummary } from '../types.ts';
import type { ReadView } from '../view/read-view.ts';
import { createCollection, dropCollection, requireCollection } from '../write/collections.ts';
import { insertDocument } from '../write/documents.ts';
import { createIndexes } from '../write/indexes.ts';
import type { WriteQueue } from '../write/queue.ts';
import { checkSpec } from '../catalog/index-spec.ts';
import { checkDocument, orBadArchive, readArchive, type ArchiveTarget } from './restore.ts';

export interface RestoreOptions {
  /** Leaves out indexes that only a MongoDB server supports, instead of refusing a deployment's backup that has one. */
  skipsForeignIndexes?: boolean;
}

function isOurs(spec: object): boolean {
  try {
    checkSpec(spec);
    return true;
  } catch {
    return false;
  }
}

function targetOf(queue: WriteQueue, isIncluded: (spec: object) => boolean): ArchiveTarget {
  return {
    collection: ({ ns, options, indexes }) =>
      queue.addWithState((state) => {
        if (state.catalog.get(ns)) dropCollection(state, ns);
        createCollection(state, ns, options);
        // There are no documents to index yet.
        atOnce(createIndexes(state, ns, indexes.filter(isIncluded)));
      }),
    documents: (ns, documents) =>
      queue.addWithState((state) => {
        const coll = requireCollection(state, ns);
        for (const bytes of documents) insertDocument(state, coll, decode(bytes), bytes);
      }),
  };
}

/** Accepts what a store would, but writes nothing. A MongoDB deployment may have kinds of indexes that a store does not support. */
const checking = (isIncluded: (spec: object) => boolean): ArchiveTarget => ({
  collection: ({ ns, indexes }) =>
    Promise.resolve(
      orBadArchive(
        `an index of ${ns} is invalid`,
        () => void indexes.filter(isIncluded).forEach((spec) => checkSpec(spec)),
      ),
    ),
  documents: (_ns, documents) => Promise.resolve(documents.forEach(checkDocument)),
});

function requireEmpty(view: ReadView): void {
  for (const db of view.listDatabases())
    for (const coll of view.listCollections(db))
      if (view.count(coll.ns, {}) > 0)
        throw new EngineError(
          'IllegalOperation',
          `A backup is only restored into an empty store, but ${coll.ns} contains documents. Choose an empty data directory.`,
        );
}

/**
 * Restores an archive. It is read twice: first checked completely, then written. Until that is finished, the store refuses
 * to be opened again, so that an interrupted restore cannot be mistaken for a complete one.
 */
export async function restoreArchive(
  open: () => AsyncIterable<Uint8Array>,
  store: { queue: WriteQueue; read<T>(fn: (view: ReadView) => T): T },
  { skipsForeignIndexes }: RestoreOptions = {},
): Promise<ArchiveSummary> {
  const isIncluded = skipsForeignIndexes ? isOurs : () => true;
  store.read(requireEmpty);
  await readArchive(open(), checking(isIncluded));
  await store.queue.addWithState((state) => markRestoring(state.kv, true));
  const summary = await readArchive(open(), targetOf(store.queue, isIncluded));
  await store.queue.addWithState((state) => markRestoring(state.kv, false));
  return summary;
}
