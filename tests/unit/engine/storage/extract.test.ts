import { describe, expect, it } from 'vitest';
import { singleValue, valuesUnder } from '#models/engine/query/index.ts';
import type { Document } from '#models/engine/values/types.ts';

describe('the single value at a path', () => {
  it.each<[string, Document, string, unknown]>([
    ['a plain field', { a: 1 }, 'a', 1],
    ['a missing field', { b: 1 }, 'a', undefined],
    ['a null', { a: null }, 'a', null],
    ['an embedded field', { a: { b: { c: 1 } } }, 'a.b.c', 1],
    ['a path through a scalar', { a: 1 }, 'a.b', undefined],
    ['a whole document', { a: { b: 1 } }, 'a', { b: 1 }],
    ['a name that every object inherits', {}, 'constructor', undefined],
    ['the name __proto__', JSON.parse('{"__proto__":{"a":1}}') as Document, '__proto__.a', 1],
  ])('of %s', (_what, doc, path, value) => {
    expect(singleValue(path, 'by which to sort')(doc)).toEqual(value);
  });

  it.each<[Document, string]>([
    [{ a: [1, 2] }, 'a'],
    [{ a: [] }, 'a'],
    [{ a: [{ b: 1 }] }, 'a.b'],
    [{ a: { b: [1] } }, 'a.b'],
    [{ a: [5, 6] }, 'a.1'],
  ])('is refused where %o has an array at %s', (doc, path) => {
    expect(() => singleValue(path, 'by which to sort')(doc)).toThrow(
      expect.objectContaining({
        code: 115,
        message: `an array in '${path}', by which to sort is not supported by the embedded engine`,
      }) as Error,
    );
  });
});

describe('all values at a path', () => {
  it.each<[Document, string, unknown[]]>([
    [{ a: 1 }, 'a', [1]],
    [{ b: 1 }, 'a', []],
    [{ a: null }, 'a', [null]],
    [{ a: [1, 2] }, 'a', [1, 2]],
    [{ a: [] }, 'a', []],
    [{ a: [[1, 2], 3] }, 'a', [[1, 2], 3]],
    [{ a: [{ b: 1 }, 5, { b: [2, 3] }, {}] }, 'a.b', [1, 2, 3]],
    [{ a: [[{ b: 1 }]] }, 'a.b', []],
    [{ a: [5, 6] }, 'a.1', [6]],
    [{ a: [{ b: 1 }, { b: 2 }] }, 'a.1.b', [2]],
  ])('%o has at %s %o', (doc, path, values) => {
    expect([...valuesUnder(doc, path.split('.'))]).toEqual(values);
  });
});
