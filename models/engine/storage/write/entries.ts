import { EngineError } from '../../errors.ts';
import { Extractor } from '../../query/index.ts';
import { showDocument } from '../../values/show.ts';
import type { Document } from '../../values/types.ts';
import type { StoredCollection, StoredIndex } from '../catalog/record.ts';
import { EntryBuilder, entryKey, entryValue, type Entries } from '../keys/entry.ts';
import { readRecordId } from '../keys/layout.ts';
import type { Kv, WritableKv } from '../kv.ts';
import type { Namespace } from '../types.ts';
import type { WriteState } from './state.ts';

const builders = new WeakMap<StoredIndex, EntryBuilder>();

/** The builder of an index, made once. */
export function builderOf(index: StoredIndex): EntryBuilder {
  let builder = builders.get(index);
  if (!builder) {
    builder = new EntryBuilder(index);
    builders.set(index, builder);
  }
  return builder;
}

/** The entries of one document in every index of its collection, in the order of the indexes. */
export function buildAll(coll: StoredCollection, doc: Document): Entries[] {
  return coll.indexes.map((index) => builderOf(index).build(doc));
}

/** The values of the row that collides, as the server lists them; missing ones are null. */
function collidingValues(index: StoredIndex, doc: Document, row: number): Document {
  const { rows } = new Extractor(index.fields.map((field) => field.path)).extract(doc);
  const values = rows[row] ?? rows[0] ?? [];
  return Object.fromEntries(index.fields.map((field, i) => [field.path, values[i] ?? null]));
}

/** E11000 in the server's shape, `keyPattern` and `keyValue` included. */
function duplicateKey(ns: Namespace, index: StoredIndex, doc: Document, row: number): EngineError {
  const keyValue = collidingValues(index, doc, row);
  return new EngineError(
    'DuplicateKey',
    `E11000 duplicate key error collection: ${ns} index: ${index.name} dup key: ${showDocument(keyValue)}`,
    { extra: { keyPattern: index.key, keyValue } },
  );
}

/** Throws E11000 when another document than `recordId` has one of the keys. */
function checkUnique(
  kv: Kv,
  coll: StoredCollection,
  index: StoredIndex,
  keys: Buffer[],
  owner: { recordId: number; doc: Document },
): void {
  for (let row = 0; row < keys.length; row++) {
    const taken = kv.get(keys[row] as Buffer);
    if (taken && readRecordId(taken, 0) !== owner.recordId)
      throw duplicateKey(coll.ns, index, owner.doc, row);
  }
}

/** Checks the unique indexes for a document's entries before anything is written. */
export function checkAllUnique(
  kv: Kv,
  coll: StoredCollection,
  entries: Entries[],
  owner: { recordId: number; doc: Document },
): void {
  coll.indexes.forEach((index, i) => {
    if (index.unique) checkUnique(kv, coll, index, (entries[i] as Entries).keys, owner);
  });
}

export function putEntries(kv: WritableKv, index: StoredIndex, keys: Buffer[], recordId: number): void {
  const value = entryValue(index, recordId);
  for (const key of keys) kv.put(entryKey(index, key, recordId), value);
}

export function removeEntries(kv: WritableKv, index: StoredIndex, keys: Buffer[], recordId: number): void {
  for (const key of keys) kv.remove(entryKey(index, key, recordId));
}

function isNewShape(index: StoredIndex, entries: Entries): boolean {
  return (entries.cut && !index.cut) || entries.arrays.some((array, i) => array && !index.multikeyPaths[i]);
}

/** Records in the catalog that an index now holds arrays or cut keys, which bounds what it can be used for. */
export function noteShapes(state: WriteState, coll: StoredCollection, entries: Entries[]): StoredCollection {
  if (!coll.indexes.some((index, i) => isNewShape(index, entries[i] as Entries))) return coll;
  const indexes = coll.indexes.map((index, i): StoredIndex => {
    const { arrays, cut } = entries[i] as Entries;
    const multikeyPaths = index.multikeyPaths.map((known, field) => known || arrays[field] === true);
    return { ...index, multikeyPaths, multikey: multikeyPaths.includes(true), cut: index.cut || cut };
  });
  const changed = { ...coll, indexes };
  state.catalog.put(changed);
  return changed;
}
