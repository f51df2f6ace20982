import type { Collection, Document } from 'mongodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { failureOf, useEngine } from '#tests/support/engine.ts';

const engine = useEngine();
let items: Collection<Document & { _id: number }>;

beforeEach(() => {
  items = engine.db().collection('items');
});

/** The plan's stages from the outermost in, and the index at its bottom. */
function stagesOf(explained: Document): { stages: string[]; index: string | undefined } {
  const stages: string[] = [];
  let plan = (explained['queryPlanner'] as Document)['winningPlan'] as Document | undefined;
  let index: string | undefined;
  for (; plan; plan = plan['inputStage'] as Document | undefined) {
    stages.push(plan['stage'] as string);
    index = (plan['indexName'] as string | undefined) ?? index;
  }
  return { stages, index };
}

describe('indexes', () => {
  it('are created once, with the collection if it is missing', async () => {
    const create = { createIndexes: 'items', indexes: [{ key: { a: 1 }, name: 'a_1' }] };
    expect(await items.db.command(create)).toMatchObject({
      numIndexesBefore: 1,
      numIndexesAfter: 2,
      createdCollectionAutomatically: true,
    });
    expect(await items.db.command(create)).toMatchObject({
      numIndexesBefore: 2,
      numIndexesAfter: 2,
      note: 'all indexes already exist',
    });
  });

  it('are listed as requested', async () => {
    const expected = [
      { key: { a: 1, b: -1 }, name: 'ab', unique: true },
      { key: { c: 1 }, name: 'c' },
      { key: { d: 1 }, name: 'd', expireAfterSeconds: 3600 },
      { key: { f: 1 }, name: 'f', expireAfterSeconds: 0 },
    ] as const;
    await items.createIndexes(expected.map((index) => ({ ...index })));
    const listed = await items.listIndexes().toArray();
    expect(listed).toEqual([
      { v: 2, key: { _id: 1 }, name: '_id_' },
      ...expected.map((index) => ({ v: 2, ...index })),
    ]);
  });

  it('conflict when name or key is already in use', async () => {
    await items.createIndex({ a: 1 }, { name: 'mine' });
    expect(await failureOf(items.createIndex({ b: 1 }, { name: 'mine' }))).toMatchObject({ code: 86 });
    expect(await failureOf(items.createIndex({ a: 1 }, { name: 'other' }))).toMatchObject({ code: 85 });
    expect(await failureOf(items.createIndex({ a: 1 }, { name: 'mine', unique: true }))).toMatchObject({
      code: 86,
    });
  });

  it('are not created when existing documents violate them', async () => {
    await items.insertMany([
      { _id: 1, a: 1 },
      { _id: 2, a: 1 },
    ]);
    expect(await failureOf(items.createIndex({ a: 1 }, { unique: true }))).toMatchObject({ code: 11000 });
    expect(await items.indexes()).toHaveLength(1);
  });

  it('are dropped by name, by key and all at once', async () => {
    await items.createIndexes([{ key: { a: 1 } }, { key: { b: 1 } }, { key: { c: 1 } }, { key: { d: 1 } }]);
    await items.dropIndex('a_1');
    expect(await items.db.command({ dropIndexes: 'items', index: { b: 1 } })).toMatchObject({
      nIndexesWas: 4,
    });
    expect(await failureOf(items.dropIndex('none'))).toMatchObject({ code: 27, codeName: 'IndexNotFound' });
    expect(await failureOf(items.dropIndex('_id_'))).toMatchObject({ code: 72 });
    await items.dropIndexes();
    expect((await items.indexes()).map(({ name }) => name)).toEqual(['_id_']);
  });

  it.each([
    ['text', { a: 'text' }, {}, 67],
    ['places', { a: '2dsphere' }, {}, 67],
    ['hashes', { a: 'hashed' }, {}, 67],
    ['anything', { 'a.$**': 1 }, {}, 67],
    ['nothing', { a: 0 }, {}, 67],
    ['an unknown option', { a: 1 }, { wheels: 4 }, 197],
    ['some of the documents', { a: 1 }, { partialFilterExpression: { b: 1 } }, 197],
    ['nobody to use', { a: 1 }, { hidden: true }, 197],
    ['a flag that is a text', { a: 1 }, { unique: 'yes' }, 14],
  ])('cannot be made for %s', async (_name, key, options, code) => {
    const command = { createIndexes: 'items', indexes: [{ key, name: 'x', ...options }] };
    expect(await failureOf(items.db.command(command))).toMatchObject({ code });
  });

  it('are not listed for a missing collection', async () => {
    expect(await failureOf(items.db.command({ listIndexes: 'none' }))).toMatchObject({ code: 26 });
    expect(await failureOf(items.db.command({ dropIndexes: 'none', index: '*' }))).toMatchObject({
      code: 26,
    });
  });
});

describe('explain', () => {
  beforeEach(async () => {
    await items.insertMany(
      Array.from({ length: 200 }, (_, n) => ({ _id: n, user: n % 10, at: n, text: 'x' })),
    );
    await items.createIndex({ user: 1, at: -1 });
  });

  it('reports the index of a find, and what it examined', async () => {
    const explained = await items.find({ user: 3 }).sort({ at: -1 }).limit(5).explain('executionStats');
    expect(stagesOf(explained)).toEqual({ stages: ['IXSCAN'], index: 'user_1_at_-1' });
    expect(explained['executionStats']).toMatchObject({
      nReturned: 5,
      totalKeysExamined: 5,
      totalDocsExamined: 5,
    });
  });

  it('reports when no index is used', async () => {
    const explained = await items.find({ text: 'x' }).sort({ text: 1 }).explain('executionStats');
    expect(stagesOf(explained)).toEqual({ stages: ['SORT', 'COLLSCAN'], index: undefined });
    expect(explained['executionStats']).toMatchObject({ nReturned: 200, totalDocsExamined: 200 });
  });

  it('supports the read commands', async () => {
    const ns = 'items';
    const q = { user: 3, at: { $gt: 5 } };
    const commands: Document[] = [
      { find: ns, filter: q },
      { count: ns, query: q },
    ];
    for (const explain of commands) {
      const explained = await items.db.command({ explain, verbosity: 'queryPlanner' });
      expect([Object.keys(explain)[0], stagesOf(explained).index]).toEqual([
        Object.keys(explain)[0],
        'user_1_at_-1',
      ]);
    }
  });

  it('counts from the index alone', async () => {
    const explained = await items.db.command({
      explain: { count: 'items', query: { user: 3 } },
      verbosity: 'executionStats',
    });
    expect(explained['executionStats']).toMatchObject({ totalDocsExamined: 0 });
  });

  it('refuses unknown commands', async () => {
    expect(await failureOf(items.db.command({ explain: { drop: 'items' } }))).toMatchObject({ code: 59 });
  });
});
