import { decode } from '../../values/decode.ts';
import { encode } from '../../values/encode.ts';
import { Binary, type Document } from '../../values/types.ts';
import type { CollectionInfo, IndexInfo, IndexSpec, Namespace } from '../types.ts';

const UUID_SUBTYPE = 4;

/** An index as the storage layer knows it. */
export type StoredIndex = IndexInfo;

export interface StoredCollection extends CollectionInfo {
  indexes: StoredIndex[];
}

/** Splits `database.collection`. */
export function splitNamespace(ns: Namespace): { db: string; name: string } {
  const dot = ns.indexOf('.');
  return dot < 0 ? { db: ns, name: '' } : { db: ns.slice(0, dot), name: ns.slice(dot + 1) };
}

/** The fields of an index in order, with directions. */
export function fieldsOf(key: Document): { path: string; direction: 1 | -1 }[] {
  return Object.entries(key).map(([path, direction]) => ({
    path,
    direction: Number(direction) < 0 ? -1 : 1,
  }));
}

/** Completes a checked specification. */
export function makeIndex(indexId: number, spec: IndexSpec & { name: string }): StoredIndex {
  const fields = fieldsOf(spec.key);
  return {
    ...spec,
    indexId,
    fields,
    unique: spec.unique === true,
  };
}

const SPEC_FIELDS = ['v', 'key', 'name', 'unique', 'expireAfterSeconds'] as const;

/** The specification of an index as sent by clients, without absent and false options. */
export function specOf(index: IndexInfo): IndexSpec & { name: string } {
  const entries = SPEC_FIELDS.map((field) => [field, index[field]] as const);
  const present = entries.filter(([, value]) => value !== undefined && value !== false);
  return { key: index.key, name: index.name, ...Object.fromEntries(present) };
}

function encodeIndex(index: StoredIndex): Document {
  return { indexId: index.indexId, spec: specOf(index) as unknown };
}

function decodeIndex({ indexId, spec }: Document): StoredIndex {
  return makeIndex(indexId as number, spec as IndexSpec & { name: string });
}

/** The bytes of a collection's record. */
export function encodeCollection(coll: StoredCollection): Uint8Array {
  return encode({
    collId: coll.collId,
    uuid: new Binary(coll.uuid, UUID_SUBTYPE),
    options: coll.options,
    indexes: coll.indexes.map(encodeIndex),
  });
}

/** Reads a collection's record. */
export function decodeCollection(ns: Namespace, bytes: Uint8Array): StoredCollection {
  const stored = decode(bytes);
  return {
    ns,
    ...splitNamespace(ns),
    collId: stored['collId'] as number,
    uuid: (stored['uuid'] as Binary).value(),
    options: stored['options'] as Document,
    indexes: (stored['indexes'] as Document[]).map(decodeIndex),
  };
}
