import { atOnce } from '#models/engine/budget.ts';
import { describe, expect, it } from 'vitest';
import type { IndexSpec } from '#models/engine/storage/index.ts';
import { Double, Long, type Document } from '#models/engine/values/types.ts';
import { findAll, insertAll, rejection, temporaryStore } from './temporary-store.ts';

const held = temporaryStore();
const NS = 'app.users';

const create = (...specs: IndexSpec[]) => held.store.write((txn) => txn.createIndexes(NS, specs));
const names = (): string[] =>
  held.store.read((view) => view.collection(NS)?.indexes.map((index) => index.name) ?? []);
const indexOf = (query: object): unknown =>
  held.store.read((view) => atOnce(view.explain(NS, query))).winningPlan['indexName'];

describe('creating indexes', () => {
  it('names them after their keys and counts them', async () => {
    expect(await create({ key: { a: 1, 'b.c': -1 } })).toEqual({
      before: 1,
      after: 2,
      created: ['a_1_b.c_-1'],
    });
    expect(names()).toEqual(['_id_', 'a_1_b.c_-1']);
  });

  it('does nothing for an existing index', async () => {
    await create({ key: { a: 1 }, unique: true });
    expect(await create({ key: { a: 1 }, unique: true }, { key: { _id: 1 } })).toEqual({
      before: 2,
      after: 2,
      created: [],
    });
  });

  it('covers existing documents', async () => {
    await insertAll(held.store, NS, [{ _id: 1, a: 2 }, { _id: 2, a: new Double(2) }, { _id: 3 }]);
    await create({ key: { a: 1 } });
    expect(indexOf({ filter: { a: 2 } })).toBe('a_1');
    expect(findAll(held.store, NS, { filter: { a: 2 } }).map((doc) => doc['_id'])).toEqual([1, 2]);
    expect((await held.store.verify()).problems).toEqual([]);
  });

  it('fails completely when documents collide, without a trace', async () => {
    await insertAll(held.store, NS, [
      { _id: 1, a: 1 },
      { _id: 2, a: 1 },
    ]);
    const error = await rejection(create({ key: { b: 1 } }, { key: { a: 1 }, unique: true }));
    expect(error.code).toBe(11000);
    expect(error.message).toContain('index: a_1 dup key: { a: 1 }');
    expect(names()).toEqual(['_id_']);
    expect((await held.store.verify()).problems).toEqual([]);
  });

  it.each<[string, Document, number]>([
    ['no fields', { key: {} }, 67],
    ['a direction of 0', { key: { a: 0 } }, 67],
    ['a text index', { key: { a: 'text' } }, 67],
    ['a wildcard', { key: { '$**': 1 } }, 67],
    ['an empty part of a path', { key: { 'a..b': 1 } }, 67],
    ['an unknown option', { key: { a: 1 }, uniq: true }, 197],
    ['a key that is no document', { key: 'a' }, 14],
    ['TTL on two fields', { key: { a: 1, b: 1 }, expireAfterSeconds: 1 }, 67],
    ['TTL on _id', { key: { _id: 1 }, expireAfterSeconds: 1 }, 67],
    ['a negative TTL', { key: { a: 1 }, expireAfterSeconds: -1 }, 67],
    ['a filter of its own', { key: { a: 1 }, partialFilterExpression: { a: 1 } }, 197],
    ['one that leaves out what is missing', { key: { a: 1 }, sparse: true }, 197],
    ['an empty name', { key: { a: 1 }, name: '' }, 67],
  ])('refuses %s', async (_what, spec, code) => {
    expect((await rejection(create(spec as unknown as IndexSpec))).code).toBe(code);
    expect(names()).toEqual([]);
  });

  it('refuses another index under a name in use, and the same one under another name', async () => {
    await create({ key: { a: 1 }, name: 'mine' });
    expect((await rejection(create({ key: { b: 1 }, name: 'mine' }))).code).toBe(86);
    expect((await rejection(create({ key: { a: 1 }, name: 'yours' }))).code).toBe(85);
    expect((await rejection(create({ key: { a: 1 }, name: 'mine', unique: true }))).code).toBe(86);
  });

  it('refuses the sixty-fifth', async () => {
    await create(...Array.from({ length: 63 }, (_, i) => ({ key: { [`f${i}`]: 1 } })));
    expect((await rejection(create({ key: { more: 1 } }))).code).toBe(67);
  });
});

describe('dropping indexes', () => {
  it('takes a name, names, a key pattern or all, and never _id_', async () => {
    await create({ key: { a: 1 } }, { key: { b: 1 } }, { key: { c: 1 } }, { key: { d: 1 } });
    const drop = (which: string | string[] | Document) =>
      held.store.write((txn) => txn.dropIndexes(NS, which));
    expect(await drop('a_1')).toBe(5);
    await drop({ b: 1 });
    await drop(['c_1']);
    expect(names()).toEqual(['_id_', 'd_1']);
    expect((await rejection(drop('_id_'))).code).toBe(72);
    expect((await rejection(drop('none'))).code).toBe(27);
    expect((await rejection(held.store.write((txn) => txn.dropIndexes('app.none', '*')))).code).toBe(26);
    await drop('*');
    expect(names()).toEqual(['_id_']);
    await held.store.sweepTtl();
    expect((await held.store.verify()).problems).toEqual([]);
  });

  it('with remaining entries is not treated as damaged before they are swept', async () => {
    await create({ key: { a: 1 } });
    await insertAll(held.store, NS, [{ _id: 1, a: 1 }]);
    await held.store.write((txn) => txn.dropIndexes(NS, '*'));
    expect((await held.store.verify()).problems).toEqual([]);
  });
});

describe('a unique index', () => {
  it('reports a duplicate with the server’s message', async () => {
    await create({ key: { email: 1 }, unique: true });
    await insertAll(held.store, NS, [{ _id: 1, email: 'a' }]);
    const error = await rejection(insertAll(held.store, NS, [{ _id: 2, email: 'a' }]));
    expect(error.message).toBe(
      'E11000 duplicate key error collection: app.users index: email_1 dup key: { email: "a" }',
    );
    expect(error.extra).toEqual({ keyPattern: { email: 1 }, keyValue: { email: 'a' } });
  });

  it('treats equal numbers of different types as the same', async () => {
    await insertAll(held.store, NS, [{ _id: 1 }]);
    for (const _id of [Long.fromNumber(1), new Double(1)])
      expect((await rejection(insertAll(held.store, NS, [{ _id }]))).code).toBe(11000);
  });

  it('counts a missing field as null', async () => {
    await create({ key: { a: 1 }, unique: true });
    await insertAll(held.store, NS, [{ _id: 1, a: 1 }, { _id: 2 }]);
    const error = await rejection(insertAll(held.store, NS, [{ _id: 3 }]));
    expect(error.message).toContain('index: a_1 dup key: { a: null }');
    expect((await rejection(insertAll(held.store, NS, [{ _id: 3, a: null }]))).code).toBe(11000);
  });

  it('lets a document keep its own key when it is replaced', async () => {
    await create({ key: { email: 1 }, unique: true });
    await insertAll(held.store, NS, [{ _id: 1, email: 'a', n: 1 }]);
    await held.store.write((txn) => {
      const found = txn.findOne(NS, {});
      if (found) txn.replace(NS, found, { _id: 1, email: 'a', n: 2 });
    });
    expect(findAll(held.store, NS, { filter: { email: 'a' } })).toEqual([{ _id: 1, email: 'a', n: 2 }]);
  });

  it('distinguishes long keys that differ only at their end', async () => {
    await create({ key: { text: 1 }, unique: true });
    const long = 'x'.repeat(5000);
    await insertAll(held.store, NS, [
      { _id: 1, text: `${long}a` },
      { _id: 2, text: `${long}b` },
    ]);
    expect((await rejection(insertAll(held.store, NS, [{ _id: 3, text: `${long}a` }]))).code).toBe(11000);
    expect(findAll(held.store, NS, { filter: { text: `${long}b` } }).map((doc) => doc['_id'])).toEqual([2]);
    expect((await held.store.verify()).problems).toEqual([]);
  });
});

describe('arrays', () => {
  const ARRAY = "an array in 'a.b', a field of the index a.b_1 is not supported by the embedded engine";

  it('in an indexed field are refused, and nothing is written', async () => {
    await create({ key: { 'a.b': 1 } });
    await insertAll(held.store, NS, [{ _id: 1, a: { b: 1 }, free: [1] }]);
    for (const a of [[{ b: 1 }], { b: [] }]) {
      const error = await rejection(insertAll(held.store, NS, [{ _id: 2, a }]));
      expect([error.code, error.message]).toEqual([115, ARRAY]);
    }
    const replacing = held.store.write((txn) => {
      const found = txn.findOne(NS, {});
      if (found) txn.replace(NS, found, { _id: 1, a: [1] });
    });
    expect((await rejection(replacing)).code).toBe(115);
    expect(findAll(held.store, NS)).toEqual([{ _id: 1, a: { b: 1 }, free: [1] }]);
    expect((await held.store.verify()).problems).toEqual([]);
  });

  it('prevent an index on their field', async () => {
    await insertAll(held.store, NS, [{ _id: 1, a: { b: [1] } }]);
    expect((await rejection(create({ key: { 'a.b': 1 } }))).message).toBe(ARRAY);
    expect(names()).toEqual(['_id_']);
  });
});
