import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { atOnce, Budget, unpaused } from '#models/engine/budget.ts';
import { EngineError } from '#models/engine/errors.ts';
import { FORMAT_VERSION, openLmdb } from '#models/engine/storage/env/environment.ts';
import { decode } from '#models/engine/values/decode.ts';
import { ownKey } from '#models/engine/storage/keys/layout.ts';
import { openStore, type Store } from '#models/engine/storage/index.ts';
import { bundleStorage } from '../../../../bench/engine/bundle.mjs';
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

const filesWith = (text: string, dir = held.dir): string[] =>
  readdirSync(dir).filter((name) => readFileSync(join(dir, name)).includes(text));

const ids = (store: Store): unknown[] => findAll(store, NS, { sort: { _id: 1 } }).map((doc) => doc['_id']);
const tens = (count = 2000) => Array.from({ length: count / 10 }, (_, n) => n * 10);

describe('a compacted store', () => {
  it('is small, consistent and private, and none of its files contains deleted data', async () => {
    await fillAndDelete(held.store);
    expect(filesWith(SECRET)).toEqual(['data.mdb']);
    const { before, after } = await held.store.compact();
    expect(filesWith(SECRET)).toEqual([]);
    expect(after.fileBytes).toBeLessThan(before.fileBytes / 2);
    expect(after.freeBytes).toBeLessThan(after.fileBytes / 2);
    expect(held.store.size()).toEqual(after);
    expect(statSync(join(held.dir, 'data-1.mdb')).size).toBe(after.fileBytes);
    expect(ids(held.store)).toEqual(tens());
    expect(await held.store.verify()).toMatchObject({ ok: true, documents: 200 });
    expect(readdirSync(held.dir).sort()).toEqual(['data-1.mdb', 'data-1.mdb-lock', 'data.mdb']);
    for (const name of readdirSync(held.dir)) expect(statSync(join(held.dir, name)).mode & 0o777).toBe(0o600);
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

  it('leaves an empty file under each earlier name, and removes it once nobody can be opening it', async () => {
    for (let round = 1; round <= 3; round++) await held.store.compact();
    const earlier = ['data-1.mdb', 'data-2.mdb'].map((name) => join(held.dir, name));
    const current = ['data-3.mdb', 'data-3.mdb-lock', 'data.mdb'];
    expect(readdirSync(held.dir).sort()).toEqual(['data-1.mdb', 'data-2.mdb', ...current]);
    expect(earlier.map((file) => statSync(file).size)).toEqual([0, 0]);
    // What a process that is killed meanwhile leaves.
    const left = join(held.dir, 'moved-left.tmp');
    writeFileSync(left, '', { mode: 0o600 });
    await held.store.close();
    held.store = await openStore({ dir: held.dir });
    await vi.waitFor(() => expect(readdirSync(held.dir)).toHaveLength(6));
    const longAgo = new Date(Date.now() - 2 * 60 * 60_000);
    for (const file of [...earlier, left]) utimesSync(file, longAgo, longAgo);
    await held.store.close();
    held.store = await openStore({ dir: held.dir });
    await vi.waitFor(() => expect(readdirSync(held.dir).sort()).toEqual(current));
  });

  it('leaves a first file that says where the data is, and that earlier versions refuse', async () => {
    await held.store.compact();
    expect(readFileSync(join(held.dir, 'data.mdb'), 'latin1')).toContain('data-N.mdb');
    // A program that looked for its file a moment before opens this one; it must get an answer, and go on looking.
    const db = openLmdb({ path: held.dir, noSubdir: false });
    expect([...db.getKeys()]).toEqual([ownKey('format')]);
    expect(decode(db.get(ownKey('format')) as Buffer)).toMatchObject({ version: FORMAT_VERSION + 1 });
    await db.close();
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

  it('earlier snapshots and cursors survive the swap, and the documents they chose can be changed after it', async () => {
    await fillAndDelete(held.store);
    const other = await openStore({ dir: held.dir });
    const snapshot = other.snapshot();
    const cursor = snapshot.find(NS, { sort: { _id: 1 } });
    expect(cursor.next().value).toMatchObject({ recordId: 1 });
    const wanted = { filter: { _id: { $in: [10, 20] }, text: { $regex: 'kept' } } };
    const choice = atOnce(snapshot.choose(NS, wanted));

    await held.store.compact();
    await insertAll(held.store, NS, [{ _id: 'later' }]);
    await held.store.write((txn) => {
      const changed = txn.findOne(NS, { filter: { _id: 20 } });
      if (changed) txn.replace(NS, changed, { _id: 20, text: 'won' });
    });
    expect([...cursor]).toHaveLength(199);
    expect(snapshot.count(NS, { filter: { _id: 'later' } })).toBe(0);
    expect(ids(other)).toContain('later');
    const changed = await other.write((txn) => {
      const found = [...unpaused(txn.recheck(NS, wanted, choice))];
      for (const each of found) txn.replace(NS, each, { _id: 10, text: 'moved' });
      return found.length;
    });
    expect(changed).toBe(1);
    expect(findAll(held.store, NS, { filter: { text: { $in: ['moved', 'won'] } } })).toEqual([
      { _id: 10, text: 'moved' },
      { _id: 20, text: 'won' },
    ]);
    snapshot.close();
    await other.close();
    expect((await held.store.verify()).problems).toEqual([]);
  });

  it('earlier backups and checks keep seeing their own state', async () => {
    await fillAndDelete(held.store);
    const backup = held.store.backup()[Symbol.asyncIterator]();
    const first = await backup.next();
    const check = held.store.verify();
    await held.store.compact();
    const chunks = [first.value as Uint8Array];
    for (let step = await backup.next(); !step.done; step = await backup.next()) chunks.push(step.value);
    expect(await check).toMatchObject({ ok: true, documents: 200 });
    const restored = await openStore({ dir: join(held.dir, 'restored') });
    await restored.restore(async function* () {
      yield Buffer.concat(chunks);
    });
    expect(ids(restored)).toEqual(tens());
    await restored.close();
  });

  it('another compaction is refused, naming the compacting process', async () => {
    await fillAndDelete(held.store);
    const [first, second] = await Promise.allSettled([held.store.compact(), held.store.compact()]);
    expect(first.status).toBe('fulfilled');
    expect(second).toMatchObject({
      status: 'rejected',
      reason: {
        code: 117,
        message: expect.stringContaining(`Process ${process.pid} is compacting`) as string,
      },
    });
    await held.store.compact();
  });

  it('closing the store aborts the compaction, and changes nothing', async () => {
    await fillAndDelete(held.store, 20_000);
    const compacting = rejection(held.store.compact());
    await held.store.close();
    expect((await compacting).message).toContain('closing');
    expect(readdirSync(held.dir).sort()).toEqual(['data.mdb', 'lock.mdb']);
    held.store = await openStore({ dir: held.dir });
    expect(ids(held.store)).toHaveLength(2000);
  });

  it('a disconnecting client aborts the compaction, which can be repeated', async () => {
    await fillAndDelete(held.store, 20_000);
    const budget = new Budget();
    const compacting = rejection(held.store.compact(budget));
    budget.end(new EngineError('ClientDisconnect', 'gone'));
    expect((await compacting).code).toBe(279);
    expect(readdirSync(held.dir).sort()).toEqual(['data.mdb', 'lock.mdb']);
    await held.store.compact();
    expect(filesWith(SECRET)).toEqual([]);
  });
});

describe('a store written by an earlier version', () => {
  it('is not compacted in the first hour, because that version may still be running and would not notice', async () => {
    await fillAndDelete(held.store);
    await held.store.close();
    const db = openLmdb({ path: held.dir, noSubdir: false });
    await db.remove(ownKey('followed'));
    await db.close();
    held.store = await openStore({ dir: held.dir });
    expect(await rejection(held.store.compact())).toMatchObject({
      code: 117,
      message: expect.stringContaining('Try again in an hour') as string,
    });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61 * 60_000 });
    try {
      await held.store.compact();
    } finally {
      vi.useRealTimers();
    }
    expect(ids(held.store)).toEqual(tens());
  });
});

describe('the remains of a killed compaction', () => {
  const CHILD = fileURLToPath(new URL('./child.mjs', import.meta.url));

  /** Runs a compaction in another process, which is killed when it has come so far. */
  async function killedAt(stage: string): Promise<void> {
    const url = await bundleStorage('compact-test');
    const child = spawn(process.execPath, [CHILD, url, held.dir, 'compactAndDie', stage]);
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    expect([code, signal]).toEqual([null, 'SIGKILL']);
  }

  it('during its copy are removed when the store is opened next', async () => {
    await fillAndDelete(held.store);
    await held.store.close();
    await killedAt('copy');
    expect(readdirSync(held.dir).filter((name) => name.startsWith('compact-'))).not.toEqual([]);
    held.store = await openStore({ dir: held.dir });
    expect(readdirSync(held.dir).sort()).toEqual(['data.mdb', 'lock.mdb']);
    await insertAll(held.store, NS, [{ _id: 'later' }]);
    expect(ids(held.store)).toEqual([...tens(), 'later']);
    await held.store.compact();
    expect(filesWith(SECRET)).toEqual([]);
    expect((await held.store.verify()).problems).toEqual([]);
  });

  it('after the swap are the old file, to which nobody writes any more', async () => {
    await fillAndDelete(held.store);
    const snapshot = held.store.snapshot();
    await killedAt('swap');
    expect(readdirSync(held.dir)).toContain('data-1.mdb');
    expect(filesWith(SECRET)).toEqual(['data.mdb']);
    // This process has the old file open and was told nothing.
    await insertAll(held.store, NS, [{ _id: 'later' }]);
    expect(snapshot.count(NS, {})).toBe(200);
    expect(filesWith(SECRET)).toEqual([]);
    const other = await openStore({ dir: held.dir });
    expect(ids(other)).toEqual([...tens(), 'later']);
    await other.close();
    snapshot.close();
    await held.store.compact();
    expect(readdirSync(held.dir)).toContain('data-2.mdb');
    expect(ids(held.store)).toEqual([...tens(), 'later']);
  });
});

describe('a data file that is removed while in use', () => {
  it('is not replaced with an empty one: writes are refused with a message', async () => {
    await fillAndDelete(held.store);
    await held.store.compact();
    const file = join(held.dir, 'data-1.mdb');
    const bytes = readFileSync(file);
    mkdirSync(join(held.dir, 'elsewhere'));
    renameSync(file, join(held.dir, 'elsewhere', 'data-1.mdb'));
    expect((await rejection(insertAll(held.store, NS, [{ _id: 'lost' }]))).message).toContain(
      'was removed or replaced',
    );
    writeFileSync(file, bytes, { mode: 0o600 });
    expect((await rejection(insertAll(held.store, NS, [{ _id: 'lost' }]))).message).toContain(
      'was removed or replaced',
    );
    expect(ids(held.store)).toEqual(tens());
  });
});
