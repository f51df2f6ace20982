import {
  atOnce,
  gather,
  isSliceOver,
  PAUSE,
  sorted,
  unpaused,
  type Pausing,
  type Pause,
  type Steps,
} from '../../budget.ts';
import { compareValues, compileFilter, valuesUnder } from '../../query/index.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { readCounter } from '../catalog/counters.ts';
import type { StoredCollection } from '../catalog/record.ts';
import { countMatches, prepare, run, type Prepared } from '../execute/query.ts';
import type { Effort } from '../execute/walk.ts';
import { indexRange, metaKey } from '../keys/layout.ts';
import { keyOf } from '../../values/key.ts';
import { countKeys, type Kv } from '../kv.ts';
import { describePlan } from '../plan/plan.ts';
import { Found } from '../found.ts';
import type { Choice, CollectionInfo, CollectionStats, Namespace, PlanSummary, Query } from '../types.ts';

const SAMPLE = 100;
/** Matches kept in memory while walking a changing view; beyond this, only record ids are kept. */
const KEPT_MATCHES = 256;

function newEffort(): Effort {
  return { keysExamined: 0, docsExamined: 0 };
}

/**
 * Reads one state: the newest, a snapshot, or the inside of a write. Iterators must be used within the call that
 * created them, except those of a `Snapshot`. Long operations pause (see `budget.ts`).
 */
export class ReadView {
  /** True when the state changes while results are read, so that all matches must be collected first. */
  private readonly changing: boolean;

  constructor(
    protected readonly kv: Kv,
    protected readonly catalog: Catalog,
    changing: boolean,
  ) {
    this.changing = changing;
  }

  listDatabases(): string[] {
    return this.catalog.databases();
  }

  /** Sorted by name. */
  listCollections(db: string): CollectionInfo[] {
    return this.catalog.list(db);
  }

  collection(ns: Namespace): CollectionInfo | null {
    return this.catalog.get(ns);
  }

  /** Lazily, in the requested order. Throws EngineError 2 (bad hint), 292 (sort over 100 MB), and what `compileFilter` throws. */
  find(ns: Namespace, query: Query): IterableIterator<Found> {
    return unpaused(this.search(ns, query));
  }

  findOne(ns: Namespace, query: Query): Found | null {
    return atOnce(this.findOneSteps(ns, query));
  }

  /** Without a filter, uses the stored count; with one, the index alone if that is exact. */
  count(ns: Namespace, query: Query): number {
    return atOnce(this.countSteps(ns, query));
  }

  /** `find` with pauses. */
  *search(ns: Namespace, query: Query): Generator<Found | Pause> {
    const prepared = this.prepare(ns, query);
    if (!prepared) return;
    const found = run(this.kv, prepared, newEffort());
    yield* this.changing ? this.fixed(prepared.request.coll, found) : found;
  }

  *findOneSteps(ns: Namespace, query: Query): Steps<Found | null> {
    const prepared = this.prepare(ns, { ...query, limit: 1 });
    if (!prepared) return null;
    for (const found of run(this.kv, prepared, newEffort())) {
      if (found !== PAUSE) return found;
      yield PAUSE;
    }
    return null;
  }

  /** The record ids of what `find` would return. */
  *choose(ns: Namespace, query: Query): Steps<Choice> {
    const ids: number[] = [];
    for (const found of this.search(ns, query)) {
      if (found === PAUSE) yield PAUSE;
      else ids.push(found.recordId);
    }
    return { collId: this.catalog.get(ns)?.collId ?? null, ids };
  }

  *countSteps(ns: Namespace, query: Query): Steps<number> {
    const { filter, skip = 0, limit = 0, hint } = query;
    if (hint === undefined && Object.keys(filter ?? {}).length === 0) {
      const coll = this.catalog.get(ns);
      const left = Math.max(0, (coll ? this.counterOf(coll).count : 0) - skip);
      return limit > 0 ? Math.min(left, limit) : left;
    }
    const { sort: _sort, ...unsorted } = query;
    const prepared = this.prepare(ns, unsorted);
    return prepared ? yield* countMatches(this.kv, prepared, newEffort()) : 0;
  }

  /** Distinct values under a path, arrays unwound, in BSON order. */
  *distinct(ns: Namespace, field: string, query: Query): Steps<unknown[]> {
    const coll = this.catalog.get(ns);
    if (!coll) return [];
    const parts = field.split('.');
    const values = new Map<string, unknown>();
    for (const found of this.search(ns, query)) {
      if (found === PAUSE) {
        yield PAUSE;
        continue;
      }
      for (const value of valuesUnder(found.doc, parts)) {
        const key = keyOf(value);
        if (!values.has(key)) values.set(key, value);
      }
    }
    return yield* sorted([...values.values()], (a, b) => compareValues(a, b));
  }

  /** Runs a query or count, and returns its plan and cost. */
  *explain(ns: Namespace, query: Query, isCount = false): Steps<PlanSummary> {
    const prepared = this.prepare(ns, query);
    const effort = newEffort();
    if (!prepared) return { winningPlan: { stage: 'EOF' }, ...effort, nReturned: 0 };
    const nReturned = isCount
      ? yield* countMatches(this.kv, prepared, effort)
      : (yield* gather(run(this.kv, prepared, effort))).length;
    return { winningPlan: describePlan(prepared.plan, prepared.request), ...effort, nReturned };
  }

  *stats(ns: Namespace): Steps<CollectionStats> {
    const coll = this.catalog.get(ns);
    if (!coll) return { count: 0, size: 0, indexSizes: {} };
    const { count, size } = this.counterOf(coll);
    const indexSizes: Record<string, number> = {};
    for (const index of coll.indexes) indexSizes[index.name] = yield* this.indexSize(index.indexId);
    return { count, size, indexSizes };
  }

  /** A small value of the layer above, such as the reply of a retryable write. */
  getMeta(key: string): Uint8Array | null {
    return this.kv.get(metaKey(key)) ?? null;
  }

  protected counterOf(coll: StoredCollection): { count: number; size: number } {
    return readCounter(this.kv, coll.collId);
  }

  protected prepare(ns: Namespace, query: Query): Prepared | null {
    const coll = this.catalog.get(ns);
    if (coll) return prepare(coll, query);
    // There is nothing to find, but an invalid filter must still be refused.
    compileFilter(query.filter ?? {});
    return null;
  }

  /** Estimates the size of an index's keys from their number and the length of the first ones. */
  private *indexSize(indexId: number): Steps<number> {
    const range = indexRange(indexId);
    let seen = 0;
    let bytes = 0;
    for (const key of this.kv.keys(range)) {
      bytes += key.length;
      seen += 1;
      if (seen === SAMPLE) break;
    }
    return seen === 0 ? 0 : Math.round((bytes / seen) * (yield* countKeys(this.kv, range)));
  }

  /** Reads all matches before the caller can change any of them. */
  private *fixed(coll: StoredCollection, found: Pausing<Found>): Generator<Found | Pause> {
    const rows: Found[] = [];
    const later: number[] = [];
    for (const match of found) {
      if (match === PAUSE) yield PAUSE;
      else if (rows.length < KEPT_MATCHES) rows.push(match);
      else later.push(match.recordId);
    }
    for (const match of rows) {
      yield match;
      if (isSliceOver()) yield PAUSE;
    }
    for (const id of later) {
      const bytes = this.kv.document(coll.collId, id);
      if (bytes) yield new Found(id, bytes);
      if (isSliceOver()) yield PAUSE;
    }
  }
}
