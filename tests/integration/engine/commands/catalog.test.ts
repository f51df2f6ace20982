import type { Db } from 'mongodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { failureOf, useEngine } from '#tests/support/engine.ts';

const engine = useEngine();
let db: Db;

beforeEach(() => {
  db = engine.db();
});

const names = async () =>
  (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);

describe('databases', () => {
  it('exist once they contain something, and are listed with sizes', async () => {
    await db.collection('items').insertMany([{ a: 1 }, { a: 2 }]);
    const { databases, totalSize } = await engine.client.db().admin().listDatabases();
    const mine = databases.find(({ name }) => name === db.databaseName);
    expect(mine).toMatchObject({ empty: false });
    expect(mine?.sizeOnDisk).toBeGreaterThan(0);
    expect(totalSize).toBeGreaterThanOrEqual(mine?.sizeOnDisk ?? Number.NaN);
  });

  it('are listed by name only and by a filter', async () => {
    await db.createCollection('a');
    const { databases } = await engine.client
      .db()
      .admin()
      .listDatabases({ nameOnly: true, filter: { name: db.databaseName } });
    expect(databases).toEqual([{ name: db.databaseName }]);
  });

  it('are dropped whole', async () => {
    await db.createCollection('a');
    await db.createCollection('b');
    expect(await db.dropDatabase()).toBe(true);
    expect(await names()).toEqual([]);
    expect(await db.dropDatabase()).toBe(true);
  });
});

describe('collections', () => {
  it('are listed with their options and identity', async () => {
    const collation = { locale: 'simple' };
    await db.createCollection('b', { collation });
    await db.createCollection('a');
    const [a, b] = await db.listCollections().toArray();
    expect(a).toMatchObject({ name: 'a', type: 'collection', options: {}, info: { readOnly: false } });
    expect(b).toMatchObject({ name: 'b', options: { collation } });
    expect(a).toMatchObject({ idIndex: { v: 2, key: { _id: 1 }, name: '_id_' } });
    expect(await db.listCollections({ name: 'b' }, { nameOnly: true }).toArray()).toEqual([
      { name: 'b', type: 'collection' },
    ]);
  });

  it('may be created again with the same options and not with others', async () => {
    await db.createCollection('a');
    await db.createCollection('a');
    expect(await failureOf(db.createCollection('a', { collation: { locale: 'simple' } }))).toMatchObject({
      code: 48,
      codeName: 'NamespaceExists',
    });
  });

  it('are dropped with their indexes, and dropping missing ones succeeds', async () => {
    await db.collection('a').createIndex({ n: 1 });
    expect(await db.command({ drop: 'a' })).toMatchObject({ nIndexesWas: 2, ns: `${db.databaseName}.a` });
    expect(await db.command({ drop: 'a' })).toMatchObject({ ok: 1 });
    await db.createCollection('a');
    expect(await db.collection('a').indexes()).toHaveLength(1);
  });

  it.each([
    ['capped ones', { capped: true, size: 1000 }],
    ['views', { viewOn: 'other', pipeline: [] }],
    ['time series', { timeseries: { timeField: 't' } }],
    ['clustered ones', { clusteredIndex: { key: { _id: 1 }, unique: true } }],
    ['ones with a validator', { validator: { n: 1 } }],
  ])('are not made where they would not work as asked: %s', async (_name, options) => {
    expect(await failureOf(db.createCollection('x', options))).toMatchObject({
      code: 40415,
      codeName: 'Location40415',
    });
    expect(await names()).toEqual([]);
  });

  it.each(['', 'a$b', '.a', 'a\0b', 'system.users', 'x'.repeat(250)])('cannot be named %j', async (name) => {
    expect(await failureOf(db.command({ create: name }))).toMatchObject({
      code: 73,
      codeName: 'InvalidNamespace',
    });
  });

  it('report their sizes', async () => {
    const items = db.collection('items');
    await items.createIndex({ n: 1 });
    await items.insertMany(Array.from({ length: 100 }, (_, n) => ({ n, text: 'x'.repeat(100) })));
    const stats = await db.command({ collStats: 'items' });
    expect(stats).toMatchObject({
      ns: `${db.databaseName}.items`,
      count: 100,
      nindexes: 2,
    });
    expect(stats['size']).toBeGreaterThan(10_000);
    expect(Object.keys(stats['indexSizes'] as object)).toEqual(['_id_', 'n_1']);
    expect(await db.stats()).toMatchObject({ db: db.databaseName, collections: 1, objects: 100, indexes: 2 });
    expect(await db.command({ dbStats: 1, scale: 1 })).toMatchObject({ dataSize: stats['size'] });
    expect(await failureOf(db.command({ dbStats: 1, scale: 1024 }))).toMatchObject({ code: 115 });
    expect(await db.command({ collStats: 'none' })).toMatchObject({ count: 0, size: 0 });
  });
});
