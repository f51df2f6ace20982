import { EngineError } from '../../errors.ts';
import { equalValues } from '../../query/index.ts';
import { encode } from '../../values/encode.ts';
import type { Document } from '../../values/types.ts';
import type { StoredCollection } from '../catalog/record.ts';
import { showValue } from '../../values/show.ts';
import type { Found } from '../found.ts';
import { buildAll, checkAllUnique, putEntry, removeEntry } from './entries.ts';
import type { WriteState } from './state.ts';

/** MongoDB's limit for one document. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

function checkedBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.length > MAX_DOCUMENT_BYTES) {
    const hex = bytes.length.toString(16).toUpperCase();
    throw new EngineError(
      'BSONObjectTooLarge',
      `BSONObj size: ${bytes.length} (0x${hex}) is invalid. Size must be between 0 and ${MAX_DOCUMENT_BYTES}(16MB)`,
    );
  }
  return bytes;
}

/** The error for a document that another writer has changed since it was read. */
function writeConflict(): EngineError {
  return new EngineError(
    'WriteConflict',
    'Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation.',
  );
}

/** Stores a new document with its index entries. Nothing is written when it throws. */
export function insertDocument(
  state: WriteState,
  coll: StoredCollection,
  doc: Document,
  input?: Uint8Array,
): void {
  if (doc['_id'] === undefined) throw new EngineError('BadValue', 'a document to insert must have an _id');
  const bytes = checkedBytes(input ?? encode(doc));
  const entries = buildAll(coll, doc);
  checkAllUnique(state.kv, coll, entries, { recordId: -1, doc });
  const recordId = state.counters.nextRecordId(coll.collId);
  coll.indexes.forEach((index, i) => putEntry(state.kv, index, entries[i] as Buffer, recordId));
  state.kv.putDocument(coll.collId, recordId, bytes);
  state.counters.add(coll.collId, 1, bytes.length);
}

/** Refuses a document that no longer matches what is stored. */
function checkCurrent(state: WriteState, coll: StoredCollection, found: Found): void {
  const stored = state.kv.document(coll.collId, found.recordId);
  if (!stored || Buffer.compare(stored, found.bytes) !== 0) throw writeConflict();
}

function checkSameId(before: Document, after: Document): void {
  if (equalValues(before['_id'], after['_id'])) return;
  throw new EngineError(
    'ImmutableField',
    `After applying the update, the (immutable) field '_id' was found to have been altered to _id: ${showValue(after['_id'])}`,
  );
}

/** Replaces a document in place. Nothing is written when it throws, or when it is the same as before (then false). */
export function replaceDocument(
  state: WriteState,
  coll: StoredCollection,
  found: Found,
  doc: Document,
): boolean {
  checkCurrent(state, coll, found);
  checkSameId(found.doc, doc);
  const bytes = checkedBytes(encode(doc));
  if (Buffer.compare(bytes, found.bytes) === 0) return false;
  const { recordId } = found;
  const before = buildAll(coll, found.doc);
  const after = buildAll(coll, doc);
  checkAllUnique(state.kv, coll, after, { recordId, doc });
  coll.indexes.forEach((index, i) => {
    const [old, fresh] = [before[i] as Buffer, after[i] as Buffer];
    if (old.equals(fresh)) return;
    removeEntry(state.kv, index, old, recordId);
    putEntry(state.kv, index, fresh, recordId);
  });
  state.kv.putDocument(coll.collId, recordId, bytes);
  state.counters.add(coll.collId, 0, bytes.length - found.bytes.length);
  return true;
}

/** Removes a document with its index entries. */
export function removeDocument(state: WriteState, coll: StoredCollection, found: Found): void {
  checkCurrent(state, coll, found);
  const entries = buildAll(coll, found.doc);
  coll.indexes.forEach((index, i) => removeEntry(state.kv, index, entries[i] as Buffer, found.recordId));
  state.kv.removeDocument(coll.collId, found.recordId);
  state.counters.add(coll.collId, -1, -found.bytes.length);
}
