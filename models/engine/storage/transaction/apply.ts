import { isSliceOver, PAUSE, type Steps } from '../../budget.ts';
import { EngineError } from '../../errors.ts';
import { decode } from '../../values/codec.ts';
import type { StoredCollection } from '../catalog/record.ts';
import { StoredDocument } from '../found.ts';
import { documentKey, metaKey } from '../keys/layout.ts';
import type { Namespace } from '../types.ts';
import { createCollection } from '../write/collections.ts';
import { insertDocument, removeDocument, replaceDocument, writeConflict } from '../write/documents.ts';
import { createIndexes } from '../write/indexes.ts';
import type { Journal, JournalDocument } from '../write/journal.ts';
import type { WriteState } from '../write/state.ts';

/** The collection a transaction meant: still the same one, or one that it made itself. */
function sameCollection(state: WriteState, journal: Journal, ns: Namespace): StoredCollection {
  const coll = state.catalog.get(ns);
  if (!coll) throw writeConflict();
  if (!journal.collections.has(ns) && journal.identities.get(ns) !== coll.collId) throw writeConflict();
  return coll;
}

/** A key that another writer took in the meantime: the transaction may succeed when it is tried again. */
function orConflict(error: unknown): never {
  if (error instanceof EngineError && (error.code === 11000 || error.code === 48)) throw writeConflict();
  throw error;
}

function checkUnchanged(state: WriteState, coll: StoredCollection, change: JournalDocument): void {
  if (change.before === null) return;
  const stored = state.kv.get(documentKey(coll.collId, change.recordId));
  if (!stored || Buffer.compare(stored, change.before) !== 0) throw writeConflict();
}

function applyDocument(state: WriteState, journal: Journal, change: JournalDocument): void {
  const coll = sameCollection(state, journal, change.ns);
  const { before, after, recordId } = change;
  if (before === null) return insertDocument(state, coll, decode(after as Uint8Array), after as Uint8Array);
  if (after === null) return removeDocument(state, coll, new StoredDocument(recordId, before));
  replaceDocument(state, coll, new StoredDocument(recordId, before), decode(after));
}

/**
 * Replaces in an order in which no unique key is taken before it is given up: what cannot go first waits for the others.
 * A ring of documents that swap keys cannot be ordered; there the documents are removed and put back.
 */
function* applyReplacements(state: WriteState, journal: Journal, changes: JournalDocument[]): Steps<void> {
  let left = changes;
  while (left.length > 0) {
    const blocked: JournalDocument[] = [];
    for (const change of left) {
      if (!tryReplace(state, journal, change)) blocked.push(change);
      if (isSliceOver()) yield PAUSE;
    }
    if (blocked.length === left.length) return swapAll(state, journal, blocked);
    left = blocked;
  }
}

function tryReplace(state: WriteState, journal: Journal, change: JournalDocument): boolean {
  try {
    applyDocument(state, journal, change);
    return true;
  } catch (error) {
    if (error instanceof EngineError && error.code === 11000) return false;
    throw error;
  }
}

function swapAll(state: WriteState, journal: Journal, changes: JournalDocument[]): void {
  for (const change of changes) applyDocument(state, journal, { ...change, after: null });
  for (const change of changes) applyDocument(state, journal, { ...change, before: null });
}

function* changeDocuments(state: WriteState, journal: Journal): Steps<void> {
  const changes = [...journal.documents.values()];
  const removed = changes.filter((change) => change.after === null);
  const replaced = changes.filter((change) => change.before !== null && change.after !== null);
  const inserted = changes.filter((change) => change.before === null && change.after !== null);
  const each = function* (some: JournalDocument[], apply: (change: JournalDocument) => void): Steps<void> {
    for (const change of some) {
      apply(change);
      if (isSliceOver()) yield PAUSE;
    }
  };
  yield* each(changes, (change) => checkUnchanged(state, sameCollection(state, journal, change.ns), change));
  yield* each(removed, (change) => applyDocument(state, journal, change));
  yield* applyReplacements(state, journal, replaced);
  yield* each(inserted, (change) => applyDocument(state, journal, change));
}

/**
 * Does for true what a transaction did over its snapshot.
 * @throws EngineError 112 when anything it changed has been changed since, or a unique key is taken.
 */
export function* applyJournal(state: WriteState, journal: Journal): Steps<void> {
  try {
    for (const [ns, options] of journal.collections) createCollection(state, ns, options);
    for (const { ns, specs } of journal.indexes) yield* createIndexes(state, ns, specs);
    yield* changeDocuments(state, journal);
  } catch (error) {
    orConflict(error);
  }
  for (const [key, value] of journal.metas) {
    if (value === null) state.kv.remove(metaKey(key));
    else state.kv.put(metaKey(key), value);
  }
}
