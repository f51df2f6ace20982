import { ObjectId } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { failureOf } from '#tests/support/engine.ts';
import { useItems } from './items.ts';

const given = useItems();

describe('update', () => {
  it('distinguishes matched from modified', async () => {
    expect(await given.items.updateOne({ _id: 1 }, { $set: { x: 11 } })).toMatchObject({
      matchedCount: 1,
      modifiedCount: 0,
    });
    expect(await given.items.updateMany({ _id: { $gt: 3 } }, { $inc: { x: 1 } })).toMatchObject({
      matchedCount: 2,
      modifiedCount: 2,
    });
    expect(await given.items.findOne({ _id: 5 })).toEqual({ _id: 5, x: 56 });
  });

  it('upserts, with fields that are only set on insert', async () => {
    const result = await given.items.updateOne(
      { _id: 9 },
      { $set: { x: 99 }, $setOnInsert: { made: true } },
      { upsert: true },
    );
    expect(result).toMatchObject({ matchedCount: 0, modifiedCount: 0, upsertedCount: 1, upsertedId: 9 });
    await given.items.updateOne(
      { _id: 9 },
      { $set: { x: 100 }, $setOnInsert: { made: false } },
      { upsert: true },
    );
    expect(await given.items.findOne({ _id: 9 })).toEqual({ _id: 9, x: 100, made: true });
  });

  it('generates an id for an upsert without one', async () => {
    const result = await given.items.updateOne({ x: 5 }, { $set: { y: 1 } }, { upsert: true });
    expect(result.upsertedId).toBeInstanceOf(ObjectId);
    expect(await given.items.findOne({ x: 5 })).toEqual({ _id: result.upsertedId, x: 5, y: 1 });
  });

  it('replaces', async () => {
    expect(await given.items.replaceOne({ _id: 1 }, { y: 1 })).toMatchObject({ modifiedCount: 1 });
    expect(await given.items.findOne({ _id: 1 })).toEqual({ _id: 1, y: 1 });
    expect(await given.items.replaceOne({ _id: 9 }, { y: 1 }, { upsert: true })).toMatchObject({
      upsertedId: 9,
    });
  });

  it('loses none of many concurrent increments', async () => {
    await Promise.all(
      Array.from({ length: 100 }, () => given.items.updateOne({ _id: 1 }, { $inc: { x: 1 } })),
    );
    expect(await given.items.findOne({ _id: 1 })).toEqual({ _id: 1, x: 111 });
  });

  it('undoes a statement that fails half way', async () => {
    for (const _id of [1, 2, 3, 4, 5]) await given.items.updateOne({ _id }, { $set: { y: -_id } });
    await given.items.createIndex({ y: 1 }, { unique: true });
    const error = await failureOf(given.items.updateMany({}, { $set: { y: 1 } }));
    expect(error).toMatchObject({ code: 11000 });
    expect(await given.items.countDocuments({ y: 1 })).toBe(0);
  });

  it.each([
    [{ $inc: { x: 'a' } }, 14],
    [{ $set: { _id: 7 } }, 66],
    [{ $set: { x: 1 }, $inc: { x: 1 } }, 40],
    [{ $bogus: { x: 1 } }, 9],
  ])('refuses %j', async (update, code) => {
    const error = await failureOf(given.items.updateOne({ _id: 1 }, update as never));
    expect(error).toMatchObject({ code });
  });
});

describe('delete', () => {
  it('removes one or all', async () => {
    expect(await given.items.deleteOne({ x: { $gt: 22 } })).toMatchObject({ deletedCount: 1 });
    expect(await given.items.deleteMany({ x: { $gt: 22 } })).toMatchObject({ deletedCount: 2 });
    expect((await given.items.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id)).toEqual([1, 2]);
  });
});

describe('findAndModify', () => {
  it('returns the document before or after the change', async () => {
    expect(await given.items.findOneAndUpdate({ _id: 1 }, { $inc: { x: 1 } })).toEqual({ _id: 1, x: 11 });
    const after = await given.items.findOneAndUpdate(
      { _id: 1 },
      { $inc: { x: 1 } },
      { returnDocument: 'after' },
    );
    expect(after).toEqual({ _id: 1, x: 13 });
  });

  it('changes the first document in the requested order, and returns only the requested fields', async () => {
    const options = { sort: { x: -1 }, projection: { x: 1, _id: 0 } } as const;
    expect(await given.items.findOneAndDelete({}, options)).toEqual({ x: 55 });
    expect(await given.items.findOneAndReplace({}, { y: 1 }, options)).toEqual({ x: 44 });
    expect(await given.items.findOne({ _id: 4 })).toEqual({ _id: 4, y: 1 });
  });

  it('returns null when nothing matches, and upserts on request', async () => {
    expect(await given.items.findOneAndUpdate({ _id: 9 }, { $set: { x: 1 } })).toBeNull();
    const upsert = { upsert: true, returnDocument: 'after' } as const;
    expect(await given.items.findOneAndUpdate({ _id: 9 }, { $set: { x: 1 } }, upsert)).toEqual({
      _id: 9,
      x: 1,
    });
    const raw = await given.items.findOneAndUpdate(
      { _id: 10 },
      { $set: { x: 1 } },
      { upsert: true, includeResultMetadata: true },
    );
    expect(raw).toMatchObject({
      value: null,
      lastErrorObject: { n: 1, updatedExisting: false, upserted: 10 },
    });
  });

  it('reports a duplicate key at the top', async () => {
    await given.items.createIndex({ x: 1 }, { unique: true });
    const error = await failureOf(given.items.findOneAndUpdate({ _id: 1 }, { $set: { x: 22 } }));
    expect(error).toMatchObject({ code: 11000, codeName: 'DuplicateKey', keyValue: { x: 22 } });
  });
});

describe('bulk writes', () => {
  it('run all kinds of operations in order', async () => {
    const result = await given.items.bulkWrite([
      { insertOne: { document: { _id: 6, x: 66 } } },
      { updateOne: { filter: { _id: 1 }, update: { $set: { x: 0 } } } },
      { updateMany: { filter: { x: { $gt: 50 } }, update: { $set: { big: true } } } },
      { replaceOne: { filter: { _id: 7 }, replacement: { x: 77 }, upsert: true } },
      { deleteOne: { filter: { _id: 2 } } },
      { deleteMany: { filter: { x: 0 } } },
    ]);
    expect(result).toMatchObject({
      insertedCount: 1,
      matchedCount: 3,
      modifiedCount: 3,
      upsertedCount: 1,
      deletedCount: 2,
    });
    expect(result.upsertedIds).toEqual({ 3: 7 });
    expect((await given.items.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id)).toEqual([
      3, 4, 5, 6, 7,
    ]);
  });

  it('continues after failures when not ordered', async () => {
    const operations = [{ insertOne: { document: { _id: 1 } } }, { insertOne: { document: { _id: 6 } } }];
    expect(await failureOf(given.items.bulkWrite(operations, { ordered: false }))).toMatchObject({
      code: 11000,
      insertedCount: 1,
    });
  });
});

describe('a hundred parallel inserts of the same key', () => {
  it('have one winner', async () => {
    await given.items.deleteMany({});
    await given.items.createIndex({ key: 1 }, { unique: true });
    const attempts = Array.from({ length: 100 }, (_, n) =>
      given.items.insertOne({ _id: `race${n}`, key: 'same' }),
    );
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await given.items.countDocuments({ key: 'same' })).toBe(1);
  });
});
