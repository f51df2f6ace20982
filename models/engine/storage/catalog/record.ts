import { EngineError } from '../../errors.ts';
import { decode } from '../../values/decode.ts';
import { encode } from '../../values/encode.ts';
import { Binary, type Document } from '../../values/types.ts';
import type { CollectionInfo, IndexInfo, IndexSpec, Namespace } from '../types.ts';

const UUID_SUBTYPE = 4;

/** Details of an index that clients do not see. */
export interface StoredIndex extends IndexInfo {
  /** True once an entry was too long and was truncated: the index can then no longer sort or count exactly. */
  cut: boolean;
}

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
    cut: false,
  };
}

const SPEC_FIELDS = ['v', 'key', 'name', 'unique', 'expireAfterSeconds'] as const;

/** The specification of an index as sent by clients, without absent and false options. */
export function specOf(index: IndexInfo): IndexSpec & { name: string } {
  const spec: Document = {};
  for (const field of SPEC_FIELDS) {
    const value = index[field];
    if (value !== undefined && value !== false) spec[field] = value;
  }
  return spec as unknown as IndexSpec & { name: string };
}

function encodeIndex(index: StoredIndex): Document {
  return {
    indexId: index.indexId,
    // For earlier versions, which also indexed arrays.
    multikey: index.fields.map(() => false),
    cut: index.cut,
    spec: specOf(index) as unknown,
  };
}

/** @throws EngineError for an index without exactly one entry per document, as earlier versions could create */
function decodeIndex(stored: Document): StoredIndex {
  const spec = stored['spec'] as Document & IndexSpec & { name: string };
  const kind = spec['partialFilterExpression']
    ? 'is partial'
    : spec['sparse']
      ? 'is sparse'
      : (stored['multikey'] as boolean[]).includes(true)
        ? 'holds arrays'
        : null;
  if (kind !== null)
    throw new EngineError(
      'UnsupportedFormat',
      `The index ${spec.name} ${kind}, which this version does not support. Drop it with the version that created it.`,
    );
  const index = makeIndex(stored['indexId'] as number, spec);
  index.cut = stored['cut'] as boolean;
  return index;
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
