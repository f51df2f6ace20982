import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { atOnce, Budget, unpaused } from '#models/engine/budget.ts';
import { EngineError } from '#models/engine/errors.ts';
import { openStore, type Store } from '#models/engine/storage/index.ts';
import { findAll, insertAll, rejection, temporaryStore } from './temporary-store.ts';

const held = temporaryStore();
const NS = 'app.notes';
const SECRET = 'a text that nobody may find again';

/** Documents with an index, of which all but every tenth are removed again, as is a whole collection. */
async function fillAndDelete(store: Store, count = 2000): Promise<void> {
  await store.write((txn) => txn.createIndexes(NS, [{ key: { text: 1 } }]));
  await insertAll(
    store,
    NS,
    Array.from({ length: count }, (_, n) => ({ _id: n, text: `${n % 10 === 0 ? 'kept' : SECRET} ${n}` })),
  );
  await insertAll(store, 'app.dropped', [{ _id: 1, text: SECRET.repeat(500) }]);
  await store.write((txn) => {
    for (const found of [...txn.find(NS, { filter: { text: { $regex: SECRET } } })]) txn.remove(NS, found);
    txn.dropCollection('app.dropped');
  });
}

/** The files of the directory that contain a text. Read in one go, since closing one must not take SQLite's locks away. */
const filesWith = async (text: string): Promise<string[]> => {
  await held.store.close();
  const names = readdirSync(held.dir).filter((name) => readFileSync(join(held.dir, name)).includes(text));
  held.store = await openStore({ dir: held.dir });
  return names;
};

const ids = (store: Store): unknown[] => findAll(store, NS, { sort: { _id: 1 } }).map((doc) => doc['_id']);
const tens = (count = 2000) => Array.from({ length: count / 10 }, (_, n) => n * 10);
const logSize = () => statSync(join(held.dir, 'data.db-wal')).size;

describe('a compacted store', () => {
  it('is small, consistent and private, and none of its files contains deleted data', async () => {
    await fillAndDelete(held.store);
    expect(logSize()).toBeGreaterThan(0);
    const { before, after } = await held.store.compact();
    expect(after.fileBytes).toBeLessThan(before.fileBytes / 2);
    expect(after.freeBytes).toBe(0);
    expect(held.store.size()).toEqual(after);
    expect(statSync(join(held.dir, 'data.db')).size).toBe(after.fileBytes);
    expect(logSize()).toBe(0);
    const names = readdirSync(held.dir).sort();
    expect(names).toEqual(['data.db', 'data.db-shm', 'data.db-wal', 'data.lock']);
    for (const name of names) expect(statSync(join(held.dir, name)).mode & 0o777).toBe(0o600);
    expect(await filesWith(SECRET)).toEqual([]);
    expect(ids(held.store)).toEqual(tens());
    expect(await held.store.verify()).toMatchObject({ ok: true, documents: 200 });
  });

  it('can be compacted and reopened repeatedly without being mistaken for a copy', async () => {
    await fillAndDelete(held.store);
    for (let round = 1; round <= 3; round++) {
      await held.store.compact();
      await insertAll(held.store, NS, [{ _id: `after ${round}` }]);
    }
    await held.store.close();
    const log: string[] = [];
    held.store = await openStore({ dir: held.dir, onLog: (_level, message) => log.push(message) });
    expect(log).toEqual([]);
    expect(ids(held.store)).toEqual([...tens(), 'after 1', 'after 2', 'after 3']);
  });
});

describe('while a store is compacted', () => {
  it('others keep writing and reading, and lose nothing', async () => {
    await fillAndDelete(held.store);
    const other = await openStore({ dir: held.dir });
    const written: number[] = [];
    let isDone = false;
    const writing = (async () => {
      for (let n = 0; !isDone || n < 50; n++) {
        const store = n % 2 === 0 ? held.store : other;
        await store.write((txn) => {
          txn.insert(NS, { _id: 10_000 + n, text: 'new' });
          const kept = txn.findOne(NS, { filter: { _id: n * 10 } });
          if (kept) txn.replace(NS, kept, { _id: n * 10, text: 'changed' });
          const removed = txn.findOne(NS, { filter: { _id: 10_000 + n - 3 } });
          if (removed) txn.remove(NS, removed);
        });
        written.push(10_000 + n);
        expect(findAll(n % 2 === 0 ? other : held.store, NS, { filter: { _id: 10_000 + n } })).toHaveLength(
          1,
        );
      }
    })();
    await held.store.compact();
    await other.compact();
    isDone = true;
    await writing;
    for (const store of [held.store, other]) {
      expect(ids(store)).toEqual([...tens(), ...written.slice(-3)]);
      expect(findAll(store, NS, { filter: { text: 'changed' } })).toHaveLength(Math.min(200, written.length));
    }
    expect((await held.store.verify()).problems).toEqual([]);
    await other.close();
  });

  it('earlier snapshots keep their state, and the log is emptied once they are closed', async () => {
    await fillAndDelete(held.store);
    const other = await openStore({ dir: held.dir });
    const snapshot = other.snapshot();
    const cursor = snapshot.find(NS, { sort: { _id: 1 } });
    expect(cursor.next().value).toMatchObject({ recordId: 1 });
    const expected = { filter: { _id: { $in: [10, 20] }, text: { $regex: 'kept' } } };
    const choice = atOnce(snapshot.choose(NS, expected));

    let isDone = false;
    const compacting = held.store.compact().finally(() => (isDone = true));
    await insertAll(held.store, NS, [{ _id: 'later' }]);
    await held.store.write((txn) => {
      const changed = txn.findOne(NS, { filter: { _id: 20 } });
      if (changed) txn.replace(NS, changed, { _id: 20, text: 'won' });
    });
    expect([...cursor]).toHaveLength(199);
    expect(snapshot.count(NS, { filter: { _id: 'later' } })).toBe(0);
    expect(ids(other)).toContain('later');
    const changed = await other.write((txn) => {
      const found = [...unpaused(txn.recheck(NS, expected, choice))];
      for (const each of found) txn.replace(NS, each, { _id: 10, text: 'moved' });
      return found.length;
    });
    expect(changed).toBe(1);
    expect(findAll(held.store, NS, { filter: { text: { $in: ['moved', 'won'] } } })).toEqual([
      { _id: 10, text: 'moved' },
      { _id: 20, text: 'won' },
    ]);
    expect(isDone).toBe(false);
    snapshot.close();
    await compacting;
    await other.close();
    expect(await filesWith(SECRET)).toEqual([]);
    expect((await held.store.verify()).problems).toEqual([]);
  });

  it('earlier backups and checks keep seeing their own state', async () => {
    await fillAndDelete(held.store);
    const backup = held.store.backup()[Symbol.asyncIterator]();
    const first = await backup.next();
    const check = held.store.verify();
    const compacting = held.store.compact();
    await insertAll(held.store, NS, [{ _id: 'later' }]);
    const chunks = [first.value as Uint8Array];
    for (let step = await backup.next(); !step.done; step = await backup.next()) chunks.push(step.value);
    expect(await check).toMatchObject({ ok: true, documents: 200 });
    await compacting;
    const restored = await openStore({ dir: join(held.dir, 'restored') });
    await restored.restore(async function* () {
      yield Buffer.concat(chunks);
    });
    expect(ids(restored)).toEqual(tens());
    await restored.close();
    rmSync(join(held.dir, 'restored'), { recursive: true });
  });

  it('another compaction is refused', async () => {
    await fillAndDelete(held.store);
    const other = await openStore({ dir: held.dir });
    const [first, second] = await Promise.allSettled([held.store.compact(), other.compact()]);
    expect(first.status).toBe('fulfilled');
    expect(second).toMatchObject({
      status: 'rejected',
      reason: { code: 117, message: expect.stringContaining('is being compacted already') as string },
    });
    await other.compact();
    await other.close();
  });

  it.each([
    ['closing the store', () => held.store.close(), 91],
    [
      'a disconnecting client',
      (budget: Budget) => budget.end(new EngineError('ClientDisconnect', 'gone')),
      279,
    ],
  ])('%s ends the compaction, which can be repeated', async (_what, end, code) => {
    await fillAndDelete(held.store);
    const snapshot = held.store.snapshot();
    const budget = new Budget();
    const compacting = rejection(held.store.compact(budget));
    await end(budget);
    expect((await compacting).code).toBe(code);
    snapshot.close();
    await held.store.close();
    held.store = await openStore({ dir: held.dir });
    expect(ids(held.store)).toEqual(tens());
    await held.store.compact();
    expect(await filesWith(SECRET)).toEqual([]);
  });
});

describe('a file that is removed while in use', () => {
  it.each(['data.db', 'data.db-wal'])('(%s) is not written to any more', async (name) => {
    await fillAndDelete(held.store);
    const file = join(held.dir, name);
    renameSync(file, `${file}.elsewhere`);
    const lost = async () => (await rejection(insertAll(held.store, NS, [{ _id: 'lost' }]))).message;
    expect(await lost()).toContain('was removed or replaced');
    writeFileSync(file, '', { mode: 0o600 });
    expect(await lost()).toContain('was removed or replaced');
    renameSync(`${file}.elsewhere`, file);
    await insertAll(held.store, NS, [{ _id: 'found' }]);
    expect(ids(held.store)).toEqual([...tens(), 'found']);
  });
});
