import { compareValues, compileFilter } from '../../query/index.ts';
import { BsonUndefined } from '../../values/types.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { readCounter } from '../catalog/counters.ts';
import type { StoredCollection } from '../catalog/record.ts';
import { countMatches, prepare, run, type Prepared } from '../execute/query.ts';
import type { Effort } from '../execute/walk.ts';
import { Extractor } from '../keys/extract.ts';
import { documentKey, indexPrefix, metaKey, prefixEnd } from '../keys/layout.ts';
import { writeValue } from '../keys/value.ts';
import { KeyWriter } from '../keys/writer.ts';
import type { Kv } from '../kv.ts';
import { planSummary, winningPlan } from '../plan/explain.ts';
import { StoredDocument } from '../found.ts';
import type {
  CollectionInfo,
  CollectionStats,
  Found,
  Namespace,
  PlanSummary,
  Query,
  ReadView,
} from '../types.ts';

const SAMPLE = 100;
/** Matches kept whole while a changing view is walked; of those beyond only the record ids are kept. */
const KEPT_MATCHES = 256;

function newEffort(): Effort {
  return { keysExamined: 0, docsExamined: 0 };
}

/** Reads of one state: LMDB's newest, a snapshot, or the inside of a write. */
export class StoreView implements ReadView {
  protected readonly kv: Kv;
  protected readonly catalog: Catalog;
  /** True when the state changes while results are read, so that they must be fixed first. */
  private readonly changing: boolean;

  constructor(kv: Kv, catalog: Catalog, changing: boolean) {
    this.kv = kv;
    this.catalog = catalog;
    this.changing = changing;
  }

  listDatabases(): string[] {
    return this.catalog.databases();
  }

  listCollections(db: string): CollectionInfo[] {
    return this.catalog.list(db);
  }

  collection(ns: Namespace): CollectionInfo | null {
    return this.catalog.get(ns);
  }

  *find(ns: Namespace, query: Query): IterableIterator<Found> {
    const prepared = this.prepare(ns, query);
    if (!prepared) return;
    const found = run(this.kv, prepared, newEffort());
    yield* this.changing ? this.fixed(prepared.request.coll, found) : found;
  }

  findOne(ns: Namespace, query: Query): Found | null {
    const prepared = this.prepare(ns, { ...query, limit: 1 });
    if (!prepared) return null;
    for (const found of run(this.kv, prepared, newEffort())) return found;
    return null;
  }

  count(ns: Namespace, query: Query): number {
    const { filter, skip = 0, limit = 0, hint } = query;
    if (hint === undefined && Object.keys(filter ?? {}).length === 0) {
      const coll = this.catalog.get(ns);
      const left = Math.max(0, (coll ? this.counterOf(coll).count : 0) - skip);
      return limit > 0 ? Math.min(left, limit) : left;
    }
    const { sort: _sort, ...unsorted } = query;
    const prepared = this.prepare(ns, unsorted);
    return prepared ? countMatches(this.kv, prepared, newEffort()) : 0;
  }

  distinct(ns: Namespace, field: string, query: Query): unknown[] {
    const coll = this.catalog.get(ns);
    if (!coll) return [];
    const extractor = new Extractor([field]);
    const writer = new KeyWriter();
    const values = new Map<string, unknown>();
    for (const { doc } of this.find(ns, query)) {
      for (const [value] of extractor.extract(doc).rows) {
        if (value === undefined || value === BsonUndefined.instance) continue;
        writer.reset();
        writeValue(writer, value);
        const key = writer.take().toString('latin1');
        if (!values.has(key)) values.set(key, value);
      }
    }
    return [...values.values()].sort((a, b) => compareValues(a, b));
  }

  explain(ns: Namespace, query: Query, options: { execute?: boolean; count?: boolean } = {}): PlanSummary {
    const started = Date.now();
    const count = options.count === true;
    const prepared = this.prepare(ns, query);
    const effort = newEffort();
    let nReturned = 0;
    if (prepared && options.execute !== false) {
      if (count) nReturned = countMatches(this.kv, prepared, effort);
      else for (const _found of run(this.kv, prepared, effort)) nReturned += 1;
    }
    const plan = prepared?.plan ?? { kind: 'empty', sorted: true };
    const shown = prepared
      ? { ...prepared.request, skip: prepared.skip }
      : { filter: {}, sort: null, skip: 0, limit: 0 };
    return {
      namespace: ns,
      winningPlan: winningPlan(plan, shown, count),
      planSummary: planSummary(plan, count),
      indexName: plan.kind === 'index' ? plan.index.name : null,
      ...effort,
      nReturned,
      executionTimeMillis: Date.now() - started,
    };
  }

  stats(ns: Namespace): CollectionStats {
    const coll = this.catalog.get(ns);
    if (!coll) return { count: 0, size: 0, indexSizes: {} };
    const { count, size } = this.counterOf(coll);
    const sizes = coll.indexes.map((index) => [index.name, this.indexSize(index.indexId)]);
    return { count, size, indexSizes: Object.fromEntries(sizes) as Record<string, number> };
  }

  getMeta(key: string): Uint8Array | null {
    return this.kv.get(metaKey(key)) ?? null;
  }

  protected counterOf(coll: StoredCollection): { count: number; size: number } {
    return readCounter(this.kv, coll.collId);
  }

  protected prepare(ns: Namespace, query: Query): Prepared | null {
    const coll = this.catalog.get(ns);
    if (coll) return prepare(coll, query);
    // There is nothing to find, but a wrong filter is refused all the same.
    const { filter = {}, now, variables } = query;
    compileFilter(filter, {
      ...(now ? { now } : {}),
      ...(variables ? { variables } : {}),
    });
    return null;
  }

  /** Bytes of an index's keys, from their number and the length of the first of them. */
  private indexSize(indexId: number): number {
    const start = indexPrefix(indexId);
    const range = { start, end: prefixEnd(start) as Buffer };
    let seen = 0;
    let bytes = 0;
    const scan = this.kv.scan(range, { keysOnly: true });
    for (const { key } of scan) {
      bytes += key.length;
      seen += 1;
      if (seen === SAMPLE) break;
    }
    return seen === 0 ? 0 : Math.round((bytes / seen) * this.kv.count(range));
  }

  /** Reads all matches before the caller can change any of them. */
  private *fixed(coll: StoredCollection, found: Iterable<StoredDocument>): Generator<StoredDocument> {
    const kept: StoredDocument[] = [];
    const later: number[] = [];
    for (const match of found) {
      if (kept.length < KEPT_MATCHES) kept.push(match);
      else later.push(match.recordId);
    }
    yield* kept;
    for (const id of later) {
      const bytes = this.kv.get(documentKey(coll.collId, id));
      if (bytes) yield new StoredDocument(id, bytes);
    }
  }
}
