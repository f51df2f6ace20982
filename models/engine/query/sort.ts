import { PAUSE, sorted, type Pausing, type Steps } from '../budget.ts';
import { EngineError, unsupported } from '../errors.ts';
import { bareNumber } from '../values/numbers.ts';
import { isIndex } from '../values/paths.ts';
import { BsonUndefined, getField, isDocument, isNumeric, type Document } from '../values/types.ts';
import { compareValues } from './compare.ts';

/** What a document is sorted by: one value per field of the pattern. */
export type SortKey = readonly unknown[];

/** A compiled sort pattern. */
export interface Sorter {
  /** The key of a document; of several that arrays give, the one that sorts first. */
  keyOf(doc: Document): SortKey;
  compareKeys(a: SortKey, b: SortKey): number;
}

/** How far a path of the pattern has been followed: to a value, or to a document with parts left. */
interface Place {
  node: unknown;
  parts: readonly string[];
}

function directionOf(value: unknown): 1 | -1 {
  const n = isNumeric(value) ? Number(bareNumber(value)) : 0;
  if (n === 1 || n === -1) return n;
  if (isDocument(value) && Object.hasOwn(value, '$meta')) {
    throw unsupported('sorting by $meta');
  }
  throw new EngineError(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
}

function patternFrom(spec: Document): { parts: string[]; direction: 1 | -1 }[] {
  return Object.keys(spec).map((path) => {
    const parts = path.split('.');
    if (path === '' || parts.includes('')) {
      throw new EngineError(path === '' ? 40352 : 15998, 'FieldPath field names may not be empty strings.');
    }
    if (parts.some((part) => part.startsWith('$'))) {
      throw new EngineError(16410, "FieldPath field names may not start with '$'.");
    }
    return { parts, direction: directionOf(spec[path]) };
  });
}

/** Follows a path until its end or an array that has to be taken apart. */
function follow({ node, parts }: Place): Place {
  let value = node;
  let i = 0;
  while (i < parts.length) {
    const part = parts[i] as string;
    if (Array.isArray(value)) {
      if (!isIndex(part)) break;
      value = value[Number(part)];
    } else if (isDocument(value)) value = getField(value, part);
    else return { node: undefined, parts: [] };
    i++;
  }
  return { node: value, parts: parts.slice(i) };
}

function emptyArrayValue(place: Place): unknown {
  return place.parts.length === 0 ? BsonUndefined.instance : null;
}

/** Where a path goes on inside of one element of the array it had come to. */
function intoElement(place: Place, array: unknown[], element: unknown): Place {
  if (place.node !== array) return place;
  return place.parts.length > 0 && !isDocument(element)
    ? { node: undefined, parts: [] }
    : { node: element, parts: place.parts };
}

/** All keys of a document, like those of an index on the pattern: one for each element of an array. */
function keysFrom(places: readonly Place[], done: readonly boolean[]): unknown[][] {
  const reached = places.map((place, i) => (done[i] ? place : follow(place)));
  const arrays = reached.filter((place, i) => !done[i] && Array.isArray(place.node));
  const array = arrays[0]?.node as unknown[] | undefined;
  if (!array) return [reached.map(({ node }) => node ?? null)];
  if (arrays.some((place) => place.node !== array)) {
    throw new EngineError('BadValue', 'cannot sort with keys that are parallel arrays');
  }
  if (array.length === 0)
    return [reached.map((place) => (place.node === array ? emptyArrayValue(place) : (place.node ?? null)))];
  return array.flatMap((element) =>
    keysFrom(
      reached.map((place) => intoElement(place, array, element)),
      reached.map((place, i) => done[i] === true || place.node !== array || place.parts.length === 0),
    ),
  );
}

function simpleKey(doc: Document, paths: readonly string[]): unknown[] | undefined {
  const key: unknown[] = [];
  for (const path of paths) {
    const value = getField(doc, path);
    if (Array.isArray(value)) return undefined;
    key.push(value ?? null);
  }
  return key;
}

/**
 * Compiles a sort pattern.
 * @throws EngineError 15975 for a direction that is neither 1 nor -1; later BadValue for parallel arrays
 */
export function compileSorter(spec: Document): Sorter {
  const pattern = patternFrom(spec);
  const flat = pattern.every(({ parts }) => parts.length === 1)
    ? pattern.map(({ parts }) => parts[0] as string)
    : undefined;
  const compareKeys = (a: SortKey, b: SortKey): number => {
    for (let i = 0; i < pattern.length; i++) {
      const order = compareValues(a[i], b[i]);
      if (order !== 0) return order * (pattern[i] as { direction: number }).direction;
    }
    return 0;
  };
  const keyOf = (doc: Document): SortKey => {
    const simple = flat && simpleKey(doc, flat);
    if (simple) return simple;
    const places = pattern.map(({ parts }) => ({ node: doc, parts }));
    const keys = keysFrom(
      places,
      places.map(() => false),
    );
    return keys.reduce((best, key) => (compareKeys(key, best) < 0 ? key : best));
  };
  return { keyOf, compareKeys };
}

interface Keyed {
  doc: Document;
  key: SortKey;
}

/** More than this is gathered before it is cut down to what is wanted. */
const GATHERED = 1000;

/**
 * Sorts documents, each key computed once; stable.
 * @param most how many of the first are wanted; no more than twice as many are then kept in memory
 */
export function* sortDocuments(docs: Pausing<Document>, sorter: Sorter, most = Infinity): Steps<Document[]> {
  const order = (a: Keyed, b: Keyed): number => sorter.compareKeys(a.key, b.key);
  const first = function* (some: Keyed[]): Steps<Keyed[]> {
    const inOrder = yield* sorted(some, order);
    if (inOrder.length > most) inOrder.length = most;
    return inOrder;
  };
  let kept: Keyed[] = [];
  for (const doc of docs) {
    if (doc === PAUSE) {
      yield PAUSE;
      continue;
    }
    kept.push({ doc, key: sorter.keyOf(doc) });
    if (kept.length >= Math.max(GATHERED, 2 * most)) kept = yield* first(kept);
  }
  return (yield* first(kept)).map(({ doc }) => doc);
}

/** A comparator of documents; keys are kept for as long as the documents are. */
export function compileSort(spec: Document): (a: Document, b: Document) => number {
  const sorter = compileSorter(spec);
  const keys = new WeakMap<Document, SortKey>();
  const keyOf = (doc: Document): SortKey => {
    let key = keys.get(doc);
    if (!key) keys.set(doc, (key = sorter.keyOf(doc)));
    return key;
  };
  return (a, b) => sorter.compareKeys(keyOf(a), keyOf(b));
}
