import type { StoredCollection, StoredIndex } from '../catalog/record.ts';
import { indexPrefix } from '../keys/layout.ts';
import { typeByte, writeField } from '../keys/value.ts';
import { KeyWriter } from '../keys/writer.ts';
import { entryRecordId } from '../keys/entry.ts';
import { documentKey } from '../keys/layout.ts';
import { Extractor } from '../../query/index.ts';
import { Found } from '../found.ts';
import type { Kv, KeyRange } from '../kv.ts';
import { removeDocument } from '../write/documents.ts';
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
  const ids = new Set<number>();
  const scan = kv.scan(expiredRange(index, now), { keysOnly: !index.unique });
  try {
    for (const { key, value } of scan) {
      ids.add(entryRecordId(index, key, index.unique ? value : null));
      if (ids.size === limit) break;
    }
  } finally {
    scan.return();
  }
  return [...ids];
}

/** True when the earliest date under the field is past; without a date a document never expires. */
function isExpired(index: StoredIndex, doc: Found, now: Date): boolean {
  const limit = now.getTime() - (index.expireAfterSeconds as number) * 1000;
  const { path } = index.fields[0] as { path: string };
  const { rows } = new Extractor([path]).extract(doc.doc);
  return rows.some(([value]) => value instanceof Date && value.getTime() <= limit);
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
