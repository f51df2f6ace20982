import { PAUSE, sorted, type Pausing, type Steps } from '../budget.ts';
import { EngineError, unsupported } from '../errors.ts';
import { bareNumber } from '../values/numbers.ts';
import { getField, isDocument, isNumeric, type Document } from '../values/types.ts';
import { compareValues } from './compare.ts';
import { Extractor } from './extract.ts';

/** What a document is sorted by: one value per field of the pattern. */
export type SortKey = readonly unknown[];

/** A compiled sort pattern. */
export interface Sorter {
  /** The key of a document; of several that arrays give, the one that sorts first. */
  keyOf(doc: Document): SortKey;
  compareKeys(a: SortKey, b: SortKey): number;
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

function simpleKey(doc: Document, paths: readonly string[]): unknown[] | undefined {
  const key: unknown[] = [];
  for (const path of paths) {
    const value = getField(doc, path);
    if (Array.isArray(value)) return undefined;
    key.push(value ?? null);
  }
  return key;
}

/** All keys of a document, those an index on the pattern would have. */
function rowsOf(extractor: Extractor, doc: Document): unknown[][] {
  try {
    return extractor.extract(doc).rows;
  } catch (error) {
    if (!(error instanceof EngineError) || error.codeName !== 'CannotIndexParallelArrays') throw error;
    throw new EngineError('BadValue', 'cannot sort with keys that are parallel arrays', { cause: error });
  }
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
  const extractor = new Extractor(pattern.map(({ parts }) => parts.join('.')));
  const keyOf = (doc: Document): SortKey => {
    const simple = flat && simpleKey(doc, flat);
    if (simple) return simple;
    const keys = rowsOf(extractor, doc).map((row) => row.map((value) => value ?? null));
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
