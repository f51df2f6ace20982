import { createHash } from 'node:crypto';
import type { Document } from '../../values/types.ts';
import type { StoredIndex } from '../catalog/record.ts';
import { Extractor } from '../../query/index.ts';
import { indexPrefix, readRecordId, recordBytes } from './layout.ts';
import { writeField } from './value.ts';
import { KeyWriter } from './writer.ts';

/** How much of an overlong key is kept before its hash. */
export const KEPT_BYTES = 1900;
const HASH_BYTES = 32;
const LONGEST = KEPT_BYTES + HASH_BYTES;

/** The entries one document has in one index. */
export interface Entries {
  /** Full LMDB keys without record ids, in no order, each once. */
  keys: Buffer[];
  arrays: boolean[];
  /** True when a key was too long and ends in a hash. */
  cut: boolean;
}

const writer = new KeyWriter();

/** Keys over LMDB's limit keep their beginning; a hash of the whole tells them apart. */
function fit(key: Buffer): { key: Buffer; cut: boolean } {
  if (key.length <= LONGEST) return { key, cut: false };
  const hash = createHash('sha256').update(key).digest();
  return { key: Buffer.concat([key.subarray(0, KEPT_BYTES), hash]), cut: true };
}

/** Builds the entries of one index. Made once per index and kept. */
export class EntryBuilder {
  private readonly extractor: Extractor;
  private readonly prefix: Buffer;

  constructor(private readonly index: StoredIndex) {
    this.prefix = indexPrefix(index.indexId);
    this.extractor = new Extractor(index.fields.map((field) => field.path));
  }

  /** @throws EngineError 171 (parallel arrays). */
  build(doc: Document): Entries {
    const { rows, arrays } = this.extractor.extract(doc);
    const keys = new Map<string, Buffer>();
    let cut = false;
    for (const row of rows) {
      if (this.index.sparse && row.every((value) => value === undefined)) continue;
      const fitted = fit(this.encode(row));
      cut ||= fitted.cut;
      keys.set(rows.length === 1 ? '' : fitted.key.toString('latin1'), fitted.key);
    }
    return { keys: [...keys.values()], arrays, cut };
  }

  private encode(row: unknown[]): Buffer {
    writer.reset();
    writer.raw(this.prefix);
    const { fields } = this.index;
    for (let i = 0; i < fields.length; i++) {
      const value = row[i] === undefined ? null : row[i];
      writeField(writer, value, (fields[i] as { direction: 1 | -1 }).direction);
    }
    return writer.take();
  }
}

/** The LMDB key of an entry: in unique indexes the fields alone, in others the record id follows. */
export function entryKey(index: StoredIndex, key: Buffer, recordId: number): Buffer {
  return index.unique ? key : Buffer.concat([key, recordBytes(recordId)]);
}

/** The LMDB value of an entry. */
export function entryValue(index: StoredIndex, recordId: number): Buffer {
  return index.unique ? recordBytes(recordId) : EMPTY;
}

const EMPTY = Buffer.alloc(0);

/** Which document an entry points to. */
export function entryRecordId(index: StoredIndex, key: Uint8Array, value: Uint8Array | null): number {
  return index.unique && value ? readRecordId(value, 0) : readRecordId(key, key.length - 8);
}
