import { EngineError, unknownHere, unsupported } from '../errors.ts';
import { MAX_STORED_DEPTH, cloneDocument, depthOf } from '../values/clone.ts';
import { showValue } from '../values/show.ts';
import { T, isDocument, typeNameOf, typeOf, type Document } from '../values/types.ts';
import { applyModifier } from './apply-update.ts';
import { equalValues } from './compare.ts';
import { MODIFIERS, type Modifier } from './modifiers.ts';

export interface UpdateOptions {
  /** The document is the initial document of an upsert. */
  isUpsertInsert?: boolean;
}

/** A compiled update, to be applied to any number of documents. */
export type CompiledUpdate = (doc: Document) => Document;

/** True for a whole document rather than operators. */
export function isReplacement(update: Document): boolean {
  return Object.keys(update)[0]?.startsWith('$') !== true;
}

function altered(id: unknown): EngineError {
  return new EngineError(
    'ImmutableField',
    `After applying the update, the (immutable) field '_id' was found to have been altered to _id: ${showValue(id)}`,
  );
}

/** Puts the document's previous `_id` first; other fields keep their order. */
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
 * Checks the rules for stored documents.
 * @throws EngineError Overflow for nesting that is too deep, InvalidIdField, DollarPrefixedFieldName
 */
export function checkStorable(doc: Document): void {
  if (depthOf(doc) > MAX_STORED_DEPTH) {
    throw new EngineError('Overflow', `Document exceeds maximum nesting depth of ${MAX_STORED_DEPTH}`);
  }
  const id = doc['_id'];
  const type = typeOf(id);
  if (type === T.array || type === T.regex) {
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
      `The dollar ($) prefixed field '${dollar}' in '${dollar}' is not allowed in the context of an update's replacement document.`,
    );
  }
  return (doc) => idFirst(withIdOf(doc, cloneDocument(update)));
}

function sameId(a: unknown, b: unknown): boolean {
  return equalValues(a, b) && typeOf(a) === typeOf(b);
}

/** One modifier at one path. */
interface Change {
  parts: string[];
  modifier: Modifier;
}

/**
 * The parts of a path in an update.
 * @throws EngineError EmptyFieldName; 115 for the positional operators
 */
function updatePath(path: string): string[] {
  if (path === '') throw new EngineError('EmptyFieldName', 'An empty update path is not valid.');
  const parts = path.split('.');
  if (parts.includes('')) {
    throw new EngineError(
      'EmptyFieldName',
      `The update path '${path}' contains an empty field name, which is not allowed.`,
    );
  }
  const positional = parts.find((part) => part === '$' || part.startsWith('$['));
  if (positional !== undefined) throw unsupported(`the positional operator '${positional}' in '${path}'`);
  return parts;
}

function checkDollarField([first = '']: readonly string[], path: string): void {
  if (!first.startsWith('$')) return;
  throw new EngineError(
    'DollarPrefixedFieldName',
    `The dollar ($) prefixed field '${first}' in '${path}' is not allowed in the context of an update's replacement document.`,
  );
}

function readOperator(op: string, fields: unknown): Change[] {
  const read = MODIFIERS.get(op);
  if (!read) throw unknownHere('FailedToParse', `Unknown modifier: ${op}`);
  if (!isDocument(fields)) {
    throw new EngineError(
      'FailedToParse',
      `Modifiers operate on fields but we found type ${typeNameOf(fields)} instead. For example: {$mod: {<field>: ...}} not {${op}: ${showValue(fields)}}`,
    );
  }
  return Object.keys(fields).map((path) => {
    const parts = updatePath(path);
    const modifier = read(fields[path], path);
    if (modifier.create) checkDollarField(parts, path);
    return { parts, modifier };
  });
}

/** @throws EngineError ConflictingUpdateOperators when one path equals another or is its prefix */
function checkConflicts(changes: readonly Change[]): void {
  const [ends, ways] = [new Set<string>(), new Set<string>()];
  for (const { parts } of changes) {
    const path = parts.join('.');
    const above = parts.slice(0, -1).map((_, i) => parts.slice(0, i + 1).join('.'));
    const at = above.find((way) => ends.has(way)) ?? (ends.has(path) || ways.has(path) ? path : undefined);
    if (at !== undefined) {
      throw new EngineError(
        'ConflictingUpdateOperators',
        `Updating the path '${path}' would create a conflict at '${at}'`,
      );
    }
    ends.add(path);
    for (const way of above) ways.add(way);
  }
}

const DIGITS = /^\d+$/;

/** The order in which the server processes field names: numbers by value, others by their bytes. */
function compareNames(a: string, b: string): number {
  if (DIGITS.test(a) && DIGITS.test(b)) {
    const [x, y] = [a.replace(/^0+(?=\d)/, ''), b.replace(/^0+(?=\d)/, '')];
    return x.length - y.length || (x < y ? -1 : x > y ? 1 : 0);
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

function comparePaths(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compareNames(a[i] as string, b[i] as string);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compileOperators(update: Document, { isUpsertInsert = false }: UpdateOptions): CompiledUpdate {
  const changes = Object.keys(update).flatMap((op) => readOperator(op, update[op]));
  checkConflicts(changes);
  const applicable = changes
    .filter(({ modifier }) => isUpsertInsert || !modifier.insertOnly)
    .sort((a, b) => comparePaths(a.parts, b.parts));
  return (original) => {
    const doc = cloneDocument(original);
    for (const { parts, modifier } of applicable) applyModifier(doc, parts, modifier);
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
 * Compiles an update: operators or a whole document.
 * @throws EngineError for an update that the server would refuse; applying it may throw others
 */
export function compileUpdate(update: Document, o: UpdateOptions = {}): CompiledUpdate {
  const compiled = isReplacement(update) ? compileReplacement(update) : compileOperators(update, o);
  return (doc) => {
    const changed = compiled(doc);
    checkStorable(changed);
    return changed;
  };
}
