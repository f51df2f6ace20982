import { Schema, type InferSchemaType, type Model } from 'mongoose';
import { beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from '#tests/support/engine.ts';
import { useMongoose } from './connected.ts';

const given = useMongoose();

const personSchema = new Schema(
  {
    email: { type: String, required: true, unique: true, lowercase: true },
    name: String,
    age: { type: Number, min: 0 },
    tags: [String],
    address: { city: String, zip: String },
    visits: [{ at: Date, pages: Number }],
    scores: { type: Map, of: Number },
    big: Schema.Types.BigInt,
    token: Schema.Types.UUID,
    photo: Buffer,
    anything: Schema.Types.Mixed,
  },
  { timestamps: true, optimisticConcurrency: true },
);
personSchema.virtual('label').get(function () {
  return `${this.name} <${this.email}>`;
});

type Person = InferSchemaType<typeof personSchema>;
let People: Model<Person>;

beforeEach(async () => {
  People = given.connection.model<Person>('Person', personSchema);
  await People.init();
});

const person = (n: number, more: object = {}) => ({
  email: `p${n}@example.org`,
  name: `P${n}`,
  age: n,
  ...more,
});

describe('a mongoose model', () => {
  it('creates its indexes and enforces them', async () => {
    expect(Object.keys(await People.collection.indexInformation())).toEqual(['_id_', 'email_1']);
    await People.create(person(1));
    expect(await failureOf(People.create(person(1)))).toMatchObject({
      code: 11000,
      keyPattern: { email: 1 },
    });
    await People.syncIndexes();
    expect(await People.diffIndexes()).toEqual({ toDrop: [], toCreate: [] });
  });

  it('saves, reads and compares every type', async () => {
    const made = await People.create(
      person(1, {
        tags: ['a', 'b'],
        address: { city: 'Bern' },
        visits: [{ at: new Date(5), pages: 2 }],
        scores: { maths: 1.5 },
        big: 9007199254740993n,
        token: '0a0b0c0d-0e0f-4a1b-8c1d-2e3f4a5b6c7d',
        photo: Buffer.from([1, 2, 3]),
        anything: { free: [1, { form: true }] },
      }),
    );
    const found = await People.findById(made._id).orFail();
    expect(found.toObject()).toEqual(made.toObject());
    expect(found.big).toBe(9007199254740993n);
    expect(found.get('label')).toBe('P1 <p1@example.org>');
  });

  it('saves only changed fields, atomically', async () => {
    const made = await People.create(person(1, { tags: ['a'], visits: [{ pages: 1 }] }));
    const other = await People.findById(made._id).orFail();
    await other.set({ age: 50 }).save();
    made.set({ name: 'New' });
    made.tags.push('b');
    made.visits[0]?.set('pages', 9);
    const error = await failureOf(made.save());
    expect(error.name).toBe('VersionError');
    const again = await People.findById(made._id).orFail();
    again.set('address.city', 'Basel');
    await again.save();
    expect((await People.findById(made._id).orFail()).toObject()).toMatchObject({
      age: 50,
      address: { city: 'Basel' },
    });
  });

  it('writes time stamps', async () => {
    const made = await People.create(person(1));
    expect(made.createdAt).toBeInstanceOf(Date);
    await People.updateOne({ _id: made._id }, { name: 'x' });
    const found = await People.findById(made._id).orFail();
    expect(found.createdAt).toEqual(made.createdAt);
    expect(found.updatedAt.getTime()).toBeGreaterThanOrEqual(made.updatedAt.getTime());
  });

  it('queries', async () => {
    await People.insertMany([1, 2, 3, 4, 5].map((n) => person(n, { tags: n % 2 ? ['odd'] : ['even', 'n'] })));
    const names = async (query: ReturnType<typeof People.find>) =>
      (await query.sort('age').lean()).map(({ name }) => name);
    expect(await names(People.find({ age: { $gte: 2, $lt: 5 } }))).toEqual(['P2', 'P3', 'P4']);
    expect(await names(People.find({ tags: 'odd' }).where('age').gt(1))).toEqual(['P3', 'P5']);
    expect(await names(People.find({ tags: { $size: 2 } }))).toEqual(['P2', 'P4']);
    expect(await names(People.find().or([{ name: /^p1$/i }, { age: 5 }]))).toEqual(['P1', 'P5']);
    expect(await People.findOne().sort({ age: -1 }).select('name -_id').lean()).toEqual({ name: 'P5' });
    expect(await People.countDocuments({ age: { $gt: 3 } })).toBe(2);
    expect(await People.estimatedDocumentCount()).toBe(5);
    expect(await People.exists({ name: 'P9' })).toBeNull();
    expect(await People.distinct('tags')).toEqual(['even', 'n', 'odd']);
    expect((await People.find().sort('-age').skip(1).limit(2)).map(({ age }) => age)).toEqual([4, 3]);
  });

  it('updates', async () => {
    await People.insertMany([1, 2, 3].map((n) => person(n, { visits: [{ pages: n }, { pages: 10 }] })));
    await People.updateMany(
      { age: { $gt: 1 } },
      { $inc: { age: 10 }, $push: { tags: { $each: ['x', 'y'], $slice: -1 } } },
    );
    expect((await People.find().sort('age').lean()).map(({ age, tags }) => [age, tags])).toEqual([
      [1, []],
      [12, ['y']],
      [13, ['y']],
    ]);
    await People.updateOne({ age: 1 }, { $set: { 'visits.0.pages': 0 } });
    expect((await People.findOne({ age: 1 }).orFail()).visits.map(({ pages }) => pages)).toEqual([0, 10]);
    const upserted = await People.findOneAndUpdate(
      { email: 'new@example.org' },
      { name: 'New' },
      { upsert: true, new: true },
    );
    expect(upserted).toMatchObject({ email: 'new@example.org', name: 'New' });
    expect(await People.findByIdAndDelete(upserted?._id)).toMatchObject({ name: 'New' });
    expect(await People.deleteMany({ age: { $gt: 5 } })).toMatchObject({ deletedCount: 2 });
  });

  it('bulk saves and bulk writes', async () => {
    const docs = [1, 2, 3].map((n) => new People(person(n)));
    await People.bulkSave(docs);
    docs.forEach((doc) => doc.set('age', (doc.age ?? 0) + 1));
    await People.bulkSave(docs);
    const result = await People.bulkWrite([
      { updateOne: { filter: { age: 2 }, update: { name: 'two' } } },
      { deleteOne: { filter: { age: 3 } } },
      { insertOne: { document: person(9) as Person } },
    ]);
    expect(result).toMatchObject({ modifiedCount: 1, deletedCount: 1, insertedCount: 1 });
    expect((await People.find().sort('age').lean()).map(({ name }) => name)).toEqual(['two', 'P3', 'P9']);
  });

  it('streams with a cursor', async () => {
    await People.insertMany(Array.from({ length: 500 }, (_, n) => person(n)));
    let sum = 0;
    for await (const one of People.find().sort('age').cursor({ batchSize: 50 })) sum += one.age ?? 0;
    expect(sum).toBe((499 * 500) / 2);
    const seen: number[] = [];
    await People.find({ age: { $lt: 20 } })
      .cursor()
      .eachAsync((one) => void seen.push(one.age ?? -1), { parallel: 4 });
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  it('runs its middleware around operations', async () => {
    const events: string[] = [];
    const schema = new Schema({ name: String });
    schema.pre('save', () => void events.push('pre save'));
    schema.post('save', () => void events.push('post save'));
    schema.pre('findOneAndUpdate', () => void events.push('pre update'));
    schema.post('deleteOne', { document: true, query: false }, () => void events.push('post delete'));
    const Things = given.connection.model('Thing', schema);
    const made = await Things.create({ name: 'a' });
    await Things.findOneAndUpdate({ _id: made._id }, { name: 'b' });
    await made.deleteOne();
    expect(events).toEqual(['pre save', 'post save', 'pre update', 'post delete']);
  });
});
