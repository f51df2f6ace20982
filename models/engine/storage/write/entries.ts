import { EngineError } from '../../errors.ts';
import { showDocument } from '../../values/show.ts';
import type { Document } from '../../values/types.ts';
import type { StoredCollection, StoredIndex } from '../catalog/record.ts';
import { EntryBuilder, entryKey, entryValue } from '../keys/entry.ts';
import { readRecordId } from '../keys/layout.ts';
import type { Kv, WritableKv } from '../kv.ts';
import type { Namespace } from '../types.ts';

const builders = new WeakMap<StoredIndex, EntryBuilder>();

/** The builder of an index, created once. */
export function builderOf(index: StoredIndex): EntryBuilder {
  let builder = builders.get(index);
  if (!builder) {
    builder = new EntryBuilder(index);
    builders.set(index, builder);
  }
  return builder;
}

/** The keys of one document in its collection's indexes, in index order, without the record id. */
export function buildAll(coll: StoredCollection, doc: Document): Buffer[] {
  return coll.indexes.map((index) => builderOf(index).build(doc));
}

/** E11000 in the server's format, including `keyPattern` and `keyValue`. */
function duplicateKey(ns: Namespace, index: StoredIndex, doc: Document): EngineError {
  const keyValue = builderOf(index).valuesOf(doc);
  return new EngineError(
    'DuplicateKey',
    `E11000 duplicate key error collection: ${ns} index: ${index.name} dup key: ${showDocument(keyValue)}`,
    { extra: { keyPattern: index.key, keyValue } },
  );
}

/** Throws E11000 when another document than `recordId` has one of the keys of unique indexes. */
export function checkAllUnique(
  kv: Kv,
  coll: StoredCollection,
  keys: Buffer[],
  owner: { recordId: number; doc: Document },
): void {
  coll.indexes.forEach((index, i) => {
    const taken = index.unique ? kv.get(keys[i] as Buffer) : undefined;
    if (taken && readRecordId(taken, 0) !== owner.recordId) throw duplicateKey(coll.ns, index, owner.doc);
  });
}

export function putEntry(kv: WritableKv, index: StoredIndex, key: Buffer, recordId: number): void {
  kv.put(entryKey(index, key, recordId), entryValue(index, recordId));
}

export function removeEntry(kv: WritableKv, index: StoredIndex, key: Buffer, recordId: number): void {
  kv.remove(entryKey(index, key, recordId));
}
