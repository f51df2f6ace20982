import { mongo, Schema, type Connection } from 'mongoose';
import { beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from '#tests/support/engine.ts';
import { useMongoose } from './connected.ts';

const given = useMongoose();
let connection: Connection;

beforeEach(() => {
  connection = given.connection;
});

function library() {
  const authorSchema = new Schema({ name: String }, { toJSON: { virtuals: true } });
  authorSchema.virtual('books', { ref: 'Book', localField: '_id', foreignField: 'author' });
  const Author = connection.model('Author', authorSchema);
  const bookSchema = new Schema({
    title: String,
    author: { type: Schema.Types.ObjectId, ref: 'Author' },
    editors: [{ type: Schema.Types.ObjectId, ref: 'Author' }],
  });
  const Book = connection.model('Book', bookSchema);
  return { Author, Book };
}

describe('populate', () => {
  it('fetches one, many, and reverse references', async () => {
    const { Author, Book } = library();
    const [ann, bob] = await Author.create([{ name: 'Ann' }, { name: 'Bob' }]);
    await Book.insertMany([
      { title: 'One', author: ann?._id, editors: [bob?._id, ann?._id] },
      { title: 'Two', author: ann?._id },
    ]);
    const book = await Book.findOne({ title: 'One' })
      .populate('author')
      .populate({ path: 'editors', select: 'name -_id' })
      .lean();
    expect(book).toMatchObject({ author: { name: 'Ann' }, editors: [{ name: 'Bob' }, { name: 'Ann' }] });
    const author = await Author.findById(ann?._id)
      .populate({ path: 'books', options: { sort: { title: -1 } } })
      .orFail();
    expect((author.get('books') as { title: string }[]).map(({ title }) => title)).toEqual(['Two', 'One']);
    const counted = await Author.findById(bob?._id)
      .populate({ path: 'books', match: { title: 'One' } })
      .orFail();
    expect(counted.get('books')).toEqual([]);
  });
});

describe('discriminators', () => {
  it('share a collection but stay separate', async () => {
    const Event = connection.model('Event', new Schema({ at: Date }, { discriminatorKey: 'kind' }));
    const Click = Event.discriminator('Click', new Schema({ url: String }));
    const Login = Event.discriminator('Login', new Schema({ user: String }));
    await Click.create({ url: '/a' });
    await Login.create({ user: 'ann' });
    expect(await Event.countDocuments()).toBe(2);
    expect((await Click.find().lean()).map(({ url }) => url)).toEqual(['/a']);
    const [first] = await Event.find({ kind: 'Login' });
    expect(first).toBeInstanceOf(Login);
  });
});

describe('sessions', () => {
  it('support reads and writes of several models', async () => {
    const { Author, Book } = library();
    await connection.withSession(async (session) => {
      const [ann] = await Author.create([{ name: 'Ann' }], { session });
      await Book.create([{ title: 'One', author: ann?._id }], { session });
      expect(await Book.countDocuments().session(session)).toBe(1);
    });
  });

  it('have transactions, also where no session is named', async () => {
    const { Author, Book } = library();
    let attempts = 0;
    await connection.transaction(async () => {
      attempts += 1;
      const author = await Author.create({ name: 'Ann' });
      const book = await new Book({ title: 'One', author: author._id }).save();
      await Book.updateOne({ _id: book._id }, { title: 'Two' });
      expect((await Book.findOne().populate('author'))?.toObject()).toMatchObject({
        title: 'Two',
        author: { name: 'Ann' },
      });
      if (attempts === 1)
        throw new mongo.MongoServerError({ message: 'again', errorLabels: ['TransientTransactionError'] });
    });
    expect([attempts, await Author.countDocuments(), await Book.countDocuments()]).toEqual([2, 1, 1]);

    const failing = connection.transaction(async () => {
      await Author.deleteMany({});
      await Book.deleteMany({});
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect([await Author.countDocuments(), await Book.countDocuments()]).toEqual([1, 1]);
  });
});

describe('collections and indexes', () => {
  it('are made with their options', async () => {
    const schema = new Schema({ email: String, until: Date, kind: String, n: Number });
    schema.index({ email: 1 }, { unique: true });
    schema.index({ until: 1 }, { expireAfterSeconds: 0 });
    schema.index({ kind: 1, n: -1 });
    const Things = connection.model('Thing', schema);
    await Things.createCollection();
    await Things.ensureIndexes();
    const indexes = await Things.listIndexes();
    expect(indexes).toMatchObject([
      { name: '_id_' },
      { name: 'email_1', unique: true },
      { name: 'until_1', expireAfterSeconds: 0 },
      { name: 'kind_1_n_-1', key: { kind: 1, n: -1 } },
    ]);
    await Things.create({ email: 'A@b.ch' });
    expect(await failureOf(Things.create({ email: 'A@b.ch' }))).toMatchObject({ code: 11000 });
  });

  it('let documents expire', async () => {
    const schema = new Schema({ until: Date });
    schema.index({ until: 1 }, { expireAfterSeconds: 0 });
    const Things = connection.model('Thing', schema);
    await Things.init();
    await Things.create([{ until: new Date(Date.now() - 1000) }, { until: new Date(Date.now() + 60_000) }]);
    await expect.poll(() => Things.countDocuments()).toBe(1);
  });

  it('are listed and dropped', async () => {
    const { Author } = library();
    await Author.create({ name: 'Ann' });
    expect((await connection.listCollections()).map(({ name }) => name)).toContain('authors');
    await connection.dropCollection('authors');
    expect(await Author.countDocuments()).toBe(0);
    await connection.dropDatabase();
    expect(await connection.listCollections()).toEqual([]);
  });
});

describe('what is not supported', () => {
  it('says so: change streams', async () => {
    const { Author } = library();
    const stream = Author.watch();
    const error = await new Promise<Error & { code?: number }>((resolve) => stream.once('error', resolve));
    expect(error.code).toBe(40324);
    await stream.close();
  });

  it.each([
    ['text search', { $text: { $search: 'x' } }],
    ['places', { place: { $near: [0, 0] } }],
    ['scripts', { $where: 'true' }],
  ])('says so: %s', async (_name, filter) => {
    const { Author } = library();
    await Author.create({ name: 'a' });
    const error = await failureOf(Author.collection.find(filter as never).toArray());
    expect(error['code']).toEqual(expect.any(Number));
  });
});
