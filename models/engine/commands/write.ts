import { EngineError } from '../errors.ts';
import { applyUpdate, compileFilter, isReplacement, upsertSeed } from '../query/index.ts';
import type { CollectionInfo, Found, Query, ReadView, WriteView } from '../storage/index.ts';
import { ObjectId, Timestamp, isDocument, typeNameOf, type Document } from '../values/types.ts';
import { LIMITS } from '../wire/limits.ts';

/** An update of any kind: operators, a whole document, or a pipeline. */
export interface Change {
  update: Document | Document[];
  arrayFilters?: Document[];
  bypassValidation: boolean;
}

/**
 * A document as it will be stored: `_id` there and first, and one that may be one.
 * @throws EngineError 2 for an `_id` of a type that cannot be one, 52 for one with operators inside.
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
  const name = isDocument(id) ? Object.keys(id).find((key) => key.startsWith('$')) : undefined;
  if (name !== undefined) {
    throw new EngineError(
      'DollarPrefixedFieldName',
      `_id fields may not contain '$'-prefixed fields: ${name} is not valid for storage.`,
    );
  }
}

/** A document to insert: with an `_id`, its empty top-level timestamps filled in, not nested too deep. */
export function preparedInsert(doc: Document, now: Date, ordinal: number): Document {
  const prepared = withId(doc);
  checkDepth(prepared);
  for (const [name, value] of Object.entries(prepared)) {
    if (name !== '_id' && value instanceof Timestamp && value.isZero()) {
      prepared[name] = new Timestamp({ t: Math.floor(now.getTime() / 1000), i: ordinal + 1 });
    }
  }
  return prepared;
}

/** @throws EngineError 15 when a document is nested deeper than may be stored. */
export function checkDepth(value: unknown, depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > LIMITS.nestingDepth)
    throw new EngineError('Overflow', `exceeded maximum nested object depth: ${LIMITS.nestingDepth}`);
  if (Array.isArray(value)) for (const item of value) checkDepth(item, depth + 1);
  else if (isDocument(value)) for (const key of Object.keys(value)) checkDepth(value[key], depth + 1);
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

/** The document after the change. */
export function changed(found: Found, query: Query, change: Change, now: Date): Document {
  return applyUpdate(found.doc, change.update, {
    ...updateOptions(query, change, now),
    filter: query.filter ?? {},
  });
}

function updateOptions(query: Query, change: Change, now: Date) {
  return {
    now,
    ...(change.arrayFilters ? { arrayFilters: change.arrayFilters } : {}),
    ...(query.collation ? { collation: query.collation } : {}),
    ...(query.variables ? { variables: query.variables } : {}),
  };
}

/** Changes one stored document; true when that made a difference. */
export function changeOne(
  txn: WriteView,
  ns: string,
  found: Found,
  query: Query,
  change: Change,
  now: Date,
): { doc: Document; modified: boolean } {
  const doc = changed(found, query, change, now);
  checkDepth(doc);
  validate(txn, ns, doc, change.bypassValidation);
  return { doc, modified: txn.replace(ns, found, doc) };
}

/** Inserts what an upsert makes of its filter and its change. */
export function insertUpsert(txn: WriteView, ns: string, query: Query, change: Change, now: Date): Document {
  const seed = upsertSeed(query.filter ?? {});
  const made = applyUpdate(seed, change.update, {
    ...updateOptions(query, change, now),
    filter: query.filter ?? {},
    isUpsertInsert: true,
  });
  const doc = preparedInsert(made, now, 0);
  validate(txn, ns, doc, change.bypassValidation);
  txn.insert(ns, doc);
  return doc;
}

/** @throws EngineError 9 when the change cannot be applied to many documents. */
export function checkMulti(update: Document | Document[], multi: boolean): void {
  if (multi && isReplacement(update))
    throw new EngineError('FailedToParse', 'multi update is not supported for replacement-style update');
}
