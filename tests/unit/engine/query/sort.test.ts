import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atOnce } from '#models/engine/budget.ts';
import { compileSorter, sortDocuments } from '#models/engine/query/index.ts';
import { Double, Long, MaxKey, MinKey, type Document } from '#models/engine/values/types.ts';
import { anyDocument } from '../values/arbitrary.ts';
import { codeOf } from './support.ts';

/** The ids of documents in the order of a pattern. */
function order(spec: Document, docs: Document[]): unknown[] {
  return atOnce(sortDocuments(docs, compileSorter(spec))).map((doc) => doc['_id']);
}

describe('sorting', () => {
  it('sorts by one field, ascending and descending', () => {
    const docs = [
      { _id: 1, a: 2 },
      { _id: 2, a: 1 },
      { _id: 3, a: 3 },
    ];
    expect(order({ a: 1 }, docs)).toEqual([2, 1, 3]);
    expect(order({ a: -1 }, docs)).toEqual([3, 1, 2]);
    expect(order({ a: new Double(-1) }, docs)).toEqual([3, 1, 2]);
    expect(order({ a: Long.fromNumber(1) }, docs)).toEqual([2, 1, 3]);
  });

  it('sorts by several fields in turn', () => {
    const docs = [
      { _id: 1, a: 1, b: 1 },
      { _id: 2, a: 1, b: 2 },
      { _id: 3, a: 0, b: 9 },
    ];
    expect(order({ a: 1, b: -1 }, docs)).toEqual([3, 2, 1]);
    expect(order({ b: 1, a: 1 }, docs)).toEqual([1, 2, 3]);
  });

  it('follows the order of types', () => {
    const docs = [
      { _id: 'max', a: new MaxKey() },
      { _id: 'string', a: 'x' },
      { _id: 'number', a: 1 },
      { _id: 'null', a: null },
      { _id: 'min', a: new MinKey() },
      { _id: 'object', a: {} },
    ];
    expect(order({ a: 1 }, docs)).toEqual(['min', 'null', 'number', 'string', 'object', 'max']);
  });

  it('treats a missing field as null', () => {
    const docs = [{ _id: 1, a: 0 }, { _id: 2 }, { _id: 3, a: null }];
    expect(order({ a: 1 }, docs)).toEqual([2, 3, 1]);
    expect(order({ a: -1 }, docs)).toEqual([1, 2, 3]);
  });

  it.each<[Document, Document, unknown[]]>([
    [{ 'a.b': 1 }, { a: 5 }, [null]],
    [{ __proto__x: 1 }, {}, [null]],
    [{ constructor: 1 }, {}, [null]],
  ])('the key of %o for %o is %o', (spec, doc, key) => {
    expect(compileSorter(spec).keyOf(doc)).toEqual(key);
  });

  it.each<[Document, number]>([
    [{ a: 2 }, 15975],
    [{ a: 0 }, 15975],
    [{ a: 'asc' }, 15975],
    [{ a: true }, 15975],
    [{ '': 1 }, 40352],
    [{ 'a..b': 1 }, 15998],
    [{ 'a.': 1 }, 40353],
    [{ $a: 1 }, 16410],
  ])('refuses %o', (spec, code) => {
    expect(codeOf(() => compileSorter(spec))).toBe(code);
  });
});

describe('the laws of sorting', () => {
  const spec = fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'a.b', 'c'), fc.constantFrom(1, -1)), {
    minLength: 1,
    maxLength: 3,
    selector: ([path]) => path,
  });

  it('the result is ordered, complete and stable', () => {
    fc.assert(
      fc.property(spec, fc.array(anyDocument, { maxLength: 12 }), (pattern, docs) => {
        const sorter = compileSorter(Object.fromEntries(pattern));
        let sorted: Document[];
        try {
          sorted = atOnce(sortDocuments(docs, sorter));
        } catch (error) {
          expect((error as Error).message).toMatch(/^an array in '.*', by which to sort is not supported/);
          return;
        }
        expect(new Set(sorted)).toEqual(new Set(docs));
        for (let i = 1; i < sorted.length; i++) {
          const [a, b] = [sorted[i - 1] as Document, sorted[i] as Document];
          const order = sorter.compareKeys(sorter.keyOf(a), sorter.keyOf(b));
          expect(order).toBeLessThanOrEqual(0);
          if (order === 0) expect(docs.indexOf(a)).toBeLessThan(docs.lastIndexOf(b) + 1);
        }
      }),
    );
  });

  it('the first few are the first of all', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { maxLength: 60 }), fc.integer({ min: 1, max: 8 }), (values, most) => {
        const docs = values.flatMap((a, i) =>
          Array.from({ length: 40 }, (_, k) => ({ _id: i * 40 + k, a: (a * 7 + k * 13) % 50 })),
        );
        const sorter = compileSorter({ a: 1 });
        expect(atOnce(sortDocuments(docs, sorter, most))).toEqual(
          atOnce(sortDocuments(docs, sorter)).slice(0, most),
        );
      }),
    );
  });

  it('reversing the direction reverses the order', () => {
    fc.assert(
      fc.property(anyDocument, anyDocument, (a, b) => {
        fc.pre(!Array.isArray(a['a']) && !Array.isArray(b['a']));
        const order = (direction: 1 | -1): number => {
          const { keyOf, compareKeys } = compileSorter({ a: direction });
          return compareKeys(keyOf(a), keyOf(b));
        };
        expect(order(1)).toBe(0 - order(-1));
      }),
    );
  });
});
