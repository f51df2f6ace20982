import { PAUSE, sorted, type Pausing, type Steps } from '../../budget.ts';
import { EngineError } from '../../errors.ts';
import { compileSorter, type SortKey } from '../../query/index.ts';
import type { Document } from '../../values/types.ts';
import type { Found } from '../found.ts';

/** The most that the keys of one sort may take. */
const MAX_SORT_BYTES = 100 * 1024 * 1024;
const ROW_BYTES = 64;

interface Row {
  recordId: number;
  key: SortKey;
}

function sizeOf(key: SortKey): number {
  let size = ROW_BYTES;
  for (const value of key) size += typeof value === 'string' ? 2 * value.length + 16 : 24;
  return size;
}

/**
 * Sorts record ids by their documents' values, keeping the first `keep` only (0: all). A missing field counts as null, as an
 * index of the same fields has it.
 * @throws EngineError 292 when the keys take more than 100 MB.
 */
export function* sortIds(found: Pausing<Found>, sort: Document, keep: number): Steps<number[]> {
  const { keyOf, compareKeys } = compileSorter(sort);
  const byKey = (a: Row, b: Row): number => compareKeys(a.key, b.key) || a.recordId - b.recordId;
  const room = keep > 0 ? Math.max(2 * keep, 1000) : Infinity;
  let rows: Row[] = [];
  let bytes = 0;
  for (const document of found) {
    if (document === PAUSE) {
      yield PAUSE;
      continue;
    }
    const key = keyOf(document.doc);
    rows.push({ recordId: document.recordId, key });
    bytes += sizeOf(key);
    if (rows.length >= room || (bytes > MAX_SORT_BYTES && keep > 0)) {
      rows = (yield* sorted(rows, byKey)).slice(0, keep);
      bytes = rows.reduce((sum, row) => sum + sizeOf(row.key), 0);
    }
    if (bytes > MAX_SORT_BYTES) throw tooLarge();
  }
  rows = yield* sorted(rows, byKey);
  return (keep > 0 ? rows.slice(0, keep) : rows).map((row) => row.recordId);
}

function tooLarge(): EngineError {
  return new EngineError(
    'QueryExceededMemoryLimitNoDiskUseAllowed',
    `Executor error during find command :: caused by :: Sort exceeded memory limit of ${MAX_SORT_BYTES} bytes, but did not opt in to external sorting.`,
  );
}
