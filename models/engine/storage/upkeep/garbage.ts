import { allRecords, type Kv, type WritableKv } from '../kv.ts';
import { garbageKey, GARBAGE_KEYS, indexRange, KIND, readGarbageKey, type Garbage } from '../keys/layout.ts';

/** Dropped collections and indexes whose documents or entries still exist. */
export function garbageIn(kv: Kv): Garbage[] {
  return [...kv.keys(GARBAGE_KEYS)].map(readGarbageKey);
}

/** Removes up to `limit` documents or entries, and the mark when none is left; true in that case. */
export function removeGarbage(kv: WritableKv, { kind, id }: Garbage, limit: number): boolean {
  const removed =
    kind === KIND.document
      ? kv.removeDocuments(allRecords(id), limit)
      : kv.removeEntries(indexRange(id), limit);
  if (removed === limit) return false;
  kv.remove(garbageKey(kind, id));
  return true;
}
