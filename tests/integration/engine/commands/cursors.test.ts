import { Long, type Document } from 'mongodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from '#tests/support/engine.ts';
import { useItems, type Item } from './items.ts';

const given = useItems();
const COUNT = 3000;

beforeEach(async () => {
  await given.items.deleteMany({});
  await given.items.insertMany(
    Array.from({ length: COUNT }, (_, n) => ({ _id: n, x: n, text: 'x'.repeat(500) })),
  );
});

describe('a cursor', () => {
  it('reads one state, regardless of later writes', async () => {
    const cursor = given.items.find({}, { batchSize: 100 }).sort({ _id: 1 });
    const seen: Item[] = [];
    for await (const item of cursor) {
      seen.push(item);
      if (seen.length === 50) {
        await given.items.updateMany({}, { $set: { x: -1 } });
        await given.items.deleteMany({ _id: { $gte: 1000 } });
        await given.items.insertOne({ _id: 9999, x: 1 });
      }
    }
    expect(seen.map(({ x }) => x)).toEqual(Array.from({ length: COUNT }, (_, n) => n));
    expect(await given.items.countDocuments()).toBe(1001);
  });

  it('is gone once killed', async () => {
    const db = given.items.db;
    const { cursor } = await db.command({ find: 'items', batchSize: 1 });
    const id = (cursor as Document)['id'] as Long;
    expect(await db.command({ killCursors: 'items', cursors: [id, Long.fromNumber(5)] })).toMatchObject({
      cursorsKilled: [id],
      cursorsNotFound: [5],
    });
    expect(await failureOf(db.command({ getMore: id, collection: 'items' }))).toMatchObject({
      code: 43,
      codeName: 'CursorNotFound',
    });
  });

  it('ends with its session', async () => {
    const session = given.engine.client.startSession();
    const cursor = given.items.find({}, { session, batchSize: 10 });
    await cursor.next();
    await given.engine.client.db('admin').command({ endSessions: [session.id] });
    await expect(cursor.toArray()).rejects.toMatchObject({ code: 43 });
    await session.endSession();
  });

  it('belongs to its collection', async () => {
    const db = given.items.db;
    const { cursor } = await db.command({ find: 'items', batchSize: 1 });
    const id = (cursor as Document)['id'] as Long;
    expect(await failureOf(db.command({ getMore: id, collection: 'other' }))).toMatchObject({ code: 13 });
  });

  it('returns batches within the size of one reply', async () => {
    await given.items.insertMany(
      Array.from({ length: 40 }, (_, n) => ({ _id: 10_000 + n, text: 'y'.repeat(1_000_000) })),
    );
    const big = await given.items.find({ _id: { $gte: 10_000 } }, { batchSize: 1000 }).toArray();
    expect(big.map(({ text }) => text?.length)).toEqual(Array.from({ length: 40 }, () => 1_000_000));
  });

  it('works for aggregations and index lists too', async () => {
    const sums = await given.items
      .aggregate([{ $match: { x: { $gte: 10 } } }, { $group: { _id: '$x', n: { $sum: 1 } } }], {
        batchSize: 7,
      })
      .toArray();
    expect(sums).toHaveLength(COUNT - 10);
    for (const field of ['a', 'b', 'c']) await given.items.createIndex({ [field]: 1 });
    const indexes = await given.items.listIndexes({ batchSize: 2 } as never).toArray();
    expect(indexes.map(({ name }) => name as string)).toEqual(['_id_', 'a_1', 'b_1', 'c_1']);
  });
});
