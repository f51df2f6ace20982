import type { Document } from '../../values/types.ts';
import type { StoredCollection, StoredIndex } from '../catalog/record.ts';
import type { ScanRange } from './ranges.ts';

/** Walk over stretches of one index. */
export interface IndexPlan {
  kind: 'index';
  index: StoredIndex;
  ranges: ScanRange[];
  reverse: boolean;
  /** The stretches are walked side by side and merged. */
  merge: boolean;
  /** The order asked for comes out of the walk. */
  sorted: boolean;
  /** Every entry in the stretches is a match. */
  exact: boolean;
  /** A single entry at most: unique index, all fields given. */
  single: boolean;
}

/** Walk over all documents in the order they were inserted. */
export interface CollectionPlan {
  kind: 'collection';
  reverse: boolean;
  sorted: boolean;
}

/** Nothing can match. */
export interface EmptyPlan {
  kind: 'empty';
  sorted: true;
}

export type Plan = IndexPlan | CollectionPlan | EmptyPlan;

/** A query after its parts were looked at, as planner and executor share it. */
export interface Request {
  coll: StoredCollection;
  filter: Document;
  sort: Document | null;
  /** 1 or -1 for `{ $natural: … }` as sort or hint. */
  natural: 1 | -1 | null;
  hint: StoredIndex | null;
  limit: number;
}

function describeSource(plan: Plan): Document {
  if (plan.kind === 'empty') return { stage: 'EOF' };
  const direction = plan.reverse ? 'backward' : 'forward';
  if (plan.kind === 'collection') return { stage: 'COLLSCAN', direction };
  const { index, merge } = plan;
  return { stage: merge ? 'SORT_MERGE' : 'IXSCAN', indexName: index.name, keyPattern: index.key, direction };
}

/** A plan as `explain` tells it. */
export function describePlan(plan: Plan, { sort }: Request): Document {
  const inputStage = describeSource(plan);
  return sort && !plan.sorted ? { stage: 'SORT', sortPattern: sort, inputStage } : inputStage;
}
