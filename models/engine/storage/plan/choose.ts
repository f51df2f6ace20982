import { type Document, isDocument } from '../../values/types.ts';
import { fieldsOf, type StoredIndex } from '../catalog/record.ts';
import { type FieldBounds, boundsForField } from './intervals.ts';
import { indexBounds, type Bound } from '../../query/index.ts';
import type { IndexPlan, Plan, Request } from './plan.ts';
import { rangesOf } from './ranges.ts';

/** How an index gives the order asked for. */
interface IndexOrder {
  reverse: boolean;
  /** Number of leading fields whose points are walked side by side and merged; 0 when one walk is in order. */
  mergeFields: number;
}

/** A field that has the same value in every entry looked at, so it does not matter to the order. */
function isConstant(bounds: (FieldBounds | null)[], field: number): boolean {
  const bound = bounds[field];
  return bound?.kind === 'points' && bound.intervals.length === 1;
}

function constantPaths(index: StoredIndex, bounds: (FieldBounds | null)[]): Set<string> {
  return new Set(index.fields.filter((_, i) => isConstant(bounds, i)).map((field) => field.path));
}

/** Tries to read the wanted order off the index fields from `start` on. */
function matchFrom(
  index: StoredIndex,
  bounds: (FieldBounds | null)[],
  wanted: { path: string; direction: 1 | -1 }[],
  start: number,
): boolean | null {
  let at = start;
  let reverse: boolean | null = null;
  for (const { path, direction } of wanted) {
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

/** The way an index gives the order `sort`, or null when it does not. */
function orderOf(index: StoredIndex, bounds: (FieldBounds | null)[], sort: Document): IndexOrder | null {
  if (index.cut) return null;
  const constants = constantPaths(index, bounds);
  const wanted = fieldsOf(sort).filter((field) => !constants.has(field.path));
  const direct = matchFrom(index, bounds, wanted, 0);
  if (direct !== null) return { reverse: direct, mergeFields: 0 };
  for (let start = 1; start <= index.fields.length; start++) {
    if (bounds[start - 1]?.kind !== 'points') return null;
    const merged = matchFrom(index, bounds, wanted, start);
    if (merged !== null) return { reverse: merged, mergeFields: start };
  }
  return null;
}

/** More stretches than this are not merged; the server draws the same line. */
const MAX_MERGED = 200;

const NUMBER_PART = /(^|\.)\d+(\.|$)/;

/** What the filter says about each field of an index. */
function fieldBounds(index: StoredIndex, bounds: Map<string, Bound>): (FieldBounds | null)[] {
  return index.fields.map(({ path, direction }) =>
    NUMBER_PART.test(path) ? null : boundsForField(direction, bounds.get(path)),
  );
}

/** The paths a filter speaks about when it is nothing but conditions on paths; null otherwise. */
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

/** A walk over one index, and what speaks for it. */
type ScoredPlan = IndexPlan & { score: number };

/** The walk over one index. */
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
 * Equality counts most, then order, then ranges. An index that only gives the order beats reading everything. Stretches
 * that hold one entry each at most, as a list of ids has them, are no more than the list is long: nothing beats that
 * but a single one.
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

function best(request: Request, bounds: Map<string, Bound>): ScoredPlan | null {
  let winner: ScoredPlan | null = null;
  for (const index of request.coll.indexes) {
    const plan = planIndex(request, index, bounds);
    if (plan.score > 0 && (!winner || plan.score > winner.score)) winner = plan;
  }
  return winner;
}

/** Chooses how a query is answered. */
export function choosePlan(request: Request): Plan {
  const { natural, hint, sort } = request;
  if (natural) return { kind: 'collection', reverse: natural === -1, sorted: sort === null };
  const bounds = indexBounds(request.filter);
  if (hint) return planIndex(request, hint, bounds);
  const plan = best(request, bounds);
  if (plan?.ranges.length === 0) return { kind: 'empty', sorted: true };
  return plan ?? { kind: 'collection', reverse: false, sorted: sort === null };
}
