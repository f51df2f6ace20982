import { EngineError } from '../errors.ts';
import {
  checkStorable,
  compileUpdate,
  isReplacement,
  upsertSeed,
  type CompiledUpdate,
} from '../query/index.ts';
import type { Found, Query, WriteView } from '../storage/index.ts';
import { ObjectId, Timestamp, typeNameOf, type Document } from '../values/types.ts';

/** The change that a statement makes. Compiled once, so that an invalid one is refused before any document is changed. */
export interface Change {
  apply: CompiledUpdate;
  /** The same for the initial document of an upsert. */
  applyToSeed: () => CompiledUpdate;
}

/** @throws EngineError for an update that is invalid for any document. */
export function compileChange(update: Document): Change {
  return {
    apply: compileUpdate(update),
    applyToSeed: () => compileUpdate(update, { isUpsertInsert: true }),
  };
}

/**
 * A document as it will be stored, with a valid `_id` as its first field.
 * @throws EngineError 2 for an `_id` of an invalid type.
 */
export function withId(doc: Document): Document {
  const id = Object.hasOwn(doc, '_id') ? doc['_id'] : new ObjectId();
  checkId(id);
  if (Object.keys(doc)[0] === '_id') return doc;
  const { _id: _moved, ...rest } = doc;
  return { _id: id, ...rest };
}

function checkId(id: unknown): void {
  const type = typeNameOf(id);
  if (type === 'array' || type === 'regex') {
    throw new EngineError('BadValue', `can't use ${type === 'array' ? 'an' : 'a'} ${type} for _id`);
  }
}

/**
 * A document to insert, with an `_id` and its empty top-level timestamps filled in.
 * @throws EngineError 2, 15 (nested too deeply) or 52 (operators in `_id`) for one that cannot be stored.
 */
export function preparedInsert(doc: Document, now: Date, ordinal: number): Document {
  const prepared = withId(doc);
  checkStorable(prepared);
  for (const [name, value] of Object.entries(prepared)) {
    if (name !== '_id' && value instanceof Timestamp && value.isZero()) {
      prepared[name] = new Timestamp({ t: Math.floor(now.getTime() / 1000), i: ordinal + 1 });
    }
  }
  return prepared;
}

/** Changes one stored document; `modified` is false if nothing changed. */
export function changeOne(
  txn: WriteView,
  ns: string,
  found: Found,
  change: Change,
): { doc: Document; modified: boolean } {
  const doc = change.apply(found.doc);
  return { doc, modified: txn.replace(ns, found, doc) };
}

/** Inserts the document that an upsert creates from its filter and change. */
export function insertUpsert(txn: WriteView, ns: string, query: Query, change: Change, now: Date): Document {
  const seed = upsertSeed(query.filter ?? {});
  const doc = preparedInsert(change.applyToSeed()(seed), now, 0);
  txn.insert(ns, doc);
  return doc;
}

/** @throws EngineError 9 when the change cannot be applied to many documents. */
export function checkMulti(update: Document, multi: boolean): void {
  if (multi && isReplacement(update))
    throw new EngineError('FailedToParse', 'multi update is not supported for replacement-style update');
}
