import { createHash } from 'node:crypto';
import type { Document } from '../../values/types.ts';
import type { StoredIndex } from '../catalog/record.ts';
import { singleValue, type ReadValue } from '../../query/index.ts';
import { indexPrefix, readRecordId, recordBytes } from './layout.ts';
import { writeField } from '../../values/key.ts';
import { KeyWriter } from '../../values/key-writer.ts';

/** How much of an overlong key is kept before its hash. */
export const KEPT_BYTES = 1900;
const HASH_BYTES = 32;
const LONGEST = KEPT_BYTES + HASH_BYTES;

/** A document's entry in one index. */
export interface IndexEntry {
  /** The full LMDB key without the record id. */
  key: Buffer;
  /** True when the key was too long and ends in a hash. */
  cut: boolean;
}

const writer = new KeyWriter();

/** Truncates keys over LMDB's limit and appends a hash of the whole key to distinguish them. */
function fit(key: Buffer): IndexEntry {
  if (key.length <= LONGEST) return { key, cut: false };
  const hash = createHash('sha256').update(key).digest();
  return { key: Buffer.concat([key.subarray(0, KEPT_BYTES), hash]), cut: true };
}

/** Builds the entries of one index. Created once per index and cached. */
export class EntryBuilder {
  private readonly fields: { path: string; direction: 1 | -1; read: ReadValue }[];
  private readonly prefix: Buffer;

  constructor(index: StoredIndex) {
    this.prefix = indexPrefix(index.indexId);
    const purpose = `a field of the index ${index.name}`;
    this.fields = index.fields.map((field) => ({ ...field, read: singleValue(field.path, purpose) }));
  }

  /** @throws EngineError 115 for an array in an indexed field */
  build(doc: Document): IndexEntry {
    writer.reset();
    writer.raw(this.prefix);
    for (const { read, direction } of this.fields) writeField(writer, read(doc) ?? null, direction);
    return fit(writer.take());
  }

  /** A document's indexed values, by path; null if missing. */
  valuesOf(doc: Document): Document {
    return Object.fromEntries(this.fields.map(({ path, read }) => [path, read(doc) ?? null]));
  }
}

/** The LMDB key of an entry: the fields, followed by the record id unless the index is unique. */
export function entryKey(index: StoredIndex, key: Buffer, recordId: number): Buffer {
  return index.unique ? key : Buffer.concat([key, recordBytes(recordId)]);
}

/** The LMDB value of an entry. */
export function entryValue(index: StoredIndex, recordId: number): Buffer {
  return index.unique ? recordBytes(recordId) : EMPTY;
}

const EMPTY = Buffer.alloc(0);

/** The record id of an entry's document. */
export function entryRecordId(index: StoredIndex, key: Uint8Array, value: Uint8Array | null): number {
  return index.unique && value ? readRecordId(value, 0) : readRecordId(key, key.length - 8);
}
