// Which shards of a cluster a command asks, by the rules of mongos 6.0 and the shard keys in docs/databases.md.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const DOCUMENT = path.join(import.meta.dirname, '../docs/databases.md');
const ROW = /^\| `\{ (\w+): 1 \}` \| (.+?) \| .+ \|$|^\| not divided \| (.+?) \| .+ \|$/;

/**
 * The table of shard keys.
 * @returns the field by which each collection is divided; null for one that stays on the first shard
 */
export function readShardKeys(text = readFileSync(DOCUMENT, 'utf8')) {
  const keys = new Map();
  for (const line of text.split('\n')) {
    const [, key = null, divided, whole] = ROW.exec(line) ?? [];
    for (const [, name] of (divided ?? whole ?? '').matchAll(/`([\w.]+)`/g)) keys.set(name, key);
  }
  return keys;
}

const isOperator = (value) =>
  typeof value === 'object' &&
  value !== null &&
  Object.getPrototypeOf(value) === Object.prototype &&
  Object.keys(value).some((name) => name.startsWith('$'));

/** The values that a filter lets a field have; null if they cannot be told. */
function valuesOf(filter, key) {
  if (key in filter) {
    const value = filter[key];
    if (!isOperator(value)) return [value];
    if ('$eq' in value) return [value.$eq];
    if (Array.isArray(value.$in)) return value.$in;
  }
  for (const part of filter.$and ?? []) {
    const found = valuesOf(part, key);
    if (found !== null) return found;
  }
  const parts = (filter.$or ?? []).map((part) => valuesOf(part, key));
  return parts.length > 0 && parts.every((part) => part !== null) ? parts.flat() : null;
}

/** What mongos says to a change of one document that it cannot send to one shard. */
function refusalOf({ q, key, isUpsert, mayFindById }) {
  const values = valuesOf(q, key);
  if (values?.length === 1) return null;
  if (isUpsert) return 'an upsert without the shard key';
  if (mayFindById && '_id' in q && !isOperator(q._id)) return null;
  return 'a change of one document without the shard key';
}

/** Whether an update gives a document another value of the shard key. */
function movesAway(update, q, key) {
  const next = update?.$set?.[key] ?? update?.$unset?.[key];
  return next !== undefined && JSON.stringify(valuesOf(q, key)) !== JSON.stringify([next]);
}

function updateOf({ q, u, multi = false, upsert = false }, key) {
  const refusal = multi && !upsert ? null : refusalOf({ q, key, isUpsert: upsert, mayFindById: true });
  const moved = movesAway(u, q, key) ? 'a change of the shard key' : null;
  return { filter: q, values: valuesOf(q, key), isWrite: true, refusal: refusal ?? moved };
}

function deleteOf({ q, limit }, key) {
  const refusal = limit === 0 ? null : refusalOf({ q, key, isUpsert: false, mayFindById: true });
  return { filter: q, values: valuesOf(q, key), isWrite: true, refusal };
}

function findAndModifyOf({ query = {}, update, upsert = false }, key) {
  const refusal = refusalOf({ q: query, key, isUpsert: upsert, mayFindById: false });
  const moved = movesAway(update, query, key) ? 'a change of the shard key' : null;
  return { filter: query, values: valuesOf(query, key), isWrite: true, refusal: refusal ?? moved };
}

const readOf = (filter, key) => ({ filter, values: valuesOf(filter, key), isWrite: false, refusal: null });

/** How the statements of each command are found. All others are about no documents. */
const STATEMENTS = {
  insert: ({ documents }, key) =>
    documents.map((row) => ({ filter: row, values: [row[key] ?? null], isWrite: true, refusal: null })),
  update: ({ updates }, key) => updates.map((update) => updateOf(update, key)),
  delete: ({ deletes }, key) => deletes.map((one) => deleteOf(one, key)),
  findAndModify: (command, key) => [findAndModifyOf(command, key)],
  find: ({ filter = {} }, key) => [readOf(filter, key)],
  count: ({ query = {} }, key) => [readOf(query, key)],
  distinct: ({ query = {} }, key) => [readOf(query, key)],
  aggregate: ({ pipeline }, key) => [readOf(pipeline[0]?.$match ?? {}, key)],
};

/**
 * The statements of a command about documents.
 * @param key the field by which its collection is divided
 * @returns for each its filter (the document of an insert), the values of the shard key that it is about (null: it asks all
 *   shards), whether it writes, and why mongos refuses it, or null
 */
export function statementsOf(name, command, key) {
  return STATEMENTS[name]?.(command, key) ?? [];
}
