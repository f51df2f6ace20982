import type { StoredCollection, StoredIndex } from '../catalog/record.ts';
import { typeByte, writeField } from '../../values/key.ts';
import { KeyWriter } from '../../values/key-writer.ts';
import { entryRecordId } from '../keys/entry.ts';
import { documentKey, indexPrefix } from '../keys/layout.ts';
import { Found } from '../found.ts';
import type { Kv, KeyRange } from '../kv.ts';
import { removeDocument } from '../write/documents.ts';
import { builderOf } from '../write/entries.ts';
import type { WriteState } from '../write/state.ts';

/** The entries of a TTL index whose dates are past at `now`. */
export function expiredRange(index: StoredIndex, now: Date): KeyRange {
  const { direction } = index.fields[0] as { direction: 1 | -1 };
  const limit = new Date(now.getTime() - (index.expireAfterSeconds as number) * 1000);
  const prefix = indexPrefix(index.indexId);
  const writer = new KeyWriter();
  writeField(writer, limit, direction);
  const edge = Buffer.concat([prefix, writer.take()]);
  const byte = direction === 1 ? typeByte(limit) : (typeByte(limit) ^ 0xff) + 1;
  const outer = Buffer.concat([prefix, Buffer.from([byte])]);
  return direction === 1 ? { start: outer, end: edge } : { start: edge, end: outer };
}

/** Record ids of documents that are to be removed, at most `limit`. */
export function expiredIds(kv: Kv, index: StoredIndex, now: Date, limit: number): number[] {
  const ids: number[] = [];
  const scan = kv.scan(expiredRange(index, now), { keysOnly: !index.unique });
  try {
    for (const { key, value } of scan) {
      ids.push(entryRecordId(index, key, index.unique ? value : null));
      if (ids.length === limit) break;
    }
  } finally {
    scan.return();
  }
  return ids;
}

/** True when the date in the field is past; without a date a document never expires. */
function isExpired(index: StoredIndex, doc: Found, now: Date): boolean {
  const limit = now.getTime() - (index.expireAfterSeconds as number) * 1000;
  const [value] = Object.values(builderOf(index).valuesOf(doc.doc));
  return value instanceof Date && value.getTime() <= limit;
}

/** Removes those of the given documents that are (still) expired; returns how many. Safe in several processes. */
export function removeExpired(
  state: WriteState,
  coll: StoredCollection,
  index: StoredIndex,
  ids: number[],
  now: Date,
): number {
  let removed = 0;
  for (const recordId of ids) {
    const bytes = state.kv.get(documentKey(coll.collId, recordId));
    if (!bytes) continue;
    const found = new Found(recordId, bytes);
    if (!isExpired(index, found, now)) continue;
    removeDocument(state, coll, found);
    removed += 1;
  }
  return removed;
}
