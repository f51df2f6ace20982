import { PAUSE, sorted, type Pausing, type Steps } from '../budget.ts';
import { EngineError, unsupported } from '../errors.ts';
import { bareNumber } from '../values/numbers.ts';
import { isDocument, isNumeric, type Document } from '../values/types.ts';
import { compareValues } from './compare.ts';
import { fieldPathParts } from './expression.ts';
import { singleValue, type ReadValue } from './extract.ts';

/** A document's sort key: one value per field of the pattern. */
export type SortKey = readonly unknown[];

/** A compiled sort pattern. */
export interface Sorter {
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

function patternFrom(spec: Document): { read: ReadValue; direction: 1 | -1 }[] {
  return Object.keys(spec).map((path) => {
    fieldPathParts(path);
    return { read: singleValue(path, 'by which to sort'), direction: directionOf(spec[path]) };
  });
}

/**
 * Compiles a sort pattern.
 * @throws EngineError 15975 for a direction other than 1 and -1; when sorting, 115 for a document with an array in a sort field
 */
export function compileSorter(spec: Document): Sorter {
  const pattern = patternFrom(spec);
  return {
    keyOf: (doc) => pattern.map(({ read }) => read(doc) ?? null),
    compareKeys(a, b) {
      for (let i = 0; i < pattern.length; i++) {
        const order = compareValues(a[i], b[i]);
        if (order !== 0) return order * (pattern[i] as { direction: number }).direction;
      }
      return 0;
    },
  };
}

interface Keyed {
  doc: Document;
  key: SortKey;
}

/** Minimum number of documents collected before the list is cut to the wanted ones. */
const GATHERED = 1000;

/**
 * Sorts documents, each key computed once; stable.
 * @param most how many of the first are wanted; at most twice as many are kept in memory
 */
export function* sortDocuments(docs: Pausing<Document>, sorter: Sorter, most = Infinity): Steps<Document[]> {
  const order = (a: Keyed, b: Keyed): number => sorter.compareKeys(a.key, b.key);
  const first = function* (some: Keyed[]): Steps<Keyed[]> {
    const inOrder = yield* sorted(some, order);
    if (inOrder.length > most) inOrder.length = most;
    return inOrder;
  };
  let rows: Keyed[] = [];
  for (const doc of docs) {
    if (doc === PAUSE) {
      yield PAUSE;
      continue;
    }
    rows.push({ doc, key: sorter.keyOf(doc) });
    if (rows.length >= Math.max(GATHERED, 2 * most)) rows = yield* first(rows);
  }
  return (yield* first(rows)).map(({ doc }) => doc);
}
