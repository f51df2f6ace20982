import type { Document } from '../../values/types.ts';
import type { StoredCollection, StoredIndex } from '../catalog/record.ts';
import type { ScanRange } from './ranges.ts';

/** Walk over ranges of one index. */
export interface IndexPlan {
  kind: 'index';
  index: StoredIndex;
  ranges: ScanRange[];
  reverse: boolean;
  /** The ranges are walked in parallel and merged. */
  merge: boolean;
  /** The walk returns the requested order. */
  sorted: boolean;
  /** Every entry in the ranges is a match. */
  exact: boolean;
  /** At most one entry: a unique index with all fields given. */
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

/** An analysed query, shared by planner and executor. */
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

/** A plan as `explain` reports it. */
export function describePlan(plan: Plan, { sort }: Request): Document {
  const inputStage = describeSource(plan);
  return sort && !plan.sorted ? { stage: 'SORT', sortPattern: sort, inputStage } : inputStage;
}
