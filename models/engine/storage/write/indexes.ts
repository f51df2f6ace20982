import { isSliceOver, PAUSE, type Steps } from '../../budget.ts';
import { EngineError } from '../../errors.ts';
import { equalValues } from '../../query/index.ts';
import { decode } from '../../values/decode.ts';
import { isDocument, type Document } from '../../values/types.ts';
import { alreadyThere, checkSpec, type CheckedSpec } from '../catalog/index-spec.ts';
import { makeIndex, type StoredCollection, type StoredIndex } from '../catalog/record.ts';
import { showDocument } from '../../values/show.ts';
import { KIND } from '../keys/layout.ts';
import { allRecords } from '../kv.ts';
import type { Namespace } from '../types.ts';
import { ensureCollection } from './collections.ts';
import { builderOf, checkAllUnique, putEntry } from './entries.ts';
import type { WriteState } from './state.ts';

/** Adds the entries of every document to a new index. */
function* fill(state: WriteState, coll: StoredCollection, index: StoredIndex): Steps<StoredCollection> {
  const alone: StoredCollection = { ...coll, indexes: [index] };
  for (const { recordId, bytes } of state.kv.documents(allRecords(coll.collId))) {
    const doc = decode(bytes);
    const key = builderOf(index).build(doc);
    checkAllUnique(state.kv, alone, [key], { recordId, doc });
    putEntry(state.kv, index, key, recordId);
    if (isSliceOver()) yield PAUSE;
  }
  return { ...coll, indexes: [...coll.indexes, index] };
}

/** Builds one new index. */
function* addIndex(state: WriteState, coll: StoredCollection, spec: CheckedSpec): Steps<StoredCollection> {
  const index = makeIndex(state.catalog.nextId(), spec);
  const changed = yield* fill(state, coll, index);
  state.catalog.put(changed);
  return changed;
}

/** @throws EngineError 67, 85, 86, 197 for the specification, 11000 and 115 for existing documents. */
export function* createIndexes(
  state: WriteState,
  ns: Namespace,
  specs: readonly object[],
): Steps<{ before: number; after: number; created: string[] }> {
  const checked = specs.map(checkSpec);
  let coll = ensureCollection(state, ns);
  const before = coll.indexes.length;
  const created: string[] = [];
  for (const spec of checked) {
    if (alreadyThere(coll, spec)) continue;
    coll = yield* addIndex(state, coll, spec);
    created.push(spec.name);
  }
  return { before, after: coll.indexes.length, created };
}

/** @throws EngineError 27 when no index has this name or key. */
function findIndex(coll: StoredCollection, which: string | Document): StoredIndex {
  const index = coll.indexes.find((candidate) =>
    typeof which === 'string' ? candidate.name === which : equalValues(candidate.key, which),
  );
  if (index) return index;
  throw new EngineError(
    'IndexNotFound',
    typeof which === 'string'
      ? `index not found with name [${which}]`
      : `can't find index with key: ${showDocument(which)}`,
  );
}

function chosen(coll: StoredCollection, which: string | string[] | Document): StoredIndex[] {
  if (which === '*') return coll.indexes.filter((index) => index.name !== '_id_');
  const names = Array.isArray(which) ? which : [which];
  const indexes = names.map((name) => findIndex(coll, name));
  if (indexes.some((index) => index.name === '_id_'))
    throw new EngineError('InvalidOptions', 'cannot drop _id index');
  return indexes;
}

/** Removes indexes from the catalog; their entries are removed afterwards, in pieces. */
export function dropIndexes(state: WriteState, ns: Namespace, which: string | string[] | Document): number {
  const coll = state.catalog.get(ns);
  if (!coll) throw new EngineError('NamespaceNotFound', `ns not found ${ns}`);
  if (typeof which !== 'string' && !Array.isArray(which) && !isDocument(which))
    throw new EngineError('TypeMismatch', 'index must be a name, names or a key pattern');
  const dropped = new Set(chosen(coll, which));
  for (const index of dropped) state.catalog.discard(KIND.index, index.indexId);
  if (dropped.size > 0)
    state.catalog.put({ ...coll, indexes: coll.indexes.filter((index) => !dropped.has(index)) });
  return coll.indexes.length;
}
