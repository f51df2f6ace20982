import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore, type Store } from '#models/engine/storage/index.ts';
import { Double, Long, type Document } from '#models/engine/values/types.ts';
import { findAll, insertAll, rejection, temporaryStore } from './temporary-store.ts';

const held = temporaryStore();
let dir: string;
let target: Store;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'restored-'));
  target = await openStore({ dir });
});

afterEach(async () => {
  await target.close();
  rmSync(dir, { recursive: true, force: true });
});

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Hands out the archive in pieces of odd sizes. */
const pieces = (archive: Buffer) =>
  async function* () {
    for (let at = 0; at < archive.length; at += 777)
      yield await Promise.resolve(archive.subarray(at, at + 777));
  };
const restore = (archive: Buffer) => target.restore(() => pieces(archive)());

/** Everything a store holds: collections with options and indexes, documents with their exact bytes. */
function contents(store: Store): Document[] {
  return store.read((view) =>
    view.listDatabases().flatMap((db) =>
      view.listCollections(db).map((coll) => {
        const hash = createHash('sha256');
        for (const found of view.find(coll.ns, {})) hash.update(found.bytes);
        return {
          ns: coll.ns,
          options: coll.options,
          indexes: coll.indexes.map((index) => ({ ...index, indexId: 0 })),
          count: view.count(coll.ns, {}),
          hash: hash.digest('hex'),
        };
      }),
    ),
  );
}

async function fill(): Promise<void> {
  await held.store.write((txn) => {
    txn.createCollection('app.empty', { validator: { a: 1 } });
    txn.createIndexes('app.users', [
      { key: { email: 1 }, unique: true },
      { key: { at: 1 }, expireAfterSeconds: 60 },
      { key: { text: -1 } },
    ]);
  });
  const docs = Array.from({ length: 3000 }, (_, i): Document => ({
    _id: i,
    email: `u${i}@x`,
    tags: i % 3 === 0 ? ['a', `t${i}`] : [],
    long: Long.fromNumber(i),
    double: new Double(i),
    text: 'x'.repeat(i % 500),
  }));
  await insertAll(held.store, 'app.users', docs);
  await insertAll(held.store, 'other.things', [{ _id: 'one', nested: { a: [{ b: null }] } }]);
}

describe('a backup', () => {
  it('restores to an equal database', async () => {
    await fill();
    const archive = await collect(held.store.backup());
    const summary = await restore(archive);
    expect(summary).toMatchObject({ collections: 3, documents: 3001 });
    expect(contents(target)).toEqual(contents(held.store));
    const report = await target.verify();
    expect(report).toMatchObject({ ok: true, collections: 3, documents: 3001 });
    await target.close();
    target = await openStore({ dir });
    expect(findAll(target, 'app.users', { filter: { email: 'u7@x' } })).toHaveLength(1);
  });

  it('of an empty store restores to an empty store', async () => {
    expect(await restore(await collect(held.store.backup()))).toEqual({
      collections: 0,
      documents: 0,
      bytes: 0,
    });
  });

  it('contains a single moment, regardless of later writes', async () => {
    await fill();
    const before = contents(held.store);
    const chunks: Uint8Array[] = [];
    let turn = 0;
    for await (const chunk of held.store.backup()) {
      chunks.push(chunk);
      await held.store.write((txn) => {
        txn.insert('app.users', { _id: `late ${turn}`, email: `late${turn}` });
        const first = txn.findOne('app.users', { filter: { _id: turn } });
        if (first) txn.remove('app.users', first);
      });
      turn += 1;
    }
    expect(turn).toBeGreaterThan(0);
    await restore(Buffer.concat(chunks));
    expect(contents(target)).toEqual(before);
  });

  it('that is abandoned half way releases its snapshot', async () => {
    await fill();
    for await (const _chunk of held.store.backup()) break;
    await insertAll(held.store, 'app.users', [{ _id: 'after', email: 'after' }]);
    expect(findAll(held.store, 'app.users', { filter: { _id: 'after' } })).toHaveLength(1);
  });
});

describe('a restore', () => {
  it('is refused completely when any byte of the archive is wrong', async () => {
    await fill();
    const archive = await collect(held.store.backup());
    for (const at of [
      12,
      Math.floor(archive.length / 3),
      Math.floor(archive.length / 2),
      archive.length - 5,
    ]) {
      const bad = Buffer.from(archive);
      bad[at] = (bad[at] as number) ^ 0x10;
      expect((await rejection(restore(bad))).message).toMatch(
        /^The backup cannot be used: .*Nothing was restored\.$/,
      );
      expect(contents(target)).toEqual([]);
    }
  });

  it('is refused completely when a byte changed before compression', async () => {
    await fill();
    const plain = gunzipSync(await collect(held.store.backup()));
    for (const at of [1, 30, Math.floor(plain.length / 4), Math.floor(plain.length / 2), plain.length - 40]) {
      const bad = Buffer.from(plain);
      bad[at] = (bad[at] as number) ^ 0x01;
      await expect(restore(gzipSync(bad))).rejects.toThrow();
      expect(contents(target)).toEqual([]);
    }
  });

  it('is refused completely when the archive is too short or too long', async () => {
    await fill();
    const archive = await collect(held.store.backup());
    const plain = gunzipSync(archive);
    const cases = [
      archive.subarray(0, archive.length >> 1),
      gzipSync(plain.subarray(0, plain.length - 200)),
      gzipSync(Buffer.concat([plain, plain.subarray(0, 90)])),
      gzipSync(Buffer.alloc(0)),
      Buffer.from('not an archive at all, just some text'),
    ];
    for (const bad of cases) {
      expect((await rejection(restore(bad))).message).toContain('Nothing was restored');
      expect(contents(target)).toEqual([]);
    }
  });

  it('is refused into a store that contains documents', async () => {
    await fill();
    const archive = await collect(held.store.backup());
    await insertAll(target, 'app.users', [{ _id: 1 }]);
    expect((await rejection(restore(archive))).message).toContain('app.users contains documents');
    expect(findAll(target, 'app.users')).toEqual([{ _id: 1 }]);
  });

  it('replaces empty collections', async () => {
    await fill();
    await target.write((txn) => txn.createIndexes('app.users', [{ key: { other: 1 } }]));
    await restore(await collect(held.store.backup()));
    expect(contents(target)).toEqual(contents(held.store));
  });

  it('that is interrupted after its check leaves a store that refuses to open', async () => {
    await fill();
    const archive = await collect(held.store.backup());
    let opened = 0;
    const open = () => pieces(++opened === 1 ? archive : archive.subarray(0, archive.length - 3000))();
    await expect(target.restore(open)).rejects.toThrow();
    await target.close();
    const error = await rejection(openStore({ dir }));
    expect(error.message).toContain('was interrupted');
    rmSync(dir, { recursive: true, force: true });
    target = await openStore({ dir });
  });
});
