import type { Db, Document } from 'mongodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from '#tests/support/engine.ts';
import { useItems } from './items.ts';

const given = useItems();
let db: Db;

beforeEach(() => {
  db = given.items.db;
});

type Row = Document & { _id: number };
const stored = (name: string) => db.collection<Row>(name).find().sort({ _id: 1 }).toArray();

describe('a pipeline', () => {
  it('takes variables, whose values are expressions of their own', async () => {
    const pipeline = [
      { $match: { $expr: { $eq: ['$_id', '$$id'] } } },
      { $project: { _id: 0, x: '$$x', y: '$$y', sum: { $add: ['$x', '$$three'] } } },
    ];
    const variables = { id: 1, x: 'foo', y: { $literal: '$bar' }, three: { $add: [1, 2] } };
    expect(await given.items.aggregate(pipeline, { let: variables }).toArray()).toEqual([
      { x: 'foo', y: '$bar', sum: 14 },
    ]);
  });

  it('joins, unites and follows links within its database', async () => {
    await db.collection('other').insertMany([
      { item: 1, n: 1 },
      { item: 1, n: 2 },
      { item: 2, n: 3 },
    ]);
    const joined = await given.items
      .aggregate([
        { $match: { _id: { $lt: 3 } } },
        { $lookup: { from: 'other', localField: '_id', foreignField: 'item', as: 'others' } },
        { $project: { n: { $sum: '$others.n' } } },
      ])
      .toArray();
    expect(joined).toEqual([
      { _id: 1, n: 3 },
      { _id: 2, n: 3 },
    ]);
    const united = [
      { $unionWith: { coll: 'other', pipeline: [{ $match: { n: { $gt: 1 } } }] } },
      { $count: 'n' },
    ];
    expect(await given.items.aggregate(united).toArray()).toEqual([{ n: 7 }]);
  });

  it('counts as countDocuments and estimatedDocumentCount send it', async () => {
    const count = [{ $collStats: { count: {} } }, { $group: { _id: 1, n: { $sum: '$count' } } }];
    expect(await given.items.aggregate(count).toArray()).toEqual([{ _id: 1, n: 5 }]);
    expect(await failureOf(db.collection('none').aggregate(count).toArray())).toMatchObject({ code: 26 });
  });

  it('reads what is no collection', async () => {
    const admin = given.engine.client.db('admin');
    const sessions = [
      { $listLocalSessions: {} },
      { $limit: 1 },
      { $project: { _id: 0, x: { $literal: 1 } } },
    ];
    expect(await admin.aggregate(sessions).toArray()).toEqual([{ x: 1 }]);
    expect(await admin.aggregate([{ $currentOp: {} }, { $project: { _id: 0, op: 1 } }]).toArray()).toEqual([
      { op: 'command' },
    ]);
    expect(
      await db.aggregate([{ $documents: [{ a: 1 }, { a: 2 }] }, { $match: { a: 2 } }]).toArray(),
    ).toEqual([{ a: 2 }]);
    const indexes = await given.items.aggregate([{ $indexStats: {} }, { $project: { name: 1 } }]).toArray();
    expect(indexes).toEqual([{ name: '_id_' }]);
  });

  it.each([
    [[{ $out: 'a' }, { $match: {} }], 40601],
    [[{ $match: {}, $sort: {} }], 40323],
    [[{ $changeStream: {} }], 40573],
    [[{ $group: { _id: 1, x: { $accumulator: {} } } }], expect.any(Number)],
    [[{ $search: {} }], expect.any(Number)],
  ])('is refused where it would not work: %j', async (pipeline, code) => {
    expect(await failureOf(given.items.aggregate(pipeline).toArray())).toMatchObject({ code });
  });
});

describe('$out', () => {
  it('replaces what its target held, and keeps the indexes', async () => {
    const target = db.collection<Row>('target');
    await target.createIndex({ x: 1 }, { unique: true });
    await target.insertOne({ _id: 99, x: 99 });
    await given.items.aggregate([{ $match: { _id: { $gt: 3 } } }, { $out: 'target' }]).toArray();
    expect(await stored('target')).toEqual([
      { _id: 4, x: 44 },
      { _id: 5, x: 55 },
    ]);
    expect(await target.indexes()).toHaveLength(2);
  });

  it('leaves the target alone when it fails', async () => {
    await db.collection<Row>('target').createIndex({ x: 1 }, { unique: true });
    await db.collection<Row>('target').insertOne({ _id: 99, x: 99 });
    const clash = [{ $set: { x: 1 } }, { $out: 'target' }];
    expect(await failureOf(given.items.aggregate(clash).toArray())).toMatchObject({ code: 11000 });
    expect(await stored('target')).toEqual([{ _id: 99, x: 99 }]);
  });

  it('writes to another database, also when nothing is read', async () => {
    const coll = `${db.databaseName}_out`;
    await given.items.aggregate([{ $match: { _id: 9 } }, { $out: { db: 'elsewhere', coll } }]).toArray();
    const elsewhere = given.engine.client.db('elsewhere');
    expect((await elsewhere.listCollections().toArray()).map(({ name }) => name)).toContain(coll);
  });
});

describe('$merge', () => {
  const merge = (options: Document, ...stages: Document[]) =>
    given.items.aggregate([...stages, { $merge: { into: 'target', ...options } }]).toArray();

  beforeEach(() =>
    db.collection<Row>('target').insertMany([
      { _id: 1, y: 1 },
      { _id: 9, y: 9 },
    ]),
  );

  it('merges fields and inserts what is new', async () => {
    await merge({}, { $match: { _id: { $lt: 3 } } });
    expect(await stored('target')).toEqual([
      { _id: 1, y: 1, x: 11 },
      { _id: 2, x: 22 },
      { _id: 9, y: 9 },
    ]);
  });

  it('replaces, keeps, discards', async () => {
    await merge({ whenMatched: 'replace', whenNotMatched: 'discard' });
    expect(await stored('target')).toEqual([
      { _id: 1, x: 11 },
      { _id: 9, y: 9 },
    ]);
    await merge({ whenMatched: 'keepExisting', whenNotMatched: 'discard' }, { $set: { x: 0 } });
    expect(await stored('target')).toContainEqual({ _id: 1, x: 11 });
  });

  it('computes with both documents', async () => {
    await merge(
      {
        let: { twice: { $multiply: ['$x', 2] } },
        whenMatched: [{ $set: { sum: { $add: ['$y', '$$new.x'] }, twice: '$$twice' } }],
      },
      { $match: { _id: 1 } },
    );
    await merge(
      { let: { twice: { $multiply: ['$x', 2] } }, whenMatched: [{ $set: { twice: '$$twice' } }] },
      { $match: { _id: 1 } },
    );
    const [first] = await stored('target');
    expect(first).toMatchObject({ _id: 1, y: 1, twice: 22 });
  });

  it('matches by other fields that a unique index holds', async () => {
    const target = db.collection<Row>('target');
    expect(await failureOf(merge({ on: 'y' }, { $set: { y: '$_id' } }))).toMatchObject({ code: 51183 });
    await target.createIndex({ y: 1 }, { unique: true });
    await merge(
      { on: 'y', whenNotMatched: 'discard' },
      { $match: { _id: 3 } },
      { $project: { _id: 0, x: 1, y: { $literal: 9 } } },
    );
    expect(await target.findOne({ y: 9 })).toEqual({ _id: 9, y: 9, x: 33 });
  });

  it('fails as asked, with the key that clashes', async () => {
    const error = await failureOf(merge({ whenMatched: 'fail' }));
    expect(error).toMatchObject({ code: 11000, keyPattern: { _id: 1 }, keyValue: { _id: 1 } });
    expect(await failureOf(merge({ whenNotMatched: 'fail' }))).toMatchObject({ code: 13113 });
    expect(await stored('target')).toHaveLength(2);
  });

  it.each([
    [{ whenMatched: 'explode' }, 2],
    [{ whenNotMatched: 'explode' }, 2],
    [{ on: [] }, 51186],
    [{ wheels: 4 }, 40415],
  ])('refuses %j', async (options, code) => {
    expect(await failureOf(merge(options))).toMatchObject({ code });
  });
});
