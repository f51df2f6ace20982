import { Code, Decimal128, Double, Int32, Long, ObjectId, Timestamp } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { failureOf } from '#tests/support/engine.ts';
import { useItems, type Item } from './items.ts';

const given = useItems();

describe('insert', () => {
  it('returns the generated ids', async () => {
    const { insertedId } = await given.items.insertOne({ name: 'a' } as unknown as Item);
    expect(insertedId).toBeInstanceOf(ObjectId);
    expect(await given.items.findOne({ _id: insertedId })).toEqual({ _id: insertedId, name: 'a' });
  });

  it('stops at the first failure when ordered, and names it', async () => {
    const error = await failureOf(given.items.insertMany([{ _id: 6 }, { _id: 1 }, { _id: 7 }]));
    expect(error).toMatchObject({ code: 11000, insertedCount: 1 });
    expect(error.writeErrors).toMatchObject([{ index: 1, code: 11000 }]);
    expect(await given.items.countDocuments()).toBe(6);
  });

  it('goes on after failures when not ordered', async () => {
    const documents = [{ _id: 1 }, { _id: 6 }, { _id: 2 }, { _id: 7 }];
    const error = await failureOf(given.items.insertMany(documents, { ordered: false }));
    expect(error).toMatchObject({ insertedCount: 2 });
    expect(error.writeErrors).toMatchObject([{ index: 0 }, { index: 2 }]);
    expect(await given.items.countDocuments()).toBe(7);
  });

  it('reports a duplicate key like the server', async () => {
    const db = given.engine.db();
    await db.collection('users').createIndex({ email: 1 }, { unique: true });
    await db.collection('users').insertOne({ email: 'a' });
    const error = await failureOf(db.collection('users').insertOne({ email: 'a' }));
    expect(error.message).toBe(
      `E11000 duplicate key error collection: ${db.databaseName}.users index: email_1 dup key: { email: "a" }`,
    );
    expect(error).toMatchObject({ code: 11000, keyPattern: { email: 1 }, keyValue: { email: 'a' } });
  });

  it('keeps every type unchanged', async () => {
    const values = {
      int: new Int32(1),
      double: new Double(1),
      long: Long.fromString('9007199254740993'),
      date: new Date(0),
      text: 'é',
      none: null,
      list: [1, [2]],
      regex: /a/i,
    };
    await given.items.insertOne({ _id: 'types', ...values } as unknown as Item);
    const found = await given.items.findOne({ _id: 'types' }, { promoteValues: false, promoteLongs: false });
    expect(found).toMatchObject({
      int: new Int32(1),
      double: new Double(1),
      long: values.long,
    });
    expect(await given.items.findOne({ _id: 'types' })).toMatchObject({
      date: new Date(0),
      text: 'é',
      none: null,
      list: [1, [2]],
    });
  });

  it.each([
    ['Decimal128', Decimal128.fromString('1.10')],
    ['JavaScript code', new Code('x')],
  ])('refuses the type %s by its name, and keeps the connection', async (name, value) => {
    const sent = { _id: 'types', value } as unknown as Item;
    const refusal = {
      code: 115,
      message: `the BSON type ${name} is not supported by the embedded engine`,
    };
    expect(await failureOf(given.items.insertOne(sent))).toMatchObject(refusal);
    expect(await failureOf(given.items.findOne({ value } as never))).toMatchObject(refusal);
    expect(await given.items.countDocuments({ _id: 'types' })).toBe(0);
  });

  it('fills in an empty timestamp', async () => {
    await given.items.insertOne({ _id: 'ts', at: new Timestamp(0n) });
    const found = await given.items.findOne({ _id: 'ts' });
    expect(found?.at?.getHighBits()).toBeGreaterThan(1_600_000_000);
  });

  it.each([[['a']], [/a/]])('refuses %s as an _id', async (_id) => {
    expect(await failureOf(given.items.insertOne({ _id } as unknown as Item))).toMatchObject({ code: 2 });
  });

  it('refuses a document over 16 MiB and keeps the connection', async () => {
    const error = await failureOf(given.items.insertOne({ _id: 6, text: 'x'.repeat(16 * 1024 * 1024) }));
    expect(error.message).toMatch(/too large|size/i);
    expect(await given.items.countDocuments()).toBe(5);
  });

  it('accepts a batch larger than one slice', async () => {
    const many = Array.from({ length: 20_000 }, (_, n) => ({ _id: 1000 + n, x: n }));
    expect((await given.items.insertMany(many)).insertedCount).toBe(20_000);
    expect(await given.items.countDocuments()).toBe(20_005);
  });

  it('is carried out without a reply when none is expected', async () => {
    const quiet = given.items.db.collection<Item>('items', { writeConcern: { w: 0 } });
    expect(await quiet.insertOne({ _id: 6 })).toMatchObject({ acknowledged: false });
    await expect.poll(() => given.items.countDocuments()).toBe(6);
  });
});
