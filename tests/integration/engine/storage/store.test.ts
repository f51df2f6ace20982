import { atOnce } from '#models/engine/budget.ts';
import { describe, expect, it } from 'vitest';
import { openStore } from '#models/engine/storage/index.ts';
import { ObjectId, type Document } from '#models/engine/values/types.ts';
import { findAll, insertAll, rejection, temporaryStore } from './temporary-store.ts';

const held = temporaryStore();
const NS = 'app.users';

describe('documents', () => {
  it('are found again by any field after they were inserted', async () => {
    await insertAll(held.store, NS, [
      { _id: 1, email: 'a@x' },
      { _id: 2, email: 'b@x' },
    ]);
    expect(findAll(held.store, NS, { filter: { email: 'b@x' } })).toEqual([{ _id: 2, email: 'b@x' }]);
    expect(held.store.read((view) => view.count(NS, {}))).toBe(2);
  });

  it('are still there after closing and opening the store', async () => {
    await insertAll(held.store, NS, [{ _id: 1 }]);
    await held.store.close();
    held.store = await openStore({ dir: held.dir });
    expect(findAll(held.store, NS)).toEqual([{ _id: 1 }]);
  });

  it('are returned in insertion order by default, and backwards with $natural', async () => {
    await insertAll(held.store, NS, [{ _id: 3 }, { _id: 1 }, { _id: 2 }]);
    const ids = (query: object): unknown[] => findAll(held.store, NS, query).map((doc) => doc['_id']);
    expect(ids({})).toEqual([3, 1, 2]);
    expect(ids({ sort: { $natural: -1 } })).toEqual([2, 1, 3]);
    expect(ids({ hint: { $natural: -1 }, filter: { _id: { $in: [1, 3] } } })).toEqual([1, 3]);
  });

  it('are stored as the given bytes', async () => {
    const bytes = Buffer.from('10000000105f6964000100000000', 'hex');
    const whole = Buffer.concat([Buffer.from([14, 0, 0, 0]), bytes.subarray(4, 13), Buffer.from([0])]);
    await held.store.write((txn) => txn.insert(NS, { _id: 1 }, whole));
    const found = held.store.read((view) => view.findOne(NS, { filter: { _id: 1 } }));
    expect(Buffer.from(found?.bytes ?? [])).toEqual(whole);
  });

  it('over 16 MB are refused with MongoDB’s code', async () => {
    const error = await rejection(
      insertAll(held.store, NS, [{ _id: 1, text: 'x'.repeat(16 * 1024 * 1024) }]),
    );
    expect(error.code).toBe(10334);
    expect(findAll(held.store, NS)).toEqual([]);
  });

  it('of just under 16 MB are stored and found', async () => {
    const text = 'x'.repeat(16 * 1024 * 1024 - 100);
    await insertAll(held.store, NS, [{ _id: 1, text }]);
    expect(findAll(held.store, NS, { filter: { _id: 1 } })[0]?.['text']).toBe(text);
  });

  it('without an _id are refused', async () => {
    await expect(insertAll(held.store, NS, [{ a: 1 }])).rejects.toThrow('must have an _id');
  });

  it('can be replaced, which moves their index entries', async () => {
    await held.store.write((txn) => txn.createIndexes(NS, [{ key: { email: 1 } }]));
    await insertAll(held.store, NS, [{ _id: 1, email: 'old' }]);
    const changed = await held.store.write((txn) => {
      const found = txn.findOne(NS, { filter: { email: 'old' } });
      return found && txn.replace(NS, found, { _id: 1, email: 'new' });
    });
    expect(changed).toBe(true);
    expect(findAll(held.store, NS, { filter: { email: 'old' } })).toEqual([]);
    expect(findAll(held.store, NS, { filter: { email: 'new' } })).toHaveLength(1);
    expect((await held.store.verify()).ok).toBe(true);
  });

  it('replaced with themselves count as unchanged', async () => {
    await insertAll(held.store, NS, [{ _id: 1, a: 1 }]);
    const changed = await held.store.write((txn) => {
      const [found] = txn.find(NS, {});
      return found ? txn.replace(NS, found, { _id: 1, a: 1 }) : null;
    });
    expect(changed).toBe(false);
  });

  it('keep their _id', async () => {
    await insertAll(held.store, NS, [{ _id: 1 }]);
    const error = await rejection(
      held.store.write((txn) => {
        const found = txn.findOne(NS, {});
        if (found) txn.replace(NS, found, { _id: 2 });
      }),
    );
    expect(error.code).toBe(66);
  });

  it('that changed since they were read are not overwritten', async () => {
    await insertAll(held.store, NS, [{ _id: 1, n: 1 }]);
    const stale = held.store.read((view) => view.findOne(NS, {}));
    await held.store.write((txn) => {
      const found = txn.findOne(NS, {});
      if (found) txn.replace(NS, found, { _id: 1, n: 2 });
    });
    const error = await rejection(
      held.store.write((txn) => stale && txn.replace(NS, stale, { _id: 1, n: 3 })),
    );
    expect(error.code).toBe(112);
    expect(findAll(held.store, NS)).toEqual([{ _id: 1, n: 2 }]);
  });

  it('can be changed while they are walked, each once', async () => {
    await held.store.write((txn) => txn.createIndexes(NS, [{ key: { n: 1 } }]));
    await insertAll(
      held.store,
      NS,
      Array.from({ length: 600 }, (_, i) => ({ _id: i, n: i })),
    );
    const seen = await held.store.write((txn) => {
      let count = 0;
      for (const found of txn.find(NS, { filter: { n: { $gte: 0 } }, sort: { n: 1 } })) {
        txn.replace(NS, found, { _id: found.doc['_id'], n: (found.doc['n'] as number) + 10_000 });
        count += 1;
      }
      return count;
    });
    expect(seen).toBe(600);
    expect((await held.store.verify()).ok).toBe(true);
  });
});

describe('a statement that throws', () => {
  it('leaves nothing behind, and its neighbours in the group are stored', async () => {
    await held.store.write((txn) => txn.createIndexes(NS, [{ key: { email: 1 }, unique: true }]));
    const results = await Promise.allSettled([
      held.store.write((txn) => txn.insert(NS, { _id: 1, email: 'a' })),
      held.store.write((txn) => {
        txn.insert(NS, { _id: 2, email: 'b' });
        txn.createCollection('app.other');
        throw new Error('changed my mind');
      }),
      held.store.write((txn) => txn.insert(NS, { _id: 3, email: 'b' })),
    ]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(findAll(held.store, NS).map((doc) => doc['_id'])).toEqual([1, 3]);
    expect(held.store.read((view) => view.collection('app.other'))).toBeNull();
    expect(held.store.read((view) => view.count(NS, {}))).toBe(2);
    expect((await held.store.verify()).problems).toEqual([]);
  });

  it('can undo only a part with attempt', async () => {
    const failed = await held.store.write((txn) => {
      txn.insert(NS, { _id: 1 });
      try {
        txn.attempt(() => {
          txn.insert(NS, { _id: 2 });
          txn.insert(NS, { _id: 1 });
        });
      } catch (error) {
        return (error as { code: number }).code;
      }
      return 0;
    });
    expect(failed).toBe(11000);
    expect(findAll(held.store, NS)).toEqual([{ _id: 1 }]);
    expect((await held.store.verify()).problems).toEqual([]);
  });
});

describe('concurrent statements', () => {
  it('do not lose an increment', async () => {
    await insertAll(held.store, NS, [{ _id: 1, n: 0 }]);
    const increment = () =>
      held.store.write((txn) => {
        const found = txn.findOne(NS, { filter: { _id: 1 } });
        if (found) txn.replace(NS, found, { _id: 1, n: (found.doc['n'] as number) + 1 });
      });
    await Promise.all(Array.from({ length: 300 }, increment));
    expect(findAll(held.store, NS)).toEqual([{ _id: 1, n: 300 }]);
  });

  it('insert a unique key once, however many attempts', async () => {
    await held.store.write((txn) => txn.createIndexes(NS, [{ key: { email: 1 }, unique: true }]));
    const attempts = Array.from({ length: 100 }, (_, i) =>
      insertAll(held.store, NS, [{ _id: i, email: 'same' }]),
    );
    const results = await Promise.allSettled(attempts);
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    expect(findAll(held.store, NS)).toHaveLength(1);
  });
});

describe('values', () => {
  it('of meta keys are read back, swept by prefix, and removed', async () => {
    await held.store.write((txn) => {
      txn.putMeta('retry a', Buffer.from('1'));
      txn.putMeta('retry b', Buffer.from('2'));
      txn.putMeta('other', Buffer.from('2'));
    });
    const swept = await held.store.write((txn) => txn.sweepMeta('retry ', (value) => value[0] === 0x32, 10));
    expect(swept).toBe(1);
    const left = held.store.read((view) =>
      ['retry a', 'retry b', 'other'].map((key) => view.getMeta(key) !== null),
    );
    expect(left).toEqual([true, false, true]);
    await held.store.write((txn) => txn.removeMeta('other'));
    expect(held.store.read((view) => view.getMeta('other'))).toBeNull();
  });

  it('are listed by distinct once each, arrays unwound, in order', async () => {
    const docs: Document[] = [
      { _id: 1, t: ['b', 'a'] },
      { _id: 2, t: 'a' },
      { _id: 3, t: null },
      { _id: 4 },
      { _id: 5, t: [] },
    ];
    await insertAll(held.store, NS, docs);
    expect(held.store.read((view) => atOnce(view.distinct(NS, 't', {})))).toEqual([null, 'a', 'b']);
    expect(held.store.read((view) => atOnce(view.distinct(NS, 't', { filter: { _id: 2 } })))).toEqual(['a']);
    expect(held.store.read((view) => atOnce(view.distinct('app.none', 't', {})))).toEqual([]);
  });
});

describe('statistics', () => {
  it('tell count, bytes and the size of indexes', async () => {
    await held.store.write((txn) => txn.createIndexes(NS, [{ key: { a: 1 } }]));
    await insertAll(held.store, NS, [
      { _id: new ObjectId(), a: 1 },
      { _id: new ObjectId(), a: 2 },
    ]);
    const stats = held.store.read((view) => atOnce(view.stats(NS)));
    expect(stats.count).toBe(2);
    expect(stats.size).toBe(2 * 29);
    expect(stats.indexSizes['a_1']).toBeGreaterThan(0);
    expect(held.store.read((view) => atOnce(view.stats('app.none')))).toEqual({
      count: 0,
      size: 0,
      indexSizes: {},
    });
  });
});

describe('a closed store', () => {
  it('accepts no more writes, and can be closed twice', async () => {
    const write = insertAll(held.store, NS, [{ _id: 1 }]);
    await Promise.all([held.store.close(), held.store.close(), write]);
    expect((await rejection(insertAll(held.store, NS, [{ _id: 2 }]))).code).toBe(91);
    held.store = await openStore({ dir: held.dir });
    expect(findAll(held.store, NS)).toEqual([{ _id: 1 }]);
  });
});
