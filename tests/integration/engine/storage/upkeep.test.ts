import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Catalog, newCatalogCache } from '#models/engine/storage/catalog/catalog.ts';
import { openDatabase, type Database } from '#models/engine/storage/env/database.ts';
import { garbageIn, removeGarbage } from '#models/engine/storage/upkeep/garbage.ts';
import type { Garbage } from '#models/engine/storage/keys/layout.ts';
import { ReadView } from '#models/engine/storage/view/read-view.ts';
import { Snapshot, Pins } from '#models/engine/storage/view/snapshot.ts';
import { WriteQueue } from '#models/engine/storage/write/queue.ts';
import { ObjectId } from '#models/engine/values/types.ts';
import { rejection } from './temporary-store.ts';

const NS = 'app.items';
let dir: string;
let database: Database;
let pins: Pins;
let queue: WriteQueue;
const cache = newCatalogCache();
const log: string[] = [];

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'upkeep-'));
  log.length = 0;
  Object.assign(cache, newCatalogCache());
  database = await openDatabase(dir, () => undefined);
  pins = new Pins(database.readers, 1000);
  queue = new WriteQueue(database, cache, (_level, message) => log.push(message));
});

afterEach(async () => {
  await queue.close();
  pins.releaseAll();
  await database.close();
  rmSync(dir, { recursive: true, force: true });
});

function view(): ReadView {
  const kv = pins.pin();
  return new ReadView(kv, new Catalog(kv, cache), false);
}

const insert = (_id: unknown) => queue.add((txn) => txn.insert(NS, { _id }));

describe('snapshots', () => {
  it('are released when they are too old, while newer ones are kept', async () => {
    await insert(1);
    const [old, young, forever] = [Date.now() - 5000, Date.now(), Infinity].map(
      (since) => new Snapshot(pins.pin(since), cache, pins),
    ) as [Snapshot, Snapshot, Snapshot];
    const walk = old.find(NS, {});
    walk.next();
    expect(pins.expire(Date.now())).toBe(1);
    expect([old.closed, young.closed, forever.closed]).toEqual([true, false, false]);
    expect(() => walk.next()).toThrow(expect.objectContaining({ code: 239 }) as Error);
    expect(young.count(NS, {})).toBe(1);
    expect(pins.size).toBe(2);
    pins.releaseAll();
    expect(pins.size).toBe(0);
  });
});

describe('the write queue', () => {
  it('runs statements that wait together in one transaction', async () => {
    const groups = new Set<unknown>();
    const run = () =>
      queue.addWithState((state, txn) => {
        txn.insert(NS, { _id: new ObjectId() });
        groups.add(state);
      });
    await run();
    await Promise.all(Array.from({ length: 40 }, run));
    expect(groups.size).toBeLessThanOrEqual(3);
  });

  it('undoes the whole group when SQLite fails, even if a statement passes over the failure', async () => {
    const failing = queue.addWithState((state, txn) => {
      txn.insert(NS, { _id: 'lost' });
      const put = () => state.kv.put(Buffer.from('x'), null as unknown as Buffer);
      expect(() => txn.attempt(put)).toThrow('NOT NULL');
      return 'passed over';
    });
    expect((await rejection(failing)).message).toContain('NOT NULL');
    expect(log).toEqual(['a group of writes could not be stored']);
    await insert('after');
    expect([...view().find(NS, {})].map((found) => found.doc['_id'])).toEqual(['after']);
  });

  it('continues after something between two groups failed, and reports it to the caller', async () => {
    const failing = queue.between(() => Promise.reject(new Error('no luck')));
    const write = insert(1);
    await expect(failing).rejects.toThrow('no luck');
    await write;
    expect(log).toEqual([]);
    expect(view().count(NS, {})).toBe(1);
  });

  it('runs statements in the order they came', async () => {
    const order: number[] = [];
    await Promise.all(Array.from({ length: 50 }, (_, i) => queue.addWithState(() => order.push(i))));
    expect(order).toEqual(Array.from({ length: 50 }, (_, i) => i));
  });

  it('ends a group that takes long, and continues with the rest', async () => {
    const groups = new Set<unknown>();
    const slow = () =>
      queue.addWithState((state, txn) => {
        txn.insert(NS, { _id: new ObjectId() });
        groups.add(state);
        for (const until = performance.now() + 15; performance.now() < until;);
      });
    await Promise.all(Array.from({ length: 6 }, slow));
    expect(groups.size).toBeGreaterThan(1);
  });

  it('finishes what was queued before it closes', async () => {
    const writes = Array.from({ length: 20 }, (_, i) => insert(i));
    await queue.close();
    await Promise.all(writes);
    expect((await rejection(insert('late'))).code).toBe(91);
  });

  it('does not answer a statement before its group is stored', async () => {
    const answered: string[] = [];
    const write = insert(1).then(() => answered.push('stored'));
    await Promise.resolve();
    expect(answered).toEqual([]);
    await write;
    expect(view().count(NS, {})).toBe(1);
  });
});

describe('the remains of dropped collections', () => {
  it('is removed in pieces, and its mark last', async () => {
    await queue.add((txn) => {
      for (let i = 0; i < 25; i++) txn.insert(NS, { _id: i });
    });
    await queue.add((txn) => txn.dropCollection(NS));
    const remains = () => garbageIn(pins.pin());
    const [documents] = remains() as [Garbage, Garbage];
    expect(remains()).toHaveLength(2);
    const piece = () => queue.addWithState((state) => removeGarbage(state.kv, documents, 10));
    expect([await piece(), await piece(), await piece()]).toEqual([false, false, true]);
    expect(remains()).toHaveLength(1);
  });
});

describe('decoded collections', () => {
  it('are shared between views until the catalog changes', async () => {
    await insert(1);
    const first = view().collection(NS);
    expect(view().collection(NS)).toBe(first);
    await queue.add((txn) => txn.createIndexes(NS, [{ key: { a: 1 } }]));
    expect(view().collection(NS)).not.toBe(first);
    expect(first?.indexes).toHaveLength(1);
    expect(view().collection(NS)?.indexes).toHaveLength(2);
  });

  it('are not taken from a statement that was undone', async () => {
    await insert(1);
    const failing = queue.add((txn) => {
      txn.createIndexes(NS, [{ key: { a: 1 } }]);
      expect(txn.collection(NS)?.indexes).toHaveLength(2);
      throw new Error('undone');
    });
    const next = queue.add((txn) => txn.collection(NS)?.indexes.length);
    await expect(failing).rejects.toThrow('undone');
    expect(await next).toBe(1);
    expect(view().collection(NS)?.indexes).toHaveLength(1);
  });
});
