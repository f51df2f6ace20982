import type { Collection } from 'mongodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from '#tests/support/engine.ts';
import { useItems } from './items.ts';

const given = useItems();
interface Row {
  _id: number;
  x?: number;
  y?: unknown;
  word?: string;
}
let items: Collection<Row>;

beforeEach(() => {
  items = given.items as unknown as Collection<Row>;
});

const all = () => items.find().sort({ _id: 1 }).toArray();

describe('hints', () => {
  it.each(['_id_', { _id: 1 } as const])('are accepted by every command: %j', async (hint) => {
    expect(await items.find({ _id: { $gt: 4 } }, { hint }).toArray()).toEqual([{ _id: 5, x: 55 }]);
    expect(await items.countDocuments({ _id: { $gt: 1 } }, { hint })).toBe(4);
    expect(await items.aggregate([{ $match: { _id: 1 } }], { hint }).toArray()).toHaveLength(1);
    await items.updateOne({ _id: 2 }, { $inc: { x: 1 } }, { hint });
    await items.updateMany({ _id: { $gt: 1 } }, { $inc: { x: 1 } }, { hint });
    await items.replaceOne({ _id: 3 }, { x: 0 }, { hint });
    await items.findOneAndUpdate({ _id: 3 }, { $inc: { x: 1 } }, { hint: hint as object });
    await items.deleteOne({ _id: 1 }, { hint });
    await items.findOneAndDelete({ _id: 4 }, { hint: hint as object });
    expect(await all()).toEqual([
      { _id: 2, x: 24 },
      { _id: 3, x: 1 },
      { _id: 5, x: 56 },
    ]);
  });

  it('must name an existing index', async () => {
    const runs = [
      () => items.find({}, { hint: 'none' }).toArray(),
      () => items.updateOne({}, { $set: { x: 1 } }, { hint: 'none' }),
      () => items.deleteOne({}, { hint: { none: 1 } as never }),
      () => items.findOneAndUpdate({}, { $set: { x: 1 } }, { hint: { none: 1 } }),
    ];
    for (const run of runs) expect(await failureOf(run())).toMatchObject({ code: 2 });
  });
});

describe('collations', () => {
  it('other than simple are refused by every command that accepts one', async () => {
    const collation = { locale: 'en_US', strength: 2 };
    const calls = [
      items.find({ word: 'PING' }, { collation }).toArray(),
      items.countDocuments({ word: 'PING' }, { collation }),
      items.distinct('word', {}, { collation }),
      items.aggregate([{ $match: { word: 'PING' } }], { collation }).toArray(),
      items.updateMany({ word: 'PING' }, { $set: { y: 1 } }, { collation }),
      items.findOneAndUpdate({ word: 'PING' }, { $set: { y: 1 } }, { collation }),
      items.deleteMany({ word: 'PING' }, { collation }),
      items.createIndex({ word: 1 }, { collation }),
    ];
    const failures = await Promise.all(calls.map(failureOf));
    expect(failures.map(({ code }) => code)).toEqual(calls.map(() => 115));
    expect(await items.find({ word: 'PING' }, { collation: { locale: 'simple' } }).toArray()).toEqual([]);
  });
});

describe('comments', () => {
  it.each(['text', { key: 'value' }])('are accepted by every command: %j', async (comment) => {
    expect(await items.find({ _id: 1 }, { comment }).toArray()).toHaveLength(1);
    expect(await items.aggregate([{ $match: {} }], { comment, batchSize: 2 }).toArray()).toHaveLength(5);
    expect(await items.estimatedDocumentCount({ comment })).toBe(5);
    await items.insertOne({ _id: 6 }, { comment });
    await items.updateOne({ _id: 6 }, { $set: { x: 1 } }, { comment });
    await items.findOneAndReplace({ _id: 6 }, { x: 2 }, { comment });
    await items.bulkWrite([{ deleteOne: { filter: { _id: 6 } } }], { comment });
    expect(await items.countDocuments({}, { comment })).toBe(5);
  });
});

describe('names with dots and dollars', () => {
  it.each([{ $a: 1 }, { 'a.b': 1 }, { a: { $b: 1 } }, { a: { 'b.c': 1 } }, { a: { $db: 'foo' } }])(
    'are stored: %j',
    async (fields) => {
      await items.insertOne({ _id: 9, ...fields });
      expect(await items.findOne({ _id: 9 })).toEqual({ _id: 9, ...fields });
    },
  );

  it('are stored inside an _id only without a dollar', async () => {
    await items.insertOne({ _id: { 'a.b': 1 } as never });
    expect(await failureOf(items.insertOne({ _id: { $a: 1 } as never }))).toMatchObject({ code: 52 });
  });
});

describe('what MongoDB 7.0 lets pass', () => {
  it('are accepted: updates that change nothing, null as an _id', async () => {
    expect(await items.updateOne({ _id: 1 }, { $set: {} })).toMatchObject({
      matchedCount: 1,
      modifiedCount: 0,
    });
    await items.updateOne({ _id: null as never }, { $unset: { a: '' } }, { upsert: true });
    expect(await items.countDocuments({ _id: null as never })).toBe(1);
  });

  it('treats fields from 8.0 as unknown', async () => {
    const update = { $set: { x: 1 } };
    expect(await failureOf(items.updateOne({}, update, { sort: { _id: -1 } }))).toMatchObject({
      code: 40415,
    });
    expect(await failureOf(items.replaceOne({}, { x: 1 }, { sort: { _id: -1 } }))).toMatchObject({
      code: 40415,
    });
  });
});
