import type { ClientSession, MongoClient } from 'mongodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from '#tests/support/engine.ts';
import { useItems } from './items.ts';

const given = useItems();
let client: MongoClient;

beforeEach(() => {
  client = given.engine.client;
});

/** Runs `work` in a session with a transaction begun. */
async function begun<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
  const session = client.startSession();
  session.startTransaction();
  try {
    return await work(session);
  } finally {
    await session.endSession();
  }
}

const ids = async () => (await given.items.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);

describe('a transaction', () => {
  it('shows its writes to itself at once and to others after the commit', async () => {
    await begun(async (session) => {
      await given.items.insertOne({ _id: 6, x: 66 }, { session });
      await given.items.updateOne({ _id: 1 }, { $set: { x: 0 } }, { session });
      await given.items.deleteOne({ _id: 2 }, { session });
      const inside = await given.items.find({}, { session }).sort({ x: -1 }).toArray();
      expect(inside.map(({ _id }) => _id)).toEqual([6, 5, 4, 3, 1]);
      expect(await given.items.countDocuments({}, { session })).toBe(5);
      expect(await ids()).toEqual([1, 2, 3, 4, 5]);
      await session.commitTransaction();
    });
    expect(await ids()).toEqual([1, 3, 4, 5, 6]);
    expect(await given.items.findOne({ _id: 1 })).toEqual({ _id: 1, x: 0 });
  });

  it('leaves nothing behind when aborted', async () => {
    await begun(async (session) => {
      await given.items.insertMany([{ _id: 6 }, { _id: 7 }], { session });
      await given.items.deleteMany({ x: { $gt: 11 } }, { session });
      await session.abortTransaction();
    });
    expect(await ids()).toEqual([1, 2, 3, 4, 5]);
  });

  it('reads one state from its first read on', async () => {
    await begun(async (session) => {
      expect(await given.items.countDocuments({}, { session })).toBe(5);
      await given.items.insertOne({ _id: 6 });
      await given.items.updateOne({ _id: 1 }, { $set: { x: 0 } });
      expect(await given.items.countDocuments({}, { session })).toBe(5);
      expect(await given.items.findOne({ _id: 1 }, { session })).toEqual({ _id: 1, x: 11 });
      await session.commitTransaction();
    });
    expect(await given.items.countDocuments()).toBe(6);
  });

  it('fails when another one changed what it changes, and says that trying again may help', async () => {
    const error = await begun(async (session) => {
      await given.items.findOne({ _id: 1 }, { session });
      await given.items.updateOne({ _id: 1 }, { $inc: { x: 1 } });
      return failureOf(
        given.items
          .updateOne({ _id: 1 }, { $inc: { x: 1 } }, { session })
          .then(() => session.commitTransaction()),
      );
    });
    expect(error).toMatchObject({ code: 112, codeName: 'WriteConflict' });
    expect(
      (error as unknown as { hasErrorLabel(label: string): boolean }).hasErrorLabel(
        'TransientTransactionError',
      ),
    ).toBe(true);
    expect(await given.items.findOne({ _id: 1 })).toEqual({ _id: 1, x: 12 });
  });

  it('loses no update when withTransaction tries again', async () => {
    const add = () =>
      client.withSession((session) =>
        session.withTransaction(async () => {
          const found = await given.items.findOne({ _id: 1 }, { session });
          await given.items.updateOne({ _id: 1 }, { $set: { x: (found?.x ?? 0) + 1 } }, { session });
        }),
      );
    await Promise.all(Array.from({ length: 12 }, add));
    expect(await given.items.findOne({ _id: 1 })).toEqual({ _id: 1, x: 23 });
  });

  it('holds unique indexes at its commit', async () => {
    await given.items.createIndex({ key: 1 }, { unique: true, sparse: true });
    const error = await begun(async (session) => {
      await given.items.insertOne({ _id: 6, key: 'a' }, { session });
      await given.items.insertOne({ _id: 7, key: 'a' });
      return failureOf(session.commitTransaction());
    });
    expect([112, 11000]).toContain(error['code']);
    expect(await ids()).toEqual([1, 2, 3, 4, 5, 7]);
  });

  it('ends with its first failed statement', async () => {
    await begun(async (session) => {
      await given.items.insertOne({ _id: 6 }, { session });
      expect(await failureOf(given.items.insertOne({ _id: 1 }, { session }))).toMatchObject({ code: 11000 });
      const error = await failureOf(given.items.insertOne({ _id: 7 }, { session }));
      expect(error).toMatchObject({ code: 251, codeName: 'NoSuchTransaction' });
    });
    expect(await ids()).toEqual([1, 2, 3, 4, 5]);
  });

  it('may be committed twice, as after a lost connection', async () => {
    await begun(async (session) => {
      await given.items.insertOne({ _id: 6 }, { session });
      await session.commitTransaction();
      await session.commitTransaction();
    });
    expect(await ids()).toContain(6);
  });

  it('spans collections and makes those that are missing', async () => {
    const other = given.items.db.collection<{ _id: number }>('other');
    await begun(async (session) => {
      await other.insertOne({ _id: 1 }, { session });
      await given.items.deleteOne({ _id: 1 }, { session });
      expect(await other.countDocuments()).toBe(0);
      await session.commitTransaction();
    });
    expect([await other.countDocuments(), await given.items.countDocuments()]).toEqual([1, 4]);
  });

  it('takes findAndModify, bulk writes, distinct and aggregation', async () => {
    await begun(async (session) => {
      expect(await given.items.findOneAndUpdate({ _id: 1 }, { $set: { x: 1 } }, { session })).toEqual({
        _id: 1,
        x: 11,
      });
      await given.items.bulkWrite(
        [{ insertOne: { document: { _id: 6, x: 1 } } }, { deleteOne: { filter: { _id: 5 } } }],
        { session },
      );
      expect(await given.items.distinct('x', {}, { session })).toEqual([1, 22, 33, 44]);
      const [sum] = await given.items
        .aggregate([{ $group: { _id: null, x: { $sum: '$x' } } }], { session })
        .toArray();
      expect(sum).toEqual({ _id: null, x: 101 });
      await session.commitTransaction();
    });
    expect(await given.items.countDocuments({ x: 1 })).toBe(2);
  });

  it('ends its cursors with it', async () => {
    await begun(async (session) => {
      const cursor = given.items.find({}, { session, batchSize: 2 });
      await cursor.next();
      await session.abortTransaction();
      const rest = await failureOf(cursor.toArray().then(() => cursor.toArray()));
      expect(rest).toBeInstanceOf(Error);
    });
  });

  it.each([
    ['count', (session: ClientSession) => given.items.db.command({ count: 'items' }, { session })],
    ['drop', (session: ClientSession) => given.items.db.command({ drop: 'items' }, { session })],
    [
      'listCollections',
      (session: ClientSession) => given.items.db.listCollections({}, { session } as never).toArray(),
    ],
  ])('refuses %s', async (_name, run) => {
    expect(await begun((session) => failureOf(run(session)))).toMatchObject({ code: 263 });
  });
});
