import { PAUSE, sorted, type Pausing, type Steps, isSliceOver, type Pause } from '../../budget.ts';
import { EngineError } from '../../errors.ts';
import { compileSorter, type SortKey, compileFilter, equalValues, type Matcher } from '../../query/index.ts';
import { type Document, isDocument } from '../../values/types.ts';
import { Found } from '../found.ts';
import type { StoredCollection, StoredIndex } from '../catalog/record.ts';
import { countKeys, type Kv } from '../kv.ts';
import { choosePlan, plainPaths } from '../plan/choose.ts';
import type { Plan, Request } from '../plan/plan.ts';
import type { Query } from '../types.ts';
import { canSkip, walk, type Effort } from './walk.ts';

/** The size limit for the keys of one sort. */
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
 * Sorts record ids by their documents' values and keeps only the first `keep` (0: all). A missing field counts as null, as in
 * an index of the same fields.
 * @throws EngineError 292 when the keys take more than 100 MB.
 */
function* sortIds(found: Pausing<Found>, sort: Document, keep: number): Steps<number[]> {
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

/** A query with its plan, ready to run. */
export interface Prepared {
  request: Request;
  plan: Plan;
  /** Null when every document that the plan returns matches. */
  matches: Matcher | null;
  /** The full filter, independent of the plan; null when all match. */
  accepts: Matcher | null;
  /** The only fields that `matches` reads; null if it may read any. */
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
  // An invalid pattern is refused, even if an index provides the order.
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
  // Compiled even if the plan alone is exact, so that an invalid filter is always refused.
  const compiled = empty ? null : compileFilter(filter);
  const plan = choosePlan(request);
  const exact = plan.kind === 'index' && plan.exact;
  const paths = plainPaths(filter);
  const fields = paths && new Set(paths.map((path) => path.split('.', 1)[0] as string));
  return { request, plan, matches: exact ? null : compiled, accepts: compiled, fields, skip };
}

/** Whether a document matches the query. */
export function isMatch({ matches, fields }: Prepared, document: Found): boolean {
  return !matches || matches(fields ? document.partOf(fields) : document.doc);
}

function* filtered(found: Pausing<Found>, prepared: Prepared): Generator<Found | Pause> {
  for (const document of found) if (document === PAUSE || isMatch(prepared, document)) yield document;
}

function* window(found: Pausing<Found>, skip: number, limit: number): Generator<Found | Pause> {
  let passed = 0;
  let yielded = 0;
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
    yielded += 1;
    if (yielded === limit) return;
  }
}

/** Sorts ids first, then fetches the documents again, because those of a large result would not fit into memory. */
function* inOrder(kv: Kv, prepared: Prepared, sort: Document, effort: Effort): Generator<Found | Pause> {
  const { request, plan, skip } = prepared;
  const { coll, limit } = request;
  const keep = limit > 0 ? skip + limit : 0;
  const ids = yield* sortIds(filtered(walk(kv, coll, plan, effort), prepared), sort, keep);
  for (const id of ids.slice(skip)) {
    const bytes = kv.document(coll.collId, id);
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

/** How many documents match, without reading them if the index alone is enough. */
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
