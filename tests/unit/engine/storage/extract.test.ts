import { describe, expect, it } from 'vitest';
import { Extractor } from '#models/engine/query/extract.ts';
import { BsonUndefined, type Document } from '#models/engine/values/types.ts';

const NONE = BsonUndefined.instance;
const extract = (doc: Document, ...paths: string[]) => new Extractor(paths).extract(doc);

describe('index rows', () => {
  it.each<[string, Document, string[], unknown[][]]>([
    ['a plain field', { a: 1 }, ['a'], [[1]]],
    ['a missing field', { b: 1 }, ['a'], [[undefined]]],
    ['a null', { a: null }, ['a'], [[null]]],
    ['an embedded field', { a: { b: { c: 1 } } }, ['a.b.c'], [[1]]],
    ['a path through a scalar', { a: 1 }, ['a.b'], [[undefined]]],
    ['a whole document', { a: { b: 1 } }, ['a'], [[{ b: 1 }]]],
    ['an array', { a: [1, 2] }, ['a'], [[1], [2]]],
    ['an empty array', { a: [] }, ['a'], [[NONE]]],
    ['an empty array on the way', { a: [] }, ['a.b'], [[undefined]]],
    ['an array in an array', { a: [[1, 2], 3] }, ['a'], [[[1, 2]], [3]]],
    ['documents in an array', { a: [{ b: 1 }, { b: 2 }, {}] }, ['a.b'], [[1], [2], [undefined]]],
    ['scalars among documents', { a: [{ b: 1 }, 5] }, ['a.b'], [[1], [undefined]]],
    ['arrays below an array', { a: [{ b: [1, 2] }, { b: 3 }] }, ['a.b'], [[1], [2], [3]]],
    ['a nested array on the way', { a: [[{ b: 1 }]] }, ['a.b'], [[undefined]]],
    ['an element by number', { a: [5, 6] }, ['a.1'], [[6]]],
    ['an element that is not there', { a: [5] }, ['a.3'], [[undefined]]],
    ['a field of an element by number', { a: [{ b: 1 }, { b: 2 }] }, ['a.1.b'], [[2]]],
    ['two fields', { a: 1, b: 2 }, ['a', 'b'], [[1, 2]]],
    [
      'an array beside a field',
      { a: [1, 2], b: 3 },
      ['a', 'b'],
      [
        [1, 3],
        [2, 3],
      ],
    ],
    [
      'two fields below one array',
      { a: [{ b: 1, c: 2 }, { b: 3 }] },
      ['a.b', 'a.c'],
      [
        [1, 2],
        [3, undefined],
      ],
    ],
    ['an array and a field below it', { a: [{ b: 1 }] }, ['a', 'a.b'], [[{ b: 1 }, 1]]],
    ['a name that every object inherits', {}, ['constructor'], [[undefined]]],
    ['the name __proto__', JSON.parse('{"__proto__":{"a":1}}') as Document, ['__proto__.a'], [[1]]],
  ])('of %s', (_what, doc, paths, rows) => {
    expect(extract(doc, ...paths).rows).toEqual(rows);
  });

  it('tell under which paths there was an array', () => {
    expect(extract({ a: [1], b: 2 }, 'a', 'b').arrays).toEqual([true, false]);
    expect(extract({ a: [{ b: 1 }] }, 'a.b', 'a.c', 'd').arrays).toEqual([true, true, false]);
    expect(extract({ a: [] }, 'a').arrays).toEqual([true]);
  });

  it('cannot be taken from two arrays at once', () => {
    const parallel = expect.objectContaining({
      code: 171,
      message: 'cannot index parallel arrays [b] [a]',
    }) as Error;
    expect(() => extract({ a: [1], b: [2] }, 'a', 'b')).toThrow(parallel);
    expect(() => extract({ a: [{ b: [1], c: [2] }] }, 'a.b', 'a.c')).toThrow(
      expect.objectContaining({ code: 171 }) as Error,
    );
  });
});
