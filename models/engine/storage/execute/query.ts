import { isSliceOver, PAUSE, type Pause, type Pausing, type Steps } from '../../budget.ts';
import { EngineError } from '../../errors.ts';
import { compileFilter, compileSorter, equalValues, type Matcher } from '../../query/index.ts';
import { isDocument, type Document } from '../../values/types.ts';
import type { StoredCollection, StoredIndex } from '../catalog/record.ts';
import { Found } from '../found.ts';
import { documentKey } from '../keys/layout.ts';
import { countKeys, type Kv } from '../kv.ts';
import { choosePlan, plainPaths } from '../plan/choose.ts';
import type { Plan, Request } from '../plan/plan.ts';
import type { Query } from '../types.ts';
import { sortIds } from './sort.ts';
import { canSkip, walk, type Effort } from './walk.ts';

/** A query with its plan, ready to run. */
export interface Prepared {
  request: Request;
  plan: Plan;
  /** Null when every document that the plan leads to matches. */
  matches: Matcher | null;
  /** What matches, whatever the plan; null when all do. */
  accepts: Matcher | null;
  /** The only fields that `matches` looks at; null when it may look at any. */
  fields: ReadonlySet<string> | null;
  skip: number;
}

function badHint(): EngineError {
  return new EngineError(
    'BadValue',
    'error processing query: planner returned error :: caused by :: hint provided does not correspond to an existing index',
  );
}

function naturalOf(value: unknown): 1 | -1 | null {
  if (!isDocument(value) || value['$natural'] === undefined) return null;
  return Number(value['$natural']) < 0 ? -1 : 1;
}

function hintedIndex(coll: StoredCollection, hint: string | Document | undefined): StoredIndex | null {
  if (hint === undefined || naturalOf(hint) !== null) return null;
  if (typeof hint !== 'string' && Object.keys(hint).length === 0) return null;
  const index = coll.indexes.find((candidate) =>
    typeof hint === 'string' ? candidate.name === hint : equalValues(candidate.key, hint),
  );
  if (!index) throw badHint();
  return index;
}

function sortOf(query: Query): Document | null {
  const sort = query.sort;
  if (!sort || Object.keys(sort).length === 0 || naturalOf(sort) !== null) return null;
  // A wrong pattern is refused, also where an index gives the order.
  compileSorter(sort);
  return sort;
}

/** Plans a query. Throws what a bad filter or hint throws. */
export function prepare(coll: StoredCollection, query: Query): Prepared {
  const filter = query.filter ?? {};
  const skip = query.skip ?? 0;
  const request: Request = {
    coll,
    filter,
    sort: sortOf(query),
    natural: naturalOf(query.sort) ?? naturalOf(query.hint),
    hint: hintedIndex(coll, query.hint),
    limit: query.limit ?? 0,
  };
  const empty = Object.keys(filter).length === 0;
  // Compiled also when the plan alone is exact: a wrong filter is refused all the same.
  const compiled = empty ? null : compileFilter(filter);
  const plan = choosePlan(request);
  const exact = plan.kind === 'index' && plan.exact;
  const paths = plainPaths(filter);
  const fields = paths && new Set(paths.map((path) => path.split('.', 1)[0] as string));
  return { request, plan, matches: exact ? null : compiled, accepts: compiled, fields, skip };
}

/** Whether a document is what the query looks for. */
export function isMatch({ matches, fields }: Prepared, document: Found): boolean {
  return !matches || matches(fields ? document.partOf(fields) : document.doc);
}

function* filtered(found: Pausing<Found>, prepared: Prepared): Generator<Found | Pause> {
  for (const document of found) if (document === PAUSE || isMatch(prepared, document)) yield document;
}

function* window(found: Pausing<Found>, skip: number, limit: number): Generator<Found | Pause> {
  let passed = 0;
  let given = 0;
  for (const document of found) {
    if (document === PAUSE) {
      yield PAUSE;
      continue;
    }
    if (passed < skip) {
      passed += 1;
      continue;
    }
    yield document;
    given += 1;
    if (given === limit) return;
  }
}

/** Sorts first, then fetches again: the documents of a large result would not fit into memory. */
function* inOrder(kv: Kv, prepared: Prepared, sort: Document, effort: Effort): Generator<Found | Pause> {
  const { request, plan, skip } = prepared;
  const { coll, limit } = request;
  const keep = limit > 0 ? skip + limit : 0;
  const ids = yield* sortIds(filtered(walk(kv, coll, plan, effort), prepared), sort, keep);
  for (const id of ids.slice(skip)) {
    const bytes = kv.get(documentKey(coll.collId, id));
    if (bytes) yield new Found(id, bytes);
    if (isSliceOver()) yield PAUSE;
  }
}

/** Runs a prepared query: matching documents in order, within skip and limit. */
export function run(kv: Kv, prepared: Prepared, effort: Effort): Pausing<Found> {
  const { request, plan, matches, skip } = prepared;
  const { coll, sort, limit } = request;
  if (sort && !plan.sorted) return inOrder(kv, prepared, sort, effort);
  const native = skip > 0 && canSkip(plan, matches !== null) ? skip : 0;
  const found = filtered(walk(kv, coll, plan, effort, native), prepared);
  return skip > native || limit > 0 ? window(found, skip - native, limit) : found;
}

/** How many documents match, without reading them where the index alone can tell. */
export function* countMatches(kv: Kv, prepared: Prepared, effort: Effort): Steps<number> {
  const { plan, skip, request } = prepared;
  const enough = request.limit > 0 ? skip + request.limit : Infinity;
  let total = 0;
  if (plan.kind === 'index' && plan.exact) {
    for (const range of plan.ranges) total += yield* countKeys(kv, range);
    effort.keysExamined += total;
  } else {
    for (const document of filtered(walk(kv, request.coll, plan, effort), prepared)) {
      if (document === PAUSE) {
        yield PAUSE;
        continue;
      }
      total += 1;
      if (total === enough) break;
    }
  }
  return Math.max(0, Math.min(total, enough) - skip);
}
