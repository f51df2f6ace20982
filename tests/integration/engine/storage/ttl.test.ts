import { afterEach, describe, expect, it, vi } from 'vitest';
import { openStore } from '#models/engine/storage/index.ts';
import type { Document } from '#models/engine/values/types.ts';
import { findAll, insertAll, rejection, temporaryStore } from './temporary-store.ts';

const held = temporaryStore();
const NS = 'app.sessions';
const NOW = new Date('2030-01-01T00:00:00Z');
const before = (seconds: number): Date => new Date(NOW.getTime() - seconds * 1000);

afterEach(() => void vi.useRealTimers());

const ids = (): unknown[] => findAll(held.store, NS, { sort: { _id: 1 } }).map((doc) => doc['_id']);
const expireAfter = (expireAfterSeconds: number, key: Document = { at: 1 }) =>
  held.store.write((txn) => txn.createIndexes(NS, [{ key, expireAfterSeconds }]));

describe('expired documents', () => {
  it.each<[string, Document]>([
    ['ascending', { at: 1 }],
    ['descending', { at: -1 }],
  ])('go with their index entries (%s index)', async (_name, key) => {
    await expireAfter(60, key);
    await insertAll(held.store, NS, [
      { _id: 1, at: before(61) },
      { _id: 2, at: before(59) },
      { _id: 3, at: before(3600) },
    ]);
    expect(await held.store.sweepTtl(NOW)).toBe(2);
    expect(ids()).toEqual([2]);
    expect((await held.store.verify()).problems).toEqual([]);
  });

  it('are only those with a date', async () => {
    await expireAfter(0);
    await insertAll(held.store, NS, [
      { _id: 1, at: 5 },
      { _id: 2, at: 'old' },
      { _id: 3 },
      { _id: 4, at: null },
      { _id: 5, at: before(1) },
    ]);
    await held.store.sweepTtl(NOW);
    expect(ids()).toEqual([1, 2, 3, 4]);
  });

  it('are removed in any number', async () => {
    await expireAfter(1);
    await insertAll(
      held.store,
      NS,
      Array.from({ length: 1100 }, (_, i) => ({ _id: i, at: before(5) })),
    );
    expect(await held.store.sweepTtl(NOW)).toBe(1100);
    expect(ids()).toEqual([]);
  });

  it('are removed once when two stores sweep the same directory', async () => {
    await expireAfter(1);
    await insertAll(
      held.store,
      NS,
      Array.from({ length: 300 }, (_, i) => ({ _id: i, at: before(5) })),
    );
    const other = await openStore({ dir: held.dir });
    const removed = await Promise.all([held.store.sweepTtl(NOW), other.sweepTtl(NOW)]);
    expect(removed[0] + removed[1]).toBe(300);
    await other.close();
    expect((await held.store.verify()).problems).toEqual([]);
  });

  it('are removed by the timer until it is stopped', async () => {
    await expireAfter(0);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const stop = held.store.startTtl(1000);
    await insertAll(held.store, NS, [{ _id: 1, at: before(1e9) }]);
    vi.advanceTimersByTime(999);
    expect(await held.store.sweepTtl(new Date(0))).toBe(0);
    vi.advanceTimersByTime(1);
    // joins the sweep that the timer has begun
    expect(await held.store.sweepTtl(new Date(0))).toBe(1);
    stop();
    await insertAll(held.store, NS, [{ _id: 2, at: before(1e9) }]);
    vi.advanceTimersByTime(5000);
    expect(await held.store.sweepTtl(new Date(0))).toBe(0);
    expect(ids()).toEqual([2]);
  });

  it('are not determined by an index of several fields', async () => {
    expect((await rejection(expireAfter(1, { at: 1, b: 1 }))).code).toBe(67);
  });
});
