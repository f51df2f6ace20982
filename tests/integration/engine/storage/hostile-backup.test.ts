import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ARCHIVE_VERSION, FrameWriter } from '#models/engine/storage/archive/format.ts';
import { openStore, type Store } from '#models/engine/storage/index.ts';
import { encode } from '#models/engine/values/encode.ts';
import type { Document } from '#models/engine/values/types.ts';
import { rejection } from './temporary-store.ts';

/** A backup that somebody made by hand: every checksum is right, what it holds is not. */
let dir: string;
let target: Store;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'hostile-'));
  target = await openStore({ dir });
});
afterEach(async () => {
  await target.close();
  rmSync(dir, { recursive: true, force: true });
});

interface Collection {
  ns?: unknown;
  options?: unknown;
  indexes?: unknown;
  documents?: readonly Uint8Array[];
}

const ID_INDEX = { v: 2, key: { _id: 1 }, name: '_id_' };
const GOOD: Collection = { ns: 'vialbook.users', documents: [encode({ _id: 'one', email: 'a@b.example' })] };

/** An archive of these collections with the checksums it should have. */
function archiveOf(...collections: readonly Collection[]): Buffer {
  const writer = new FrameWriter();
  const frames = [
    writer.record('H', { format: 'vialbook-archive', version: ARCHIVE_VERSION, created: new Date() }),
  ];
  let count = 0;
  for (const { ns, options = {}, indexes = [ID_INDEX], documents = [] } of collections) {
    frames.push(writer.record('C', { ns, options, indexes } as Document));
    const payload = Buffer.concat(documents);
    if (payload.length > 0) frames.push(writer.frame('D', payload));
    const sha256 = createHash('sha256').update(payload).digest('hex');
    frames.push(writer.record('E', { documents: documents.length, sha256 }));
    count += documents.length;
  }
  frames.push(writer.end({ collections: collections.length, documents: count }));
  return gzipSync(Buffer.concat(frames));
}

const restore = (archive: Buffer) =>
  target.restore(() =>
    (async function* () {
      yield await Promise.resolve(archive);
    })(),
  );

const namespaces = () =>
  target.read((view) => view.listDatabases().flatMap((db) => view.listCollections(db).map(({ ns }) => ns)));

/** A document inside a document, so many times. */
function nested(depth: number): Uint8Array {
  let bytes = Buffer.from([5, 0, 0, 0, 0]);
  for (let level = 0; level < depth; level += 1) {
    const size = Buffer.alloc(4);
    size.writeInt32LE(4 + 3 + bytes.length + 1);
    bytes = Buffer.concat([size, Buffer.from([3, 97, 0]), bytes, Buffer.from([0])]);
  }
  return bytes;
}

/** A document whose only field says that it is longer than the document. */
function overlong(): Uint8Array {
  const bytes = Buffer.from(encode({ _id: 'x', text: 'abc' }));
  const at = bytes.indexOf('text\0') + 5;
  bytes.writeInt32LE(0x7fffffff, at);
  return bytes;
}

it('restores a correct handmade backup, so that the ones below fail only because of their defects', async () => {
  await expect(restore(archiveOf(GOOD))).resolves.toMatchObject({ collections: 1, documents: 1 });
});

it.each<[string, Collection]>([
  ['without a name', { ns: undefined }],
  ['with a number for a name', { ns: 7 }],
  ['with an empty name', { ns: '' }],
  ['with a database alone', { ns: 'vialbook' }],
  ['with a NUL in its name', { ns: 'vialbook.us\0ers' }],
  ['with the name of a command', { ns: 'vialbook.$cmd' }],
  ['with a name that leads out of the folder', { ns: '../../etc.passwd' }],
  ['with indexes that are no list', { ns: 'vialbook.a', indexes: 'all' }],
  ['with an index on nothing', { ns: 'vialbook.a', indexes: [ID_INDEX, { v: 2, key: {}, name: 'none' }] }],
  [
    'with an index that runs code',
    {
      ns: 'vialbook.a',
      indexes: [
        ID_INDEX,
        { v: 2, key: { a: 1 }, name: 'a', partialFilterExpression: { $where: 'while(1);' } },
      ],
    },
  ],
  ['with a document that says it is longer than it is', { ns: 'vialbook.a', documents: [overlong()] }],
  ['with a document 20,000 levels deep', { ns: 'vialbook.a', documents: [nested(20_000)] }],
  ['with a document without an id', { ns: 'vialbook.a', documents: [encode({ email: 'a@b.example' })] }],
])('a backup with a collection %s is refused, and the store stays empty', async (_what, collection) => {
  const error = await rejection(restore(archiveOf(GOOD, collection)));
  expect(error.message).toMatch(/^The backup cannot be used: .*Nothing was restored\.$/s);
  expect(namespaces()).toEqual([]);
});

// What only writing finds out: the store is then as after a restore that broke off.
it('a backup with the same document twice is refused, and the store no longer opens', async () => {
  const twice = { ns: 'vialbook.a', documents: [encode({ _id: 'one' }), encode({ _id: 'one' })] };
  await rejection(restore(archiveOf(GOOD, twice)));
  const other = mkdtempSync(join(tmpdir(), 'hostile-'));
  await target.close();
  await rejection(openStore({ dir }));
  rmSync(dir, { recursive: true, force: true });
  dir = other;
  target = await openStore({ dir });
});

it('a backup that contains a collection twice is refused', async () => {
  await rejection(restore(archiveOf(GOOD, GOOD)));
  expect(namespaces()).toEqual([]);
});

it('a field named __proto__ is only a field', async () => {
  const bytes = Buffer.from(encode({ _id: 'one', proto____: { isAdmin: true } }));
  bytes.write('__proto__', bytes.indexOf('proto____'), 'latin1');
  await restore(archiveOf({ ns: 'vialbook.a', documents: [bytes] }));
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  expect(namespaces()).toEqual(['vialbook.a']);
});
