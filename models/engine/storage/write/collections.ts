import { randomBytes } from 'node:crypto';
import { EngineError } from '../../errors.ts';
import type { Document } from '../../values/types.ts';
import { makeIndex, splitNamespace, type StoredCollection } from '../catalog/record.ts';
import { KIND } from '../keys/layout.ts';
import type { Namespace } from '../types.ts';
import type { WriteState } from './state.ts';

const MAX_NAMESPACE_BYTES = 255;
const BAD_DB = /[/\\. "$\0]/;

function invalid(ns: Namespace, reason: string): EngineError {
  return new EngineError('InvalidNamespace', `Invalid namespace specified '${ns}': ${reason}`);
}

/** @throws EngineError 73 for names that MongoDB refuses. */
export function checkNamespace(ns: Namespace): void {
  const { db, name } = splitNamespace(ns);
  if (db === '' || BAD_DB.test(db) || db.length > 63) throw invalid(ns, 'bad database name');
  if (name === '') throw invalid(ns, 'the collection name is empty');
  if (name.includes('\0') || name.includes('$') || name.startsWith('.') || name.endsWith('.'))
    throw invalid(ns, 'bad collection name');
  if (Buffer.byteLength(ns) > MAX_NAMESPACE_BYTES)
    throw invalid(ns, `the fully qualified namespace is longer than ${MAX_NAMESPACE_BYTES} bytes`);
}

function newUuid(): Uint8Array {
  const uuid = new Uint8Array(randomBytes(16));
  uuid[6] = ((uuid[6] as number) & 0x0f) | 0x40;
  uuid[8] = ((uuid[8] as number) & 0x3f) | 0x80;
  return uuid;
}

/** @throws EngineError 48 when it exists, 73 for a bad name. */
export function createCollection(state: WriteState, ns: Namespace, options: Document): StoredCollection {
  if (state.catalog.get(ns)) throw new EngineError('NamespaceExists', `Collection ${ns} already exists.`);
  checkNamespace(ns);
  const idIndex = { v: 2, key: { _id: 1 }, name: '_id_', unique: true };
  const collId = state.catalog.nextId();
  const coll: StoredCollection = {
    ns,
    ...splitNamespace(ns),
    collId,
    uuid: newUuid(),
    options,
    indexes: [makeIndex(state.catalog.nextId(), idIndex)],
  };
  state.catalog.put(coll);
  return coll;
}

/** The collection, created without options if missing. */
export function ensureCollection(state: WriteState, ns: Namespace): StoredCollection {
  return state.catalog.get(ns) ?? createCollection(state, ns, {});
}

/** @throws EngineError 26 when it does not exist. */
export function requireCollection(state: WriteState, ns: Namespace): StoredCollection {
  const coll = state.catalog.get(ns);
  if (!coll) throw new EngineError('NamespaceNotFound', `ns does not exist: ${ns}`);
  return coll;
}

/** Removes the collection from the catalog; its data is removed afterwards, in pieces. */
export function dropCollection(state: WriteState, ns: Namespace): boolean {
  const coll = state.catalog.get(ns);
  if (!coll) return false;
  state.catalog.remove(ns);
  state.catalog.discard(KIND.document, coll.collId);
  for (const index of coll.indexes) state.catalog.discard(KIND.index, index.indexId);
  state.counters.forget(coll.collId);
  return true;
}
