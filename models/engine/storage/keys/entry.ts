import type { Document } from '../../values/types.ts';
import type { StoredIndex } from '../catalog/record.ts';
import { singleValue, type ReadValue } from '../../query/index.ts';
import { EMPTY_BYTES, type Entry, type KeyRange, type Kv, type ScanOptions } from '../kv.ts';
import { indexPrefix, readRecordId, recordBytes, RECORD_BYTES } from './layout.ts';
import { writeField } from '../../values/key.ts';
import { KeyWriter } from '../../values/key-writer.ts';

const writer = new KeyWriter();

/** Builds the entries of one index. Created once per index and cached. */
export class EntryBuilder {
  private readonly fields: { path: string; direction: 1 | -1; read: ReadValue }[];
  private readonly prefix: Buffer;

  constructor(index: StoredIndex) {
    this.prefix = indexPrefix(index.indexId);
    const purpose = `a field of the index ${index.name}`;
    this.fields = index.fields.map((field) => ({ ...field, read: singleValue(field.path, purpose) }));
  }

  /** A document's key, without the record id. @throws EngineError 115 for an array in an indexed field */
  build(doc: Document): Buffer {
    writer.reset();
    writer.raw(this.prefix);
    for (const { read, direction } of this.fields) writeField(writer, read(doc) ?? null, direction);
    return writer.take();
  }

  /** A document's indexed values, by path; null if missing. */
  valuesOf(doc: Document): Document {
    return Object.fromEntries(this.fields.map(({ path, read }) => [path, read(doc) ?? null]));
  }
}

/** The key of an entry: the fields, followed by the record id unless the index is unique. */
export function entryKey(index: StoredIndex, key: Buffer, recordId: number): Buffer {
  return index.unique ? key : Buffer.concat([key, recordBytes(recordId)]);
}

export function entryValue(index: StoredIndex, recordId: number): Buffer {
  return index.unique ? recordBytes(recordId) : EMPTY_BYTES;
}

/** The record id of an entry's document. */
export function entryRecordId(index: StoredIndex, { key, value }: Entry): number {
  return index.unique ? readRecordId(value, 0) : idAtEnd(key);
}

/** The record ids of the entries in a range, in the order of their keys. */
export function* recordIdsIn(
  kv: Kv,
  index: StoredIndex,
  range: KeyRange,
  options?: ScanOptions,
): Generator<number> {
  if (index.unique) for (const { value } of kv.entries(range, options)) yield readRecordId(value, 0);
  else for (const key of kv.keys(range, options)) yield idAtEnd(key);
}

const idAtEnd = (key: Buffer): number => readRecordId(key, key.length - RECORD_BYTES);
