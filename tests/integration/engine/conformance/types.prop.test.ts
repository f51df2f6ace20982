import fc from 'fast-check';
import { atOnce } from '#models/engine/budget.ts';
import { BSONRegExp, Binary, Double, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import { MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { IndexSpec } from '#models/engine/storage/index.ts';
import { temporaryStore } from '../storage/temporary-store.ts';
import { compareBy, matches, type Doc } from './bson-model.ts';

const held = temporaryStore();
const realUri = process.env['TEST_MONGODB_URI'];
const numRuns = Number(process.env['CONFORMANCE_RUNS'] ?? 200);
let collections = 0;

/** Few values of each type, so that they meet; numbers that are equal across types or nearly so. */
const scalar = fc.constantFrom<unknown>(
  ...[0, 1, 2, -1, 2.5, NaN, Infinity, -Infinity, -0, new Double(1), new Double(NaN), 0.1],
  ...[Long.fromNumber(1), Long.fromString('9007199254740993'), 9007199254740992, Long.MAX_VALUE, 2 ** 63],
  ...['', 'a', 'ab', 'b', '😀', '\uffff'],
  ...[new Binary(Buffer.from('a')), new Binary(Buffer.from('a'), 5), new Binary(Buffer.from('ab'))],
  ...[new ObjectId('65e0a0000000000000000001'), new ObjectId('65e0a0000000000000000002')],
  ...[true, false, new Date(0), new Date(-1), null, new MinKey(), new MaxKey()],
  ...[
    new Timestamp({ t: 0, i: 1 }),
    new Timestamp({ t: 1, i: 0 }),
    new BSONRegExp('a', ''),
    new BSONRegExp('a', 'i'),
  ],
);
const flat = scalar.filter((value) => !(value instanceof BSONRegExp));
const inner = fc.record({ d: scalar, e: scalar }, { requiredKeys: [], noNullPrototype: true });
const value = fc.oneof({ weight: 6, arbitrary: scalar }, { weight: 2, arbitrary: inner });
/** Arrays are neither indexed nor sorted by; filters look into them. */
const list = fc.oneof(
  { weight: 3, arbitrary: fc.array(fc.oneof({ weight: 5, arbitrary: scalar }, inner), { maxLength: 3 }) },
  fc.array(fc.array(scalar, { maxLength: 2 }), { maxLength: 2 }),
);
const doc = fc.record(
  { a: value, b: value, l: list, n: fc.nat(3) },
  { requiredKeys: [], noNullPrototype: true },
);

const path = fc.constantFrom('a', 'b', 'a.d', 'b.e', 'n');
const anyPath = fc.oneof({ weight: 2, arbitrary: path }, fc.constantFrom('l', 'l.d', 'l.0', 'l.0.d'));
const operand = fc.oneof(
  { weight: 6, arbitrary: flat },
  inner.filter((doc) => !Object.values(doc).some((value) => value instanceof BSONRegExp)),
);
const range = fc
  .record({ $gt: flat, $gte: flat, $lt: flat, $lte: flat }, { requiredKeys: [], noNullPrototype: true })
  .filter((operators) => Object.keys(operators).length > 0);
const operators: fc.Arbitrary<Doc> = fc.oneof(
  fc
    .tuple(fc.constantFrom('$eq', '$ne'), fc.oneof(operand, fc.array(flat, { maxLength: 2 })))
    .map(([op, v]) => ({ [op]: v })),
  { weight: 3, arbitrary: range },
  fc
    .tuple(fc.constantFrom('$in', '$nin'), fc.array(operand, { maxLength: 3 }))
    .map(([op, v]) => ({ [op]: v })),
  fc.boolean().map(($exists) => ({ $exists })),
  fc.nat(2).map(($size) => ({ $size })),
  fc.constantFrom('^a', 'b$', '').map(($regex) => ({ $regex })),
  range.map(($not) => ({ $not })),
);
const condition: fc.Arbitrary<Doc> = fc
  .tuple(anyPath, fc.oneof({ weight: 3, arbitrary: operators }, operand))
  .map(([name, wanted]) => ({ [name]: wanted }));
const several = fc.array(condition, { minLength: 1, maxLength: 3 });
const simple = fc.oneof(
  { weight: 3, arbitrary: condition },
  several.map((parts): Doc => Object.assign({}, ...parts)),
  fc.tuple(fc.constantFrom('$and', '$or', '$nor'), several).map(([op, parts]): Doc => ({ [op]: parts })),
);
const filter: fc.Arbitrary<Doc> = fc.oneof(
  { weight: 5, arbitrary: simple },
  fc.tuple(condition, simple, simple).map(([x, y, z]): Doc => ({ ...x, $or: [y, z] })),
  fc.tuple(simple, simple).map(([x, y]): Doc => ({ $and: [x, y] })),
);

const direction = fc.constantFrom<1 | -1>(1, -1);
const key = fc
  .uniqueArray(fc.tuple(path, direction), { minLength: 1, maxLength: 2, selector: ([name]) => name })
  .map((fields): Record<string, 1 | -1> => Object.fromEntries(fields));
const index: fc.Arbitrary<Omit<IndexSpec, 'name'>> = key.map((key) => ({ key }));
const inputs = fc.record({
  docs: fc.array(doc, { maxLength: 10 }),
  indexes: fc.uniqueArray(index, { maxLength: 3, selector: ({ key }) => JSON.stringify(key) }),
  queries: fc.array(fc.record({ filter, path, direction, skip: fc.nat(2), limit: fc.nat(4) }), {
    minLength: 1,
    maxLength: 8,
  }),
});

/** A collection with the documents and indexes. */
async function load(docs: Doc[], indexes: Omit<IndexSpec, 'name'>[]): Promise<{ ns: string; all: Doc[] }> {
  const ns = `types.c${++collections}`;
  const all = docs.map((fields, i): Doc => ({ _id: i, ...fields }));
  await held.store.write((txn) => {
    txn.createCollection(ns);
    indexes.forEach((spec, i) => txn.createIndexes(ns, [{ ...spec, name: `i${i}` }]));
    for (const doc of all) txn.insert(ns, doc);
  });
  return { ns, all };
}

/**
 * Whether a range says "above MaxKey" or "below MinKey" somewhere. MongoDB 3.6 lets values of all other types pass those;
 * the model has what the order of types says: none.
 */
function isBeyondAll(filter: unknown): boolean {
  if (typeof filter !== 'object' || filter === null) return false;
  return Object.entries(filter).some(
    ([key, value]) =>
      (value instanceof MaxKey && (key === '$gt' || key === '$gte')) ||
      (value instanceof MinKey && (key === '$lt' || key === '$lte')) ||
      isBeyondAll(value),
  );
}

describe('a filter over all types', () => {
  it(
    'finds, counts, sorts and pages like a naive model, whatever the indexes',
    { timeout: 600_000 + numRuns * 100 },
    async () => {
      await fc.assert(
        fc.asyncProperty(inputs, async ({ docs, indexes, queries }) => {
          const { ns, all } = await load(docs, indexes);
          for (const q of queries) {
            const wanted = all.filter((doc) => matches(doc, q.filter));
            const ids = (list: Iterable<Doc>): unknown[] => Array.from(list, (doc) => doc['_id']);
            held.store.read((view) => {
              const plan = JSON.stringify(atOnce(view.explain(ns, { filter: q.filter })));
              const found = Array.from(view.find(ns, { filter: q.filter }), (f) => f.doc);
              expect(ids(found).sort(), plan).toEqual(ids(wanted));
              expect(view.count(ns, { filter: q.filter }), plan).toBe(wanted.length);
              const order = compareBy(q.path, q.direction);
              const sorted = [...wanted].sort((x, y) => order(x, y) || Number(x['_id']) - Number(y['_id']));
              const sort = { [q.path]: q.direction, _id: 1 };
              const page = {
                filter: q.filter,
                sort,
                skip: q.skip,
                ...(q.limit > 0 ? { limit: q.limit } : {}),
              };
              const end = q.limit > 0 ? q.skip + q.limit : undefined;
              const got = Array.from(view.find(ns, page), (f) => f.doc);
              expect(ids(got), JSON.stringify(atOnce(view.explain(ns, page)))).toEqual(
                ids(sorted.slice(q.skip, end)),
              );
            });
          }
          await held.store.write((txn) => txn.dropCollection(ns));
        }),
        { numRuns },
      );
    },
  );

  // Without indexes, which must not change an answer: in 3.6 one on `a` changes that of `{ a: { $ne: [null] } }`.
  it.skipIf(!realUri)(
    'is answered by a MongoDB server as by the model, so the model is right',
    { timeout: 600_000 + numRuns * 100 },
    async () => {
      const client = await new MongoClient(realUri ?? '').connect();
      const db = client.db('conformance_types');
      let rounds = 0;
      try {
        await fc.assert(
          fc.asyncProperty(inputs, async ({ docs, queries }) => {
            const rows = db.collection(`c${++rounds}`);
            const all = docs.map((fields, i): Doc => ({ _id: i, ...fields }));
            await db.createCollection(rows.collectionName);
            if (all.length > 0) await rows.insertMany(all);
            for (const q of queries.filter(({ filter: asked }) => !isBeyondAll(asked))) {
              const wanted = all.filter((doc) => matches(doc, q.filter));
              const order = compareBy(q.path, q.direction);
              const sorted = [...wanted].sort((x, y) => order(x, y) || Number(x['_id']) - Number(y['_id']));
              const end = q.limit > 0 ? q.skip + q.limit : undefined;
              expect(await rows.countDocuments(q.filter), JSON.stringify(q)).toBe(wanted.length);
              const page = rows.find(q.filter).sort({ [q.path]: q.direction, _id: 1 });
              const found = await page.skip(q.skip).limit(q.limit).toArray();
              expect(
                found.map(({ _id }) => Number(_id)),
                JSON.stringify(q),
              ).toEqual(sorted.slice(q.skip, end).map((doc) => doc['_id']));
            }
            await rows.drop();
          }),
          { numRuns },
        );
      } finally {
        await db.dropDatabase();
        await client.close();
      }
    },
  );
});
