import { type Document, isDocument } from '../../values/types.ts';
import { fieldsOf, type StoredIndex } from '../catalog/record.ts';
import { type FieldBounds, boundsForField } from './intervals.ts';
import { indexBounds, type Bound } from '../../query/index.ts';
import type { IndexPlan, Plan, Request } from './plan.ts';
import { rangesOf } from './ranges.ts';

/** How an index provides the requested order. */
interface IndexOrder {
  reverse: boolean;
  /** Number of leading fields whose points are walked in parallel and merged; 0 when a single walk is in order. */
  mergeFields: number;
}

/** True for a field with the same value in every entry, so that it does not affect the order. */
function isConstant(bounds: (FieldBounds | null)[], field: number): boolean {
  const bound = bounds[field];
  return bound?.kind === 'points' && bound.intervals.length === 1;
}

function constantPaths(index: StoredIndex, bounds: (FieldBounds | null)[]): Set<string> {
  return new Set(index.fields.filter((_, i) => isConstant(bounds, i)).map((field) => field.path));
}

/** Tries to match the requested order with the index fields from `start` on. */
function matchFrom(
  index: StoredIndex,
  bounds: (FieldBounds | null)[],
  order: { path: string; direction: 1 | -1 }[],
  start: number,
): boolean | null {
  let at = start;
  let reverse: boolean | null = null;
  for (const { path, direction } of order) {
    while (at < index.fields.length && isConstant(bounds, at) && index.fields[at]?.path !== path) at++;
    const field = index.fields[at];
    if (field?.path !== path) return null;
    const turned = field.direction !== direction;
    if (reverse !== null && turned !== reverse) return null;
    reverse = turned;
    at += 1;
  }
  return reverse ?? false;
}

/** How an index provides the order `sort`, or null if it does not. */
function orderOf(index: StoredIndex, bounds: (FieldBounds | null)[], sort: Document): IndexOrder | null {
  const constants = constantPaths(index, bounds);
  const order = fieldsOf(sort).filter((field) => !constants.has(field.path));
  const direct = matchFrom(index, bounds, order, 0);
  if (direct !== null) return { reverse: direct, mergeFields: 0 };
  for (let start = 1; start <= index.fields.length; start++) {
    if (bounds[start - 1]?.kind !== 'points') return null;
    const merged = matchFrom(index, bounds, order, start);
    if (merged !== null) return { reverse: merged, mergeFields: start };
  }
  return null;
}

/** More ranges than this are not merged; the server has the same limit. */
const MAX_MERGED = 200;

const NUMBER_PART = /(^|\.)\d+(\.|$)/;

/** The filter's bounds for each field of an index. */
function fieldBounds(index: StoredIndex, bounds: Map<string, Bound>): (FieldBounds | null)[] {
  return index.fields.map(({ path, direction }) =>
    NUMBER_PART.test(path) ? null : boundsForField(direction, bounds.get(path)),
  );
}

/** The paths in a filter if it only consists of conditions on paths; null otherwise. */
export function plainPaths(filter: Document): string[] | null {
  const paths: string[] = [];
  for (const [key, value] of Object.entries(filter)) {
    if (key === '$and' && Array.isArray(value)) {
      for (const part of value) {
        const inner = isDocument(part) ? plainPaths(part) : null;
        if (!inner) return null;
        paths.push(...inner);
      }
    } else if (key.startsWith('$')) return null;
    else paths.push(key);
  }
  return paths;
}

function orderFor(request: Request, index: StoredIndex, bounds: (FieldBounds | null)[]): IndexOrder | null {
  return request.sort && orderOf(index, bounds, request.sort);
}

/** A walk over one index, with its score. */
type ScoredPlan = IndexPlan & { score: number };

/** Plans a walk over one index. */
function planIndex(request: Request, index: StoredIndex, bounds: Map<string, Bound>): ScoredPlan {
  const fields = fieldBounds(index, bounds);
  let order = orderFor(request, index, fields);
  let found = rangesOf(index, fields, order?.mergeFields ?? 0);
  if (
    order &&
    order.mergeFields > 0 &&
    (found.points < order.mergeFields || found.ranges.length > MAX_MERGED)
  ) {
    order = null;
    found = rangesOf(index, fields, 0);
  }
  const used = new Set(index.fields.slice(0, found.used).map((field) => field.path));
  const paths = plainPaths(request.filter);
  const covered = paths !== null && paths.every((path) => used.has(path));
  const oneEach = index.unique && found.points === index.fields.length;
  const single = oneEach && found.ranges.length === 1;
  return {
    kind: 'index',
    index,
    ranges: found.ranges,
    reverse: order?.reverse ?? false,
    merge: (order?.mergeFields ?? 0) > 0 && found.ranges.length > 1,
    sorted: order !== null,
    exact: found.exact && covered,
    single,
    score: scoreOf(fields, found, { oneEach, single, sorted: order !== null, limited: request.limit > 0 }),
  };
}

/**
 * Equality counts most, then order, then ranges. An index that only provides the order beats reading everything. A list of
 * ranges with at most one entry each, such as a list of ids, reads no more entries than its length: only
 * a single such range beats it.
 */
function scoreOf(
  fields: (FieldBounds | null)[],
  found: { used: number; points: number },
  { oneEach, single, sorted, limited }: Record<'oneEach' | 'single' | 'sorted' | 'limited', boolean>,
): number {
  if (single) return 1000;
  if (oneEach) return 500;
  let score = 0;
  for (let i = 0; i < found.points; i++) score += fields[i]?.intervals.length === 1 ? 10 : 9;
  if (found.used > found.points) score += 4;
  if (sorted) score += found.points > 0 ? 12 : limited ? 5 : 3;
  return score;
}

/** False for an index that neither narrows the scan, which its first field has to begin, nor has an order to provide. */
function canHelp({ sort }: Request, index: StoredIndex, bounds: Map<string, Bound>): boolean {
  const [first] = index.fields;
  return sort !== null || (first !== undefined && bounds.has(first.path));
}

function best(request: Request, bounds: Map<string, Bound>): ScoredPlan | null {
  let winner: ScoredPlan | null = null;
  for (const index of request.coll.indexes) {
    if (!canHelp(request, index, bounds)) continue;
    const plan = planIndex(request, index, bounds);
    // Nothing reads less than one entry.
    if (plan.single) return plan;
    if (plan.score > 0 && (!winner || plan.score > winner.score)) winner = plan;
  }
  return winner;
}

/** Chooses a plan for a query. */
export function choosePlan(request: Request): Plan {
  const { natural, hint, sort } = request;
  if (natural) return { kind: 'collection', reverse: natural === -1, sorted: sort === null };
  const bounds = indexBounds(request.filter);
  if (hint) return planIndex(request, hint, bounds);
  const plan = best(request, bounds);
  if (plan?.ranges.length === 0) return { kind: 'empty', sorted: true };
  return plan ?? { kind: 'collection', reverse: false, sorted: sort === null };
}
