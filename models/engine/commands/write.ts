import { EngineError } from '../errors.ts';
import {
  checkStorable,
  compileFilter,
  compileUpdate,
  isReplacement,
  upsertSeed,
  type CompiledUpdate,
  type UpdateOptions,
} from '../query/index.ts';
import type { CollectionInfo, Found, Query, ReadView, WriteView } from '../storage/index.ts';
import { ObjectId, Timestamp, isDocument, typeNameOf, type Document } from '../values/types.ts';

/** What a statement makes of the documents it finds. Compiled once, so that a wrong one is refused before it meets any. */
export interface Change {
  apply: CompiledUpdate;
  /** The same for the document an upsert begins with. */
  applyToSeed: () => CompiledUpdate;
  bypassValidation: boolean;
}

/** An update as sent: operators, a whole document, or a pipeline. */
export interface SentChange {
  update: Document | Document[];
  arrayFilters?: Document[] | undefined;
  bypassValidation: boolean;
}

/** @throws EngineError for an update that would be refused whatever it is applied to. */
export function compileChange(sent: SentChange, query: Query, now: Date): Change {
  const options: UpdateOptions = {
    now,
    filter: query.filter ?? {},
    ...(sent.arrayFilters ? { arrayFilters: sent.arrayFilters } : {}),
    ...(query.variables ? { variables: query.variables } : {}),
  };
  return {
    apply: compileUpdate(sent.update, options),
    applyToSeed: () => compileUpdate(sent.update, { ...options, isUpsertInsert: true }),
    bypassValidation: sent.bypassValidation,
  };
}

/**
 * A document as it will be stored: `_id` there and first, and one that may be one.
 * @throws EngineError 2 for an `_id` of a type that cannot be one.
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
  if (type === 'array' || type === 'regex' || type === 'undefined') {
    throw new EngineError('BadValue', `can't use ${type === 'array' ? 'an' : 'a'} ${type} for _id`);
  }
}

/**
 * A document to insert: with an `_id`, its empty top-level timestamps filled in.
 * @throws EngineError 2, 15 (nested too deep) or 52 (operators in `_id`) for one that cannot be stored.
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

/**
 * Holds a document against its collection's validator.
 * @throws EngineError 121 with `errInfo` when it fails.
 */
export function validate(view: ReadView, ns: string, doc: Document, bypass: boolean): void {
  if (bypass) return;
  const validator = validatorOf(view.collection(ns));
  if (!validator || compileFilter(validator)(doc)) return;
  throw new EngineError('DocumentValidationFailure', 'Document failed validation', {
    extra: {
      errInfo: {
        failingDocumentId: doc['_id'],
        details: { operatorName: '$expr', specifiedAs: validator, reason: 'expression did not match' },
      },
    },
  });
}

function validatorOf(info: CollectionInfo | null): Document | null {
  const validator = info?.options['validator'];
  if (!isDocument(validator) || Object.keys(validator).length === 0) return null;
  const { validationLevel, validationAction } = info?.options ?? {};
  return validationLevel === 'off' || validationAction === 'warn' ? null : validator;
}

/** Changes one stored document; `modified` is false when that made no difference. */
export function changeOne(
  txn: WriteView,
  ns: string,
  found: Found,
  change: Change,
): { doc: Document; modified: boolean } {
  const doc = change.apply(found.doc);
  validate(txn, ns, doc, change.bypassValidation);
  return { doc, modified: txn.replace(ns, found, doc) };
}

/** Inserts what an upsert makes of its filter and its change. */
export function insertUpsert(txn: WriteView, ns: string, query: Query, change: Change, now: Date): Document {
  const seed = upsertSeed(query.filter ?? {});
  const doc = preparedInsert(change.applyToSeed()(seed), now, 0);
  validate(txn, ns, doc, change.bypassValidation);
  txn.insert(ns, doc);
  return doc;
}

/** @throws EngineError 9 when the change cannot be applied to many documents. */
export function checkMulti(update: Document | Document[], multi: boolean): void {
  if (multi && isReplacement(update))
    throw new EngineError('FailedToParse', 'multi update is not supported for replacement-style update');
}
