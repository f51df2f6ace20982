import { describe, expect, it } from 'vitest';
import { openStore } from '#models/engine/storage/index.ts';
import { findAll, insertAll, temporaryStore } from './temporary-store.ts';

const held = temporaryStore();
const NS = 'app.items';

const fill = (from: number, count: number) =>
  insertAll(
    held.store,
    NS,
    Array.from({ length: count }, (_, i) => ({ _id: from + i, text: 'x'.repeat(200) })),
  );

describe('a snapshot', () => {
  it('keeps its state while documents are added, changed and removed', async () => {
    await held.store.write((txn) => txn.createIndexes(NS, [{ key: { text: 1 } }]));
    await fill(0, 300);
    const snapshot = held.store.snapshot();
    const cursor = snapshot.find(NS, { sort: { _id: 1 } });
    const seen: unknown[] = [];
    for (let turn = 0; turn < 30; turn++) {
      for (let i = 0; i < 10; i++) seen.push(cursor.next().value?.doc['_id']);
      await fill(1000 + turn * 10, 10);
      await held.store.write((txn) => {
        const found = txn.findOne(NS, { filter: { _id: 299 - turn } });
        if (found) txn.remove(NS, found);
      });
    }
    expect(cursor.next().done).toBe(true);
    expect(seen).toEqual(Array.from({ length: 300 }, (_, i) => i));
    expect(snapshot.count(NS, {})).toBe(300);
    expect(snapshot.count(NS, { filter: { text: 'x'.repeat(200) } })).toBe(300);
    snapshot.close();
    expect(held.store.read((view) => view.count(NS, {}))).toBe(570);
  });

  it('knows the indexes and collections of its time', async () => {
    await fill(0, 3);
    const snapshot = held.store.snapshot();
    await held.store.write((txn) => {
      txn.createIndexes(NS, [{ key: { text: 1 } }]);
      txn.createCollection('app.later');
    });
    expect(snapshot.collection(NS)?.indexes).toHaveLength(1);
    expect(snapshot.listCollections('app').map((coll) => coll.name)).toEqual(['items']);
    expect(held.store.read((view) => view.collection(NS)?.indexes)).toHaveLength(2);
    expect(snapshot.findOne(NS, { filter: { text: 'none' } })).toBeNull();
    snapshot.close();
  });

  it('still reads a collection that was dropped and swept meanwhile', async () => {
    await fill(0, 50);
    const snapshot = held.store.snapshot();
    const cursor = snapshot.find(NS, {});
    cursor.next();
    await held.store.write((txn) => txn.dropCollection(NS));
    await held.store.sweepTtl();
    expect([...cursor]).toHaveLength(49);
    snapshot.close();
    expect(held.store.read((view) => view.collection(NS))).toBeNull();
  });

  it('that was closed refuses every use', async () => {
    await fill(0, 20);
    const snapshot = held.store.snapshot();
    const cursor = snapshot.find(NS, {});
    const sorted = snapshot.find(NS, { sort: { text: 1 } });
    cursor.next();
    sorted.next();
    snapshot.close();
    snapshot.close();
    expect(snapshot.closed).toBe(true);
    const tooOld = expect.objectContaining({ code: 239 }) as unknown;
    for (const use of [
      () => cursor.next(),
      () => sorted.next(),
      () => snapshot.findOne(NS, {}),
      () => snapshot.listDatabases(),
    ])
      expect(use).toThrow(tooOld as Error);
  });

  it('can be taken many times over', async () => {
    await fill(0, 5);
    const snapshots = [];
    for (let i = 0; i < 200; i++) {
      snapshots.push(held.store.snapshot());
      if (i % 20 === 0) await fill(100 + i, 1);
    }
    const counts = snapshots.map((snapshot) => snapshot.count(NS, {}));
    expect(counts[0]).toBe(5);
    expect(counts[199]).toBe(15);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    for (const snapshot of snapshots) snapshot.close();
  });

  it('does not keep the store from closing', async () => {
    await fill(0, 5);
    const cursor = held.store.snapshot().find(NS, {});
    cursor.next();
    await held.store.close();
    expect(() => cursor.next()).toThrow();
    held.store = await openStore({ dir: held.dir });
    expect(findAll(held.store, NS)).toHaveLength(5);
  });
});

describe('a read', () => {
  it('allows an unfinished walk', async () => {
    await fill(0, 100);
    for (let i = 0; i < 500; i++) {
      const first = held.store.read((view) => view.find(NS, {}).next().value?.doc['_id']);
      expect(first).toBe(0);
      if (i % 50 === 0) await fill(1000 + i, 1);
    }
  });

  it('sees the latest write', async () => {
    for (let i = 0; i < 50; i++) {
      await insertAll(held.store, NS, [{ _id: i }]);
      expect(held.store.read((view) => view.count(NS, {}))).toBe(i + 1);
      expect(held.store.read((view) => view.findOne(NS, { filter: { _id: i } }))).not.toBeNull();
    }
  });
});
