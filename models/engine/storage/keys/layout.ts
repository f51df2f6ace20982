import type { KeyRange } from '../kv.ts';
import type { Namespace } from '../types.ts';

/**
 * The kinds of keys, which their first byte tells:
 * `c` collection records, `g` dropped collections and indexes still to be removed, `i` index entries, `m` the store's own
 * values, `n` counters, `t` values of the layer above. `d` in a key of `g` stands for documents, which have a table of their own.
 */
export const KIND = {
  collection: 0x63,
  document: 0x64,
  garbage: 0x67,
  index: 0x69,
  own: 0x6d,
  counter: 0x6e,
  meta: 0x74,
} as const;

/** The length of a record id in keys and values. */
export const RECORD_BYTES = 8;
const ID_PREFIX_BYTES = 5;

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
export const indexPrefix = (indexId: number): Buffer => idKey(KIND.index, indexId);

/** The index that a key belongs to. */
export const indexIdOf = (key: Buffer): number => key.readUInt32BE(1);

/** All entries of an index. */
export function indexRange(indexId: number): KeyRange {
  const start = indexPrefix(indexId);
  return { start, end: prefixEnd(start) as Buffer };
}

/** A dropped collection, whose documents remain, or a dropped index, whose entries remain. */
export interface Garbage {
  kind: typeof KIND.document | typeof KIND.index;
  id: number;
}

export const GARBAGE_KEYS: KeyRange = {
  start: Buffer.from([KIND.garbage]),
  end: Buffer.from([KIND.garbage + 1]),
};

export function garbageKey(kind: Garbage['kind'], id: number): Buffer {
  return Buffer.concat([Buffer.from([KIND.garbage]), idKey(kind, id)]);
}

export function readGarbageKey(key: Buffer): Garbage {
  return { kind: key[1] as Garbage['kind'], id: key.readUInt32BE(2) };
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

/** The first key after all keys that begin with `prefix`; null when there is none. */
export function prefixEnd(prefix: Uint8Array): Buffer | null {
  let length = prefix.length;
  while (length > 0 && prefix[length - 1] === 0xff) length -= 1;
  if (length === 0) return null;
  const end = Buffer.from(prefix.subarray(0, length));
  end[length - 1] = (end[length - 1] as number) + 1;
  return end;
}
