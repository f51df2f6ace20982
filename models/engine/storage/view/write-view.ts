import { atOnce, isSliceOver, PAUSE, type Pause, type Steps } from '../../budget.ts';
import type { Document } from '../../values/types.ts';
import type { StoredCollection } from '../catalog/record.ts';
import { isMatch } from '../execute/query.ts';
import { Found } from '../found.ts';
import { metaKey, prefixEnd } from '../keys/layout.ts';
import type { Choice, CollectionInfo, Query, Namespace } from '../types.ts';
import {
  createCollection,
  dropCollection,
  ensureCollection,
  requireCollection,
} from '../write/collections.ts';
import { insertDocument, removeDocument, replaceDocument } from '../write/documents.ts';
import { createIndexes, dropIndexes } from '../write/indexes.ts';
import type { WriteState } from '../write/state.ts';
import { ReadView } from './read-view.ts';

/** Runs a part and undoes it if it throws. */
export type Attempt = <T>(fn: () => T) => T;

/** Reads and writes inside one statement; reads see the statement's own writes. */
export class WriteView extends ReadView {
  constructor(
    private readonly state: WriteState,
    private readonly runAttempt: Attempt,
  ) {
    super(state.kv, state.catalog, true);
  }

  /**
   * Creates the collection if missing. The document must have an `_id`. `bytes`, if given, is its BSON and stored
   * unchanged. Throws 11000, 10334 (too large), 171; then nothing was written.
   */
  insert(ns: Namespace, doc: Document, bytes?: Uint8Array): void {
    insertDocument(this.state, ensureCollection(this.state, ns), doc, bytes);
  }

  /** Throws 66 when `_id` changes, and as `insert`. Returns false when nothing changed. */
  replace(ns: Namespace, found: Found, doc: Document): boolean {
    return replaceDocument(this.state, requireCollection(this.state, ns), found, doc);
  }

  remove(ns: Namespace, found: Found): void {
    removeDocument(this.state, requireCollection(this.state, ns), found);
  }

  /** The previously chosen documents that still exist and match the query. */
  *recheck(ns: Namespace, query: Query, { collId, ids }: Choice): Generator<Found | Pause> {
    const prepared = this.prepare(ns, query);
    if (prepared?.request.coll.collId !== collId) return;
    const request = { ...prepared, matches: prepared.accepts };
    for (const id of ids) {
      const bytes = this.kv.document(collId, id);
      const found = bytes && new Found(id, bytes);
      if (found && isMatch(request, found)) yield found;
      if (isSliceOver()) yield PAUSE;
    }
  }

  /** Throws 48 (NamespaceExists), 73 (InvalidNamespace). */
  createCollection(ns: Namespace, options: Document = {}): CollectionInfo {
    return createCollection(this.state, ns, options);
  }

  /** False when it did not exist. */
  dropCollection(ns: Namespace): boolean {
    return dropCollection(this.state, ns);
  }

  dropDatabase(db: string): string[] {
    const names = this.catalog.list(db).map((coll) => coll.ns);
    for (const ns of names) dropCollection(this.state, ns);
    return names;
  }

  /** Throws 67, 85, 86, 11000. Creates the collection if missing. */
  createIndexes(
    ns: Namespace,
    specs: readonly object[],
  ): { before: number; after: number; created: string[] } {
    return atOnce(this.createIndexesSteps(ns, specs));
  }

  createIndexesSteps(
    ns: Namespace,
    specs: readonly object[],
  ): Steps<{ before: number; after: number; created: string[] }> {
    return createIndexes(this.state, ns, specs);
  }

  /** `'*'` for all but `_id_`, names, or one key pattern. Throws 26, 27 (IndexNotFound), 72. Returns how many there were. */
  dropIndexes(ns: Namespace, which: string | string[] | Document): number {
    return dropIndexes(this.state, ns, which);
  }

  putMeta(key: string, value: Uint8Array): void {
    this.state.kv.put(metaKey(key), value);
  }

  removeMeta(key: string): void {
    this.state.kv.remove(metaKey(key));
  }

  /** Removes up to `limit` metas with this prefix whose value the test accepts; returns how many. */
  sweepMeta(prefix: string, test: (value: Uint8Array) => boolean, limit: number): number {
    const start = metaKey(prefix);
    const doomed: string[] = [];
    for (const { key, value } of this.kv.entries({ start, end: prefixEnd(start) as Buffer })) {
      if (test(value)) doomed.push(key.toString('utf8', 1));
      if (doomed.length === limit) break;
    }
    for (const key of doomed) this.removeMeta(key);
    return doomed.length;
  }

  /** Runs a part that can fail on its own: if it throws, only what `fn` wrote is undone, and the error is rethrown. */
  attempt<T>(fn: () => T): T {
    return this.runAttempt(fn);
  }

  protected override counterOf(coll: StoredCollection): { count: number; size: number } {
    return this.state.counters.get(coll.collId);
  }
}
