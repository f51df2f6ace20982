import { EngineError } from '../../errors.ts';
import { MAX_STORED_DEPTH, cloneDocument, depthOf } from '../../values/clone.ts';
import { showValue } from '../../values/show.ts';
import { T, isDocument, typeNameOf, typeOf, type Document } from '../../values/types.ts';
import { compileUpdatePipeline } from '../aggregate/update-pipeline.ts';
import { equalValues } from '../compare.ts';
import { compileDocument } from '../filter/compile.ts';
import { filterContext } from '../filter/index.ts';
import { applyTree } from './apply.ts';
import { compileArrayFilters } from './array-filters.ts';
import { parseOperators } from './parse.ts';

/** What an update may need beside its operators. */
export interface UpdateOptions {
  /** The query the document was found with, for the positional `$`. */
  filter?: Document;
  arrayFilters?: Document[];
  /** The document is the seed of an upsert that inserts. */
  isUpsertInsert?: boolean;
  now: Date;
  /** The command's `let`, for pipelines. */
  variables?: Document;
}

/** An update that is ready to be applied to any number of documents. */
export type CompiledUpdate = (doc: Document) => Document;

/** True for a whole document in place of operators. */
export function isReplacement(update: Document | Document[]): boolean {
  return !Array.isArray(update) && Object.keys(update)[0]?.startsWith('$') !== true;
}

function altered(id: unknown): EngineError {
  return new EngineError(
    'ImmutableField',
    `After applying the update, the (immutable) field '_id' was found to have been altered to _id: ${showValue(id)}`,
  );
}

/** `_id` comes first, and is the one the document had; other fields keep their order. */
function withIdOf(doc: Document, changed: Document): Document {
  if (!Object.hasOwn(doc, '_id')) return changed;
  if (Object.hasOwn(changed, '_id') && !equalValues(doc['_id'], changed['_id']))
    throw altered(changed['_id']);
  const { _id, ...others } = changed;
  return { _id: doc['_id'], ...others };
}

function idFirst(doc: Document): Document {
  if (!Object.hasOwn(doc, '_id') || Object.keys(doc)[0] === '_id') return doc;
  const { _id, ...others } = doc;
  return { _id, ...others };
}

/**
 * Checks what every stored document must hold to.
 * @throws EngineError Overflow for nesting too deep, InvalidIdField, DollarPrefixedFieldName
 */
export function checkStorable(doc: Document): void {
  if (depthOf(doc) > MAX_STORED_DEPTH) {
    throw new EngineError('Overflow', `Document exceeds maximum nesting depth of ${MAX_STORED_DEPTH}`);
  }
  const id = doc['_id'];
  const type = typeOf(id);
  if (type === T.array || type === T.regex || type === T.undefined) {
    throw new EngineError('InvalidIdField', `The '_id' value cannot be of type ${typeNameOf(id)}`);
  }
  const dollar = isDocument(id)
    ? Object.keys(id).find((key) => key.startsWith('$') && key !== '$ref' && key !== '$id' && key !== '$db')
    : undefined;
  if (dollar !== undefined) {
    throw new EngineError(
      'DollarPrefixedFieldName',
      `_id fields may not contain '$'-prefixed fields: ${dollar} is not valid for storage.`,
    );
  }
}

function compileReplacement(update: Document): CompiledUpdate {
  const dollar = Object.keys(update).find((key) => key.startsWith('$'));
  if (dollar !== undefined) {
    throw new EngineError(
      'DollarPrefixedFieldName',
      `The dollar ($) prefixed field '${dollar}' in '${dollar}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
    );
  }
  return (doc) => idFirst(withIdOf(doc, cloneDocument(update)));
}

function compilePipeline(stages: Document[], o: UpdateOptions): CompiledUpdate {
  if (o.arrayFilters && o.arrayFilters.length > 0) {
    throw new EngineError('FailedToParse', 'arrayFilters may not be specified for pipeline-syle updates');
  }
  const run = compileUpdatePipeline(stages, o);
  return (doc) => idFirst(withIdOf(doc, cloneDocument(run(doc))));
}

function positionalIndex(o: UpdateOptions, doc: Document): number {
  const details: { index?: number } = {};
  if (!o.isUpsertInsert && o.filter) compileDocument(o.filter, filterContext(o)).onDocument(doc, details);
  if (details.index !== undefined) return details.index;
  throw new EngineError('BadValue', 'The positional operator did not find the match needed from the query.');
}

function sameId(a: unknown, b: unknown): boolean {
  return equalValues(a, b) && typeOf(a) === typeOf(b);
}

function compileOperators(update: Document, o: UpdateOptions): CompiledUpdate {
  const filter = filterContext(o);
  const filters = compileArrayFilters(o.arrayFilters ?? [], filter);
  const root = parseOperators(update, new Set(filters.keys()), {
    now: o.now,
    filter,
  });
  return (original) => {
    const doc = cloneDocument(original);
    applyTree(
      {
        doc,
        isInsert: o.isUpsertInsert === true,
        positionalIndex: () => positionalIndex(o, original),
        matchesFilter: (id, element) => filters.get(id)?.({ [id]: element }) === true,
      },
      root,
    );
    if (Object.hasOwn(original, '_id') && !sameId(original['_id'], doc['_id'])) {
      throw new EngineError(
        'ImmutableField',
        "Performing an update on the path '_id' would modify the immutable field '_id'",
      );
    }
    return idFirst(doc);
  };
}

/**
 * Compiles an update: operators, a replacement, or a pipeline.
 * @throws EngineError for an update the server would refuse; applying it may throw further ones
 */
export function compileUpdate(update: Document | Document[], o: UpdateOptions): CompiledUpdate {
  const compiled = Array.isArray(update)
    ? compilePipeline(update, o)
    : isReplacement(update)
      ? compileReplacement(update)
      : compileOperators(update, o);
  return (doc) => {
    const changed = compiled(doc);
    checkStorable(changed);
    return changed;
  };
}

/** Applies an update to one document, see {@link compileUpdate}. The document itself is not changed. */
export function applyUpdate(doc: Document, update: Document | Document[], o: UpdateOptions): Document {
  return compileUpdate(update, o)(doc);
}
