import { EngineError } from '../errors.ts';
import { cloneValue } from '../values/clone.ts';
import { isDocument, setField, type Document } from '../values/types.ts';
import { compareStrings, equalValues } from './compare.ts';
import { isOperatorDocument, isRegex } from './filter.ts';

type Equalities = Map<string, unknown>;

function add(found: Equalities, path: string, value: unknown): void {
  for (const other of found.keys()) {
    if (other === path) {
      throw new EngineError(
        'NotSingleValueField',
        `cannot infer query fields to set, path '${path}' is matched twice`,
      );
    }
    if (other.startsWith(`${path}.`) || path.startsWith(`${other}.`)) {
      throw new EngineError(
        'NotSingleValueField',
        `cannot infer query fields to set, both paths '${path}' and '${other}' are matched`,
      );
    }
  }
  found.set(path, value);
}

/** Whether all alternatives are the same value. */
function isOneValue([first, ...others]: readonly unknown[]): boolean {
  return first !== undefined && !isRegex(first) && others.every((other) => equalValues(other, first));
}

function fromOperators(found: Equalities, path: string, operators: Document): void {
  for (const op of Object.keys(operators)) {
    const value = operators[op];
    if (op === '$eq') add(found, path, value);
    if (op === '$in' && Array.isArray(value) && isOneValue(value)) add(found, path, value[0]);
  }
}

function collect(found: Equalities, filter: Document): void {
  for (const key of Object.keys(filter)) {
    const value = filter[key];
    if (key === '$and' && Array.isArray(value)) for (const part of value) collect(found, part as Document);
    else if (key === '$or' && Array.isArray(value) && value.length === 1)
      collect(found, value[0] as Document);
    else if (key.startsWith('$') || isRegex(value)) continue;
    else if (isOperatorDocument(value)) fromOperators(found, key, value);
    else add(found, key, value);
  }
}

function setPath(doc: Document, parts: readonly string[], value: unknown): void {
  const [part = '', ...rest] = parts;
  if (rest.length === 0) return setField(doc, part, value);
  const inner = Object.hasOwn(doc, part) ? doc[part] : undefined;
  const child: Document = isDocument(inner) ? inner : {};
  setField(doc, part, child);
  setPath(child, rest, value);
}

/**
 * The initial document of an upsert: the filter's equality conditions, in the order of their paths.
 * @throws EngineError 54 when there are two for one path
 */
export function upsertSeed(filter: Document): Document {
  const found: Equalities = new Map();
  collect(found, filter);
  const seed: Document = {};
  if (found.has('_id')) seed['_id'] = cloneValue(found.get('_id'));
  const others = [...found].filter(([path]) => path !== '_id').sort(([a], [b]) => compareStrings(a, b));
  for (const [path, value] of others) setPath(seed, path.split('.'), cloneValue(value));
  return seed;
}
