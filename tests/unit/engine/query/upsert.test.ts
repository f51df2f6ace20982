import { describe, expect, it } from 'vitest';
import { upsertSeed } from '#models/engine/query/index.ts';
import type { Document } from '#models/engine/values/types.ts';
import { codeOf, keysOf, updated } from './support.ts';

describe('the initial document of an upsert', () => {
  it.each<[Document, Document]>([
    [{}, {}],
    [{ a: 1 }, { a: 1 }],
    [
      { a: 1, _id: 5 },
      { _id: 5, a: 1 },
    ],
    [{ a: { $eq: 1 } }, { a: 1 }],
    [{ a: { b: 1 } }, { a: { b: 1 } }],
    [{ 'a.b': 1, 'a.c': 2 }, { a: { b: 1, c: 2 } }],
    [{ 'a.0': 1 }, { a: { 0: 1 } }],
    [{ a: null }, { a: null }],
    [{ a: [1, 2] }, { a: [1, 2] }],
    [{ a: { $gt: 1 } }, {}],
    [{ a: { $gt: 1, $eq: 3 } }, { a: 3 }],
    [{ a: { $in: [1, 2] } }, {}],
    [{ a: { $in: [1] } }, { a: 1 }],
    [{ a: { $in: [1, 1] } }, { a: 1 }],
    [{ a: { $in: [] } }, {}],
    [{ a: { $in: [null] } }, { a: null }],
    [{ a: { $exists: true } }, {}],
    [{ a: /x/ }, {}],
    [{ a: { $not: { $eq: 1 } } }, {}],
    [{ $and: [{ a: 1 }, { b: 2 }] }, { a: 1, b: 2 }],
    [{ $or: [{ a: 1 }] }, { a: 1 }],
    [{ $or: [{ a: 1 }, { a: 2 }] }, {}],
    [{ $nor: [{ a: 1 }] }, {}],
  ])('of %o is %o', (filter, expected) => {
    expect(upsertSeed(filter)).toEqual(expected);
  });

  it('has the _id first, and then the paths in order, as on a server', () => {
    expect(keysOf(upsertSeed({ z: 1, $and: [{ a: 2 }, { _id: 3 }] }))).toEqual(['_id', 'a', 'z']);
  });

  it('cannot be determined when two conditions concern one field', () => {
    expect(codeOf(() => upsertSeed({ a: 1, $and: [{ a: 2 }] }))).toBe(54);
    expect(codeOf(() => upsertSeed({ a: 1, 'a.b': 2 }))).toBe(54);
    expect(codeOf(() => upsertSeed({ 'a.b': 1, a: { c: 1 } }))).toBe(54);
  });

  it('shares nothing with the filter', () => {
    const filter = { a: { b: [1] } };
    (upsertSeed(filter)['a'] as { b: number[] }).b.push(2);
    expect(filter).toEqual({ a: { b: [1] } });
  });
});

describe('upserts', () => {
  const insert = (filter: Document, update: Document): Document =>
    updated(upsertSeed(filter), update, { isUpsertInsert: true });

  it.each<[Document, Document, Document]>([
    [{ a: 1 }, { $set: { b: 2 } }, { a: 1, b: 2 }],
    [{ a: 1 }, { $inc: { a: 1, n: 1 } }, { a: 2, n: 1 }],
    [
      { _id: 7, a: { $gt: 1 } },
      { $setOnInsert: { b: 2 }, $push: { l: 1 } },
      { _id: 7, b: 2, l: [1] },
    ],
    [{ _id: 7, a: 1 }, { b: 2 }, { _id: 7, b: 2 }],
    [{ a: 1 }, { _id: 3, b: 2 }, { _id: 3, b: 2 }],
    [{ 'a.b': 1 }, { $set: { 'a.c': 2 } }, { a: { b: 1, c: 2 } }],
    [{ l: [1] }, { $push: { l: 2 } }, { l: [1, 2] }],
  ])('%o with %o', (filter, update, expected) => {
    expect(insert(filter, update)).toEqual(expected);
  });

  it('may not contradict the requested _id', () => {
    expect(codeOf(() => insert({ _id: 1 }, { $set: { _id: 2 } }))).toBe(66);
    expect(codeOf(() => insert({ _id: 1 }, { _id: 2 }))).toBe(66);
  });

  it('fail if the filter has set a different value', () => {
    expect(codeOf(() => insert({ a: 1 }, { $push: { a: 1 } }))).toBe(2);
    expect(codeOf(() => insert({ a: 1 }, { $set: { 'a.b': 1 } }))).toBe(28);
  });
});
