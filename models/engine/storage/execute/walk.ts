import { isSliceOver, PAUSE, type Pause, type Pausing } from '../../budget.ts';
import type { StoredCollection, StoredIndex } from '../catalog/record.ts';
import { recordIdsIn } from '../keys/entry.ts';
import { Found } from '../found.ts';
import { allRecords, passKeys, passRecords, type Kv } from '../kv.ts';
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
  const left = yield* passKeys(kv, range, skip, reverse);
  yield* recordIdsIn(kv, index, left.range, { reverse, skip: left.skip });
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
    const bytes = kv.document(coll.collId, id);
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
  const { reverse } = plan;
  const left = yield* passRecords(kv, allRecords(coll.collId), skip, reverse);
  for (const { recordId, bytes } of kv.documents(left.range, { reverse, skip: left.skip })) {
    effort.docsExamined += 1;
    yield new Found(recordId, bytes);
    if (isSliceOver()) yield PAUSE;
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
