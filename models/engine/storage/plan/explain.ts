import type { Bound } from '../../query/index.ts';
import type { Document } from '../../values/types.ts';
import { showDocument, showValue } from '../../values/show.ts';
import type { IndexPlan, Plan } from './plan.ts';

/** Stretches as the server writes them: `["a", "a"]` for a point, `(5, inf]` for a range. */
function boundText(bound: Bound): string[] {
  if (bound.points) return bound.points.map((point) => `[${showValue(point)}, ${showValue(point)}]`);
  const from = bound.min === undefined ? '[-inf' : `${bound.minInclusive ? '[' : '('}${showValue(bound.min)}`;
  const to = bound.max === undefined ? 'inf]' : `${showValue(bound.max)}${bound.maxInclusive ? ']' : ')'}`;
  return [`${from}, ${to}`];
}

function indexScan(plan: IndexPlan, count: boolean): Document {
  const { index } = plan;
  const multiKeyPaths = index.fields.map(({ path }, i) => [path, index.multikeyPaths[i] ? [path] : []]);
  const bounds = index.fields.map(({ path }, i) => {
    const bound = plan.bounds[i];
    return [path, bound ? boundText(bound.source) : ['[MinKey, MaxKey]']];
  });
  return {
    stage: count ? 'COUNT_SCAN' : 'IXSCAN',
    keyPattern: index.key,
    indexName: index.name,
    isMultiKey: index.multikey,
    multiKeyPaths: Object.fromEntries(multiKeyPaths) as Document,
    isUnique: index.unique,
    isSparse: index.sparse,
    isPartial: false,
    indexVersion: 2,
    direction: plan.reverse ? 'backward' : 'forward',
    indexBounds: Object.fromEntries(bounds) as Document,
  };
}

function source(plan: Plan, filter: Document, count: boolean): Document {
  const rest = Object.keys(filter).length > 0 ? { filter } : {};
  switch (plan.kind) {
    case 'empty':
      return { stage: 'EOF' };
    case 'collection':
      return { stage: 'COLLSCAN', ...rest, direction: plan.reverse ? 'backward' : 'forward' };
    case 'union': {
      const inputStages = plan.branches.map((branch) => indexScan(branch, false));
      return { stage: 'FETCH', ...rest, inputStage: { stage: 'OR', inputStages } };
    }
    case 'index': {
      if (count && plan.exact) return indexScan(plan, true);
      const scan = indexScan(plan, false);
      if (!plan.merge) return { stage: 'FETCH', ...rest, inputStage: scan };
      return { stage: 'FETCH', ...rest, inputStage: { stage: 'SORT_MERGE', inputStages: [scan] } };
    }
  }
}

/** The plan as `explain` nests it: COUNT or LIMIT, SKIP and SORT around FETCH around IXSCAN. */
export function winningPlan(
  plan: Plan,
  query: { filter: Document; sort: Document | null; skip: number; limit: number },
  count: boolean,
): Document {
  let stage = source(plan, query.filter, count);
  if (count) return { stage: 'COUNT', inputStage: stage };
  if (query.sort && !plan.sorted)
    stage = {
      stage: 'SORT',
      sortPattern: query.sort,
      memLimit: 104857600,
      type: 'simple',
      inputStage: stage,
    };
  if (query.skip > 0) stage = { stage: 'SKIP', skipAmount: query.skip, inputStage: stage };
  if (query.limit > 0) stage = { stage: 'LIMIT', limitAmount: query.limit, inputStage: stage };
  return stage;
}

/** One line as in the server's log: `IXSCAN { email: 1 }`. */
export function planSummary(plan: Plan, count: boolean): string {
  switch (plan.kind) {
    case 'empty':
      return 'EOF';
    case 'collection':
      return 'COLLSCAN';
    case 'union':
      return plan.branches.map((branch) => `IXSCAN ${showDocument(branch.index.key)}`).join(', ');
    case 'index':
      if (plan.single && plan.index.name === '_id_') return 'IDHACK';
      return `${count && plan.exact ? 'COUNT_SCAN' : 'IXSCAN'} ${showDocument(plan.index.key)}`;
  }
}
