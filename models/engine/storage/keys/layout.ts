import type { Namespace } from '../types.ts';

/**
 * The store's key space. The first byte is the kind of a key:
 * `c` collection records, `d` documents, `g` dropped ranges still to be removed, `i` index entries, `j` keys that changed
 * during a compaction, `m` the store's own values, `n` counters, `t` values of the layer above.
 */
export const KIND = {
  collection: 0x63,
  document: 0x64,
  garbage: 0x67,
  index: 0x69,
  note: 0x6a,
  own: 0x6d,
  counter: 0x6e,
  meta: 0x74,
} as const;

const RECORD_BYTES = 8;
export const ID_PREFIX_BYTES = 5;

function textKey(kind: number, text: string): Buffer {
  const key = Buffer.allocUnsafeSlow(1 + Buffer.byteLength(text));
  key[0] = kind;
  key.write(text, 1, 'utf8');
  return key;
}

function idKey(kind: number, id: number): Buffer {
  const key = Buffer.allocUnsafeSlow(ID_PREFIX_BYTES);
  key[0] = kind;
  key.writeUInt32BE(id, 1);
  return key;
}

export const collectionKey = (ns: Namespace): Buffer => textKey(KIND.collection, ns);
export const ownKey = (name: string): Buffer => textKey(KIND.own, name);
export const metaKey = (name: string): Buffer => textKey(KIND.meta, name);
export const counterKey = (collId: number): Buffer => idKey(KIND.counter, collId);
export const documentPrefix = (collId: number): Buffer => idKey(KIND.document, collId);
export const indexPrefix = (indexId: number): Buffer => idKey(KIND.index, indexId);

/** Marks the range of a dropped collection's documents (`d`) or a dropped index's entries (`i`). */
export function garbageKey(kind: number, id: number): Buffer {
  return Buffer.concat([Buffer.from([KIND.garbage]), idKey(kind, id)]);
}

/** Record ids count up from 1 and are never reused. */
export function recordBytes(recordId: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(RECORD_BYTES);
  bytes.writeUInt32BE(Math.floor(recordId / 0x100000000), 0);
  bytes.writeUInt32BE(recordId >>> 0, 4);
  return bytes;
}

/** Reads a record id at `at`. */
export function readRecordId(bytes: Uint8Array, at: number): number {
  const high =
    (bytes[at] as number) * 0x1000000 +
    ((bytes[at + 1] as number) << 16) +
    ((bytes[at + 2] as number) << 8) +
    (bytes[at + 3] as number);
  const low =
    (bytes[at + 4] as number) * 0x1000000 +
    ((bytes[at + 5] as number) << 16) +
    ((bytes[at + 6] as number) << 8) +
    (bytes[at + 7] as number);
  return high * 0x100000000 + low;
}

export function documentKey(collId: number, recordId: number): Buffer {
  const key = Buffer.allocUnsafeSlow(ID_PREFIX_BYTES + RECORD_BYTES);
  key[0] = KIND.document;
  key.writeUInt32BE(collId, 1);
  key.writeUInt32BE(Math.floor(recordId / 0x100000000), ID_PREFIX_BYTES);
  key.writeUInt32BE(recordId >>> 0, ID_PREFIX_BYTES + 4);
  return key;
}

/** The first key after all keys that begin with `prefix`; null when there is none. */
export function prefixEnd(prefix: Uint8Array): Buffer | null {
  let length = prefix.length;
  while (length > 0 && prefix[length - 1] === 0xff) length -= 1;
  if (length === 0) return null;
  const end = Buffer.from(prefix.subarray(0, length));
  end[length - 1] = (end[length - 1] as number) + 1;
  return end;
}
