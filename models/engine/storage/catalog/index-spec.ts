import { EngineError, unknownHere, unsupported } from '../../errors.ts';
import { equalValues } from '../../query/index.ts';
import { isDocument, isNumeric, type Document } from '../../values/types.ts';
import type { IndexSpec } from '../types.ts';
import { specOf, type StoredCollection, type StoredIndex } from './record.ts';
import { showDocument } from '../../values/show.ts';

/** A specification that passed all checks. */
export type CheckedSpec = IndexSpec & { name: string };

const MAX_INDEXES = 64;
const MAX_FIELDS = 32;
const MAX_EXPIRE_SECONDS = 0x7fffffff;
const KNOWN = new Set(['v', 'key', 'name', 'unique', 'expireAfterSeconds', 'collation']);
/** Accepted from older clients, without effect. */
const IGNORED = new Set(['background', 'ns', 'dropDups', 'safe', 'w']);

function cannot(reason: string): EngineError {
  return new EngineError('CannotCreateIndex', reason);
}

function checkKey(key: unknown): Document {
  if (!isDocument(key))
    throw new EngineError('TypeMismatch', "The field 'key' must be an object in an index specification");
  const fields = Object.entries(key);
  if (fields.length === 0) throw cannot('Index keys cannot be empty.');
  if (fields.length > MAX_FIELDS) throw cannot(`Index keys cannot have more than ${MAX_FIELDS} fields.`);
  for (const [path, direction] of fields) {
    if (typeof direction === 'string')
      throw cannot(`Index type '${direction}' is not supported by the embedded engine`);
    if (!isNumeric(direction) || !(Math.abs(Number(direction)) > 0))
      throw cannot(
        `Values in the index key pattern must be numbers other than 0. Index spec: ${showDocument(key)}`,
      );
    if (path === '$**' || path.endsWith('.$**'))
      throw cannot('Wildcard indexes are not supported by the embedded engine');
    if (path.split('.').some((part) => part === '' || part.startsWith('$')))
      throw cannot(`Index key contains an illegal field name: '${path}'`);
  }
  return key;
}

function isIdKey(key: Document): boolean {
  const [field, ...rest] = Object.keys(key);
  return field === '_id' && rest.length === 0;
}

function checkExpiry(spec: Document, key: Document): number | undefined {
  const value = spec['expireAfterSeconds'];
  if (value === undefined) return undefined;
  if (!isNumeric(value))
    throw new EngineError('TypeMismatch', "TTL index 'expireAfterSeconds' option must be numeric");
  const seconds = Math.trunc(Number(value));
  if (!(seconds >= 0 && seconds <= MAX_EXPIRE_SECONDS))
    throw cannot(`TTL index 'expireAfterSeconds' option must be within 0 and ${MAX_EXPIRE_SECONDS}`);
  if (Object.keys(key).length > 1)
    throw cannot(
      `TTL indexes are single-field indexes, compound indexes do not support TTL. Index spec: ${showDocument(spec)}`,
    );
  if (isIdKey(key))
    throw cannot(`The field 'expireAfterSeconds' is not valid for an _id index specification`);
  return seconds;
}

function checkCollation(spec: Document): void {
  const { collation } = spec;
  if (collation === undefined || (isDocument(collation) && collation['locale'] === 'simple')) return;
  throw unsupported('a collation other than simple');
}

function flag(spec: Document, name: string): true | undefined {
  const value = spec[name];
  if (value !== undefined && typeof value !== 'boolean' && !isNumeric(value))
    throw new EngineError('TypeMismatch', `The field '${name}' must be a boolean in an index specification`);
  return Boolean(value) && Number(value) !== 0 ? true : undefined;
}

function checkName(spec: Document, key: Document): string {
  const name = spec['name'];
  if (name === undefined)
    return isIdKey(key)
      ? '_id_'
      : Object.entries(key)
          .map(([path, dir]) => `${path}_${String(dir)}`)
          .join('_');
  if (typeof name !== 'string')
    throw new EngineError('TypeMismatch', "The field 'name' must be a string in an index specification");
  if (name === '' || name === '*') throw cannot(`The index name '${name}' is not valid.`);
  return name;
}

/**
 * Checks one specification of `createIndexes` and fills in its name.
 * @throws EngineError 67, 197 or 14 with the server's messages.
 */
export function checkSpec(input: object): CheckedSpec {
  const spec: Document = { ...input };
  for (const field of Object.keys(spec)) {
    if (!KNOWN.has(field) && !IGNORED.has(field))
      throw unknownHere(
        'InvalidIndexSpecificationOption',
        `The field '${field}' is not valid for an index specification`,
      );
  }
  const key = checkKey(spec['key']);
  const checked: CheckedSpec = { v: 2, key, name: checkName(spec, key) };
  checkCollation(spec);
  const unique = flag(spec, 'unique');
  const expireAfterSeconds = checkExpiry(spec, key);
  if (unique !== undefined) checked.unique = unique;
  if (expireAfterSeconds !== undefined) checked.expireAfterSeconds = expireAfterSeconds;
  return checked;
}

function sameOptions(a: IndexSpec, b: IndexSpec): boolean {
  return (a.unique === true) === (b.unique === true) && a.expireAfterSeconds === b.expireAfterSeconds;
}

function describe(newSpec: IndexSpec, existing: StoredIndex): string {
  const requested = showDocument({ ...newSpec });
  return `Requested index: ${requested}, existing index: ${showDocument({ ...specOf(existing) })}`;
}

/**
 * Compares a requested index with existing ones. True: it exists already. False: it must be built.
 * @throws EngineError 85 or 86 on a conflict, 67 for too many.
 */
export function alreadyThere(coll: StoredCollection, newSpec: CheckedSpec): boolean {
  if (isIdKey(newSpec.key)) return true;
  for (const existing of coll.indexes) {
    const same = equalValues(existing.key, newSpec.key);
    if (existing.name === newSpec.name) {
      if (same && sameOptions(existing, newSpec)) return true;
      throw new EngineError(
        'IndexKeySpecsConflict',
        `An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation. ${describe(newSpec, existing)}`,
      );
    }
    if (!same) continue;
    throw new EngineError(
      'IndexOptionsConflict',
      sameOptions(existing, newSpec)
        ? `Index already exists with a different name: ${existing.name}`
        : `An equivalent index already exists with a different name and options. ${describe(newSpec, existing)}`,
    );
  }
  if (coll.indexes.length >= MAX_INDEXES)
    throw cannot(`add index fails, too many indexes for ${coll.ns} key:${showDocument(newSpec.key)}`);
  return false;
}
