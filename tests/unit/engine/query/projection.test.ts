import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Double, type Document } from '#models/engine/values/types.ts';
import { anyDocument } from '../values/arbitrary.ts';
import { codeOf, failure, keysOf, projected } from './support.ts';

const DOC: Document = {
  _id: 1,
  b: 'x',
  a: { x: 1, y: { z: 2, w: 3 } },
  list: [{ n: 1, m: 9 }, 5, { n: 2 }, [{ n: 3, m: 4 }]],
  tags: ['p', 'q', 'r', 's'],
};

type Case = [spec: Document, expected: Document];

describe('choosing fields', () => {
  it.each<Case>([
    [{}, DOC],
    [{ b: 1 }, { _id: 1, b: 'x' }],
    [{ b: true }, { _id: 1, b: 'x' }],
    [{ b: new Double(2.5) }, { _id: 1, b: 'x' }],
    [{ b: 1, _id: 0 }, { b: 'x' }],
    [{ _id: 0, b: 1 }, { b: 'x' }],
    [{ _id: 1 }, { _id: 1 }],
    [{ nothing: 1 }, { _id: 1 }],
    [{ 'a.x': 1 }, { _id: 1, a: { x: 1 } }],
    [{ '_id.x': 1, b: 1 }, { b: 'x' }],
    [
      { 'a.y.z': 1, 'a.x': 1 },
      { _id: 1, a: { x: 1, y: { z: 2 } } },
    ],
    [{ 'b.c': 1 }, { _id: 1 }],
    [{ 'list.n': 1 }, { _id: 1, list: [{ n: 1 }, { n: 2 }, [{ n: 3 }]] }],
    [{ 'list.0': 1 }, { _id: 1, list: [{}, {}, [{}]] }],
    [{ 'tags.x': 1 }, { _id: 1, tags: [] }],
  ])('keeps %o', (spec, expected) => {
    expect(projected(spec, DOC)).toEqual(expected);
  });

  it.each<Case>([
    [{ _id: 0 }, { b: 'x', a: DOC['a'], list: DOC['list'], tags: DOC['tags'] }],
    [
      { a: 0, list: 0, tags: 0 },
      { _id: 1, b: 'x' },
    ],
    [
      { a: 0, list: 0, tags: 0, _id: 1 },
      { _id: 1, b: 'x' },
    ],
    [{ a: 0, list: 0, tags: 0, _id: 0 }, { b: 'x' }],
    [
      { 'a.y.z': 0, list: 0, tags: 0, b: 0 },
      { _id: 1, a: { x: 1, y: { w: 3 } } },
    ],
    [
      { 'list.n': 0, a: 0, b: 0, tags: 0 },
      { _id: 1, list: [{ m: 9 }, 5, {}, [{ m: 4 }]] },
    ],
    [
      { 'b.c': 0, a: 0, list: 0, tags: 0 },
      { _id: 1, b: 'x' },
    ],
  ])('drops %o', (spec, expected) => {
    expect(projected(spec, DOC)).toEqual(expected);
  });

  it('keeps the order of the document, not of the projection', () => {
    expect(keysOf(projected({ tags: 1, a: 1, b: 1 }, DOC))).toEqual(['_id', 'b', 'a', 'tags']);
    expect(keysOf(projected({ 'a.y': 1, 'a.x': 1 }, DOC)['a'] as Document)).toEqual(['x', 'y']);
  });

  it('is not confused by inherited property names', () => {
    const doc = JSON.parse('{"_id": 1, "__proto__": {"x": 1}, "constructor": 2}') as Document;
    expect(keysOf(projected({ constructor: 1 }, doc))).toEqual(['_id', 'constructor']);
    expect(projected({ toString: 1 }, { _id: 1 })).toEqual({ _id: 1 });
    expect(keysOf(projected(JSON.parse('{"__proto__": 1}') as Document, doc))).toEqual(['_id', '__proto__']);
    expect(keysOf(projected(JSON.parse('{"__proto__.x": 0, "_id": 0}') as Document, doc))).toEqual([
      '__proto__',
      'constructor',
    ]);
  });
});

it.each<[Document]>([
  [{ 'tags.$': 1 }],
  [{ tags: { $slice: 1 } }],
  [{ list: { $elemMatch: { n: 1 } } }],
  [{ x: '$a.x' }],
  [{ x: { $add: ['$a.x', 1] } }],
  [{ a: { x: 1 } }],
  [{ a: {} }],
])('%o is refused', (spec) => {
  expect(codeOf(() => projected(spec, DOC))).toBe(115);
});

describe('refusals', () => {
  it.each<[Document, number, string]>([
    [{ a: 1, b: 0 }, 31254, 'Cannot do exclusion on field b in inclusion projection'],
    [{ a: 0, b: 1 }, 31253, 'Cannot do inclusion on field b in exclusion projection'],
    [{ a: 1, 'a.b': 1 }, 31249, 'Path collision at a.b remaining portion b'],
    [{ 'a.b': 1, a: 1 }, 31250, 'Path collision at a'],
    [{ '': 1 }, 40352, 'FieldPath cannot be constructed with empty string'],
    [{ 'a..b': 1 }, 15998, 'FieldPath field names may not be empty strings.'],
    [{ 'a.': 1 }, 40353, "FieldPath must not end with a '.'."],
    [{ $a: 1 }, 16410, "FieldPath field names may not start with '$'."],
  ])('%o', (spec, code, message) => {
    expect(failure(() => projected(spec, DOC))).toEqual({ code, message });
  });
});

describe('the laws of projection', () => {
  it('kept and dropped fields together make up the document', () => {
    fc.assert(
      fc.property(
        anyDocument,
        fc.subarray(['a', 'b', 'c', 'd', 'x y', 'é', 'constructor'], { minLength: 1 }),
        (doc, names) => {
          const one = projected({ _id: 0, ...Object.fromEntries(names.map((n) => [n, 1])) }, doc);
          const rest = projected(Object.fromEntries(names.map((n) => [n, 0])), doc);
          expect(keysOf(one).every((key) => names.includes(key))).toBe(true);
          expect(keysOf(rest).some((key) => names.includes(key))).toBe(false);
          expect([...keysOf(one), ...keysOf(rest)].sort()).toEqual(keysOf(doc).sort());
          for (const key of keysOf(one)) expect(one[key]).toBe(doc[key]);
        },
      ),
    );
  });
});
