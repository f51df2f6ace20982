import { isSliceOver, PAUSE, type Pause, type Pausing } from '../../budget.ts';
import type { StoredCollection, StoredIndex } from '../catalog/record.ts';
import { entryRecordId } from '../keys/entry.ts';
import { documentKey, documentPrefix, prefixEnd, readRecordId } from '../keys/layout.ts';
import { Found } from '../found.ts';
import { passOver, type Kv } from '../kv.ts';
import type { CollectionPlan, IndexPlan, Plan } from '../plan/plan.ts';
import type { ScanRange } from '../plan/ranges.ts';
import { mergeScans } from './merge.ts';

/** The cost of a query. */
export interface Effort {
  keysExamined: number;
  docsExamined: number;
}

function* rangeEntries(
  kv: Kv,
  index: StoredIndex,
  range: ScanRange,
  { reverse, skip }: { reverse: boolean; skip: number },
): Generator<number | Pause> {
  const left = yield* passOver(kv, range, skip, reverse);
  const scan = kv.scan(left.range, { reverse, skip: left.skip, keysOnly: !index.unique });
  try {
    for (const { key, value } of scan) yield entryRecordId(index, key, index.unique ? value : null);
  } finally {
    scan.return();
  }
}

function* sequence(kv: Kv, plan: IndexPlan, skip: number): Generator<number | Pause> {
  const ranges = plan.reverse ? [...plan.ranges].reverse() : plan.ranges;
  for (const range of ranges) yield* rangeEntries(kv, plan.index, range, { reverse: plan.reverse, skip });
}

function* counted(ids: Pausing<number>, effort: Effort): Generator<number | Pause> {
  for (const id of ids) {
    if (id !== PAUSE) effort.keysExamined += 1;
    yield id;
    if (isSliceOver()) yield PAUSE;
  }
}

function indexIds(kv: Kv, plan: IndexPlan, effort: Effort, skip: number): Pausing<number> {
  const ids = plan.merge ? mergeScans(kv, plan.index, plan.ranges, plan.reverse) : sequence(kv, plan, skip);
  return counted(ids, effort);
}

/** The documents of an index walk. */
function* fetched(
  kv: Kv,
  coll: StoredCollection,
  ids: Pausing<number>,
  effort: Effort,
): Generator<Found | Pause> {
  for (const id of ids) {
    if (id === PAUSE) {
      yield PAUSE;
      continue;
    }
    const bytes = kv.get(documentKey(coll.collId, id));
    effort.docsExamined += 1;
    if (bytes) yield new Found(id, bytes);
  }
}

function* wholeCollection(
  kv: Kv,
  coll: StoredCollection,
  plan: CollectionPlan,
  effort: Effort,
  skip: number,
): Generator<Found | Pause> {
  const start = documentPrefix(coll.collId);
  const { reverse } = plan;
  const left = yield* passOver(kv, { start, end: prefixEnd(start) as Buffer }, skip, reverse);
  const scan = kv.scan(left.range, { reverse, skip: left.skip });
  try {
    for (const { key, value } of scan) {
      effort.docsExamined += 1;
      yield new Found(readRecordId(key, start.length), value);
      if (isSliceOver()) yield PAUSE;
    }
  } finally {
    scan.return();
  }
}

/**
 * The documents that a plan returns, in its order, each once, not yet filtered. `skip` entries are skipped unread: only
 * for plans where each entry is a match (`canSkip`).
 */
export function walk(kv: Kv, coll: StoredCollection, plan: Plan, effort: Effort, skip = 0): Pausing<Found> {
  switch (plan.kind) {
    case 'empty':
      return [];
    case 'collection':
      return wholeCollection(kv, coll, plan, effort, skip);
    case 'index':
      return fetched(kv, coll, indexIds(kv, plan, effort, skip), effort);
  }
}

/** True when entries can be skipped without reading their documents. */
export function canSkip(plan: Plan, hasFilter: boolean): boolean {
  if (plan.kind === 'collection') return !hasFilter;
  return plan.kind === 'index' && plan.exact && !plan.merge && plan.ranges.length === 1;
}
