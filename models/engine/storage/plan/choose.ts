import { indexBounds, type Bound } from '../../query/index.ts';
import { isDocument, T, typeOf, type Document } from '../../values/types.ts';
import type { StoredIndex } from '../catalog/record.ts';
import { boundsForField, type FieldBounds } from './intervals.ts';
import { orderOf, type IndexOrder } from './order.ts';
import type { IndexPlan, Plan, Request } from './plan.ts';
import { rangesOf } from './ranges.ts';

/** More stretches than this are not merged; the server draws the same line. */
const MAX_MERGED = 200;

const NUMBER_PART = /(^|\.)\d+(\.|$)/;

function firstPart(path: string): string {
  return path.split('.', 1)[0] as string;
}

/**
 * What the filter says about each field of an index. Of several array fields below the same name only the first may be
 * narrowed: the others could be met by another element.
 */
function fieldBounds(
  request: Request,
  index: StoredIndex,
  bounds: Map<string, Bound>,
): (FieldBounds | null)[] {
  const spreadNames = new Set<string>();
  return index.fields.map(({ path }, i) => {
    if (NUMBER_PART.test(path)) return null;
    const name = firstPart(path);
    if (index.multikeyPaths[i] && spreadNames.has(name)) return null;
    const found = boundsForField(index, i, bounds.get(path));
    if (found && index.multikeyPaths[i]) spreadNames.add(name);
    return found;
  });
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

/** Types of values that stand for a missing field, too, or for more than themselves. */
const VAGUE: ReadonlySet<number> = new Set([T.null, T.missing, T.undefined, T.minKey, T.maxKey, T.regex]);

/** True when a filter with this bound can only accept documents that have the field, and not as null. */
export function excludesMissing(bound: Bound | undefined): boolean {
  const values = bound?.points ?? [bound?.min, bound?.max].filter((value) => value !== undefined);
  return values.length > 0 && values.every((value) => !VAGUE.has(typeOf(value)));
}

/** The walk over one index, or null when the index does not hold all matches. */
export function planIndex(
  request: Request,
  index: StoredIndex,
  bounds: Map<string, Bound>,
): (IndexPlan & { score: number }) | null {
  if (index.sparse && !index.fields.some(({ path }) => excludesMissing(bounds.get(path)))) return null;
  const fields = fieldBounds(request, index, bounds);
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
    exact: found.exact && covered && !index.multikey,
    single,
    bounds: fields.map((field, i) => (i < found.used ? field : null)),
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

function best(request: Request, bounds: Map<string, Bound>): (IndexPlan & { score: number }) | null {
  let winner: (IndexPlan & { score: number }) | null = null;
  for (const index of request.coll.indexes) {
    const plan = planIndex(request, index, bounds);
    if (plan && plan.score > 0 && (!winner || plan.score > winner.score)) winner = plan;
  }
  return winner;
}

/** A top-level `$or` whose every branch an index can answer. */
function planUnion(request: Request): Plan | null {
  const { $or, ...rest } = request.filter;
  if (!Array.isArray($or) || $or.length === 0) return null;
  const branches: IndexPlan[] = [];
  for (const branch of $or) {
    const filter: Document = { $and: [rest, branch as Document] };
    const plan = best({ ...request, filter, sort: null }, indexBounds(filter));
    if (!plan) return null;
    if (plan.ranges.length > 0) branches.push(plan);
  }
  return branches.length === 0 ? { kind: 'empty', sorted: true } : { kind: 'union', branches, sorted: false };
}

/** The whole index in its order, for a hint that the filter and sort make no use of. */
function planHint(request: Request, index: StoredIndex, bounds: Map<string, Bound>): Plan {
  const plan = planIndex(request, index, bounds);
  if (plan) return plan;
  const found = rangesOf(index, [], 0);
  return {
    kind: 'index',
    index,
    ranges: found.ranges,
    reverse: false,
    merge: false,
    sorted: false,
    exact: false,
    single: false,
    bounds: [],
  };
}

/** Chooses how a query is answered. */
export function choosePlan(request: Request): Plan {
  const { natural, hint, sort } = request;
  if (natural) return { kind: 'collection', reverse: natural === -1, sorted: sort === null };
  const bounds = indexBounds(request.filter);
  if (hint) return planHint(request, hint, bounds);
  const plan = best(request, bounds);
  if (plan?.ranges.length === 0) return { kind: 'empty', sorted: true };
  if (plan && (plan.bounds.some(Boolean) || !request.filter['$or'])) return plan;
  return planUnion(request) ?? plan ?? { kind: 'collection', reverse: false, sorted: sort === null };
}
