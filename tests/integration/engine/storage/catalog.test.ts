import { describe, expect, it } from 'vitest';
import { findAll, insertAll, rejection, temporaryStore } from './temporary-store.ts';

const held = temporaryStore();

const list = (db: string): string[] =>
  held.store.read((view) => view.listCollections(db).map((coll) => coll.ns));

describe('collections', () => {
  it('are listed by database and name', async () => {
    await held.store.write((txn) => {
      for (const ns of ['b.two', 'a.z', 'a.x', 'ab.y', 'a.dotted.name', 'a-b.q']) txn.createCollection(ns);
    });
    expect(held.store.read((view) => view.listDatabases())).toEqual(['a', 'a-b', 'ab', 'b']);
    expect(list('a')).toEqual(['a.dotted.name', 'a.x', 'a.z']);
    expect(held.store.read((view) => view.collection('a.dotted.name'))).toMatchObject({
      db: 'a',
      name: 'dotted.name',
    });
    expect(list('none')).toEqual([]);
  });

  it('have their own identity, and a new one after being dropped', async () => {
    const first = await held.store.write((txn) => txn.createCollection('a.x'));
    await held.store.write((txn) => txn.dropCollection('a.x'));
    const second = await held.store.write((txn) => txn.createCollection('a.x'));
    expect(second.collId).not.toBe(first.collId);
    expect(Buffer.from(second.uuid)).not.toEqual(Buffer.from(first.uuid));
    expect((second.uuid[6] as number) >> 4).toBe(4);
  });

  it.each(['noDot', '.x', 'a.', 'a.x$y', 'a.sys\0tem', 'bad name.x', `a.${'x'.repeat(300)}`, 'a..x'])(
    'are refused under the name %j',
    async (ns) => {
      expect((await rejection(held.store.write((txn) => txn.createCollection(ns)))).code).toBe(73);
    },
  );

  it('cannot be created twice under one name', async () => {
    await held.store.write((txn) => txn.createCollection('a.x'));
    expect((await rejection(held.store.write((txn) => txn.createCollection('a.x')))).code).toBe(48);
  });

  it('lose their documents when dropped, with nothing left after a sweep', async () => {
    await held.store.write((txn) => txn.createIndexes('a.x', [{ key: { n: 1 } }]));
    await insertAll(
      held.store,
      'a.x',
      Array.from({ length: 5000 }, (_, n) => ({ _id: n, n })),
    );
    expect(await held.store.write((txn) => txn.dropCollection('a.x'))).toBe(true);
    expect(await held.store.write((txn) => txn.dropCollection('a.x'))).toBe(false);
    expect(findAll(held.store, 'a.x')).toEqual([]);
    expect(held.store.read((view) => view.count('a.x', {}))).toBe(0);
    await held.store.sweepTtl();
    const report = await held.store.verify();
    expect(report).toMatchObject({ ok: true, collections: 0, documents: 0, indexEntries: 0 });
  });

  it('are dropped with their database', async () => {
    await insertAll(held.store, 'a.x', [{ _id: 1 }]);
    await insertAll(held.store, 'a.y', [{ _id: 1 }]);
    await insertAll(held.store, 'b.x', [{ _id: 1 }]);
    expect(await held.store.write((txn) => txn.dropDatabase('a'))).toEqual(['a.x', 'a.y']);
    expect(held.store.read((view) => view.listDatabases())).toEqual(['b']);
  });

  it('remember their options', async () => {
    await held.store.write((txn) => txn.createCollection('a.x', { validator: { n: 1 } }));
    expect(held.store.read((view) => view.collection('a.x'))?.options).toEqual({ validator: { n: 1 } });
  });
});
