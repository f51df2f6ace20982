import fc from 'fast-check';
import { atOnce } from '#models/engine/budget.ts';
import { MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { IndexSpec } from '#models/engine/storage/index.ts';
import { temporaryStore } from '../storage/temporary-store.ts';
import { compareBy, matches, type Doc } from './bson-model.ts';
import { doc, filter, key } from './bson-values.ts';

const held = temporaryStore();
const realUri = process.env['TEST_MONGODB_URI'];
const numRuns = Number(process.env['CONFORMANCE_RUNS'] ?? 200);
let collections = 0;

const index: fc.Arbitrary<Omit<IndexSpec, 'name'>> = key.map((key) => ({ key }));
const inputs = fc.record({
  docs: fc.array(doc, { maxLength: 10 }),
  indexes: fc.uniqueArray(index, { maxLength: 3, selector: ({ key }) => JSON.stringify(key) }),
  queries: fc.array(fc.record({ filter, by: key, skip: fc.nat(2), limit: fc.nat(4) }), {
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

describe('a filter over all types', () => {
  it(
    'finds, counts, sorts and pages like a naive model, whatever the indexes',
    { timeout: 600_000 + numRuns * 100 },
    async () => {
      await fc.assert(
        fc.asyncProperty(inputs, async ({ docs, indexes, queries }) => {
          const { ns, all } = await load(docs, indexes);
          for (const q of queries) {
            const expected = all.filter((doc) => matches(doc, q.filter));
            const ids = (list: Iterable<Doc>): unknown[] => Array.from(list, (doc) => doc['_id']);
            held.store.read((view) => {
              const plan = JSON.stringify(atOnce(view.explain(ns, { filter: q.filter })));
              const found = Array.from(view.find(ns, { filter: q.filter }), (f) => f.doc);
              expect(ids(found).sort(), plan).toEqual(ids(expected));
              expect(view.count(ns, { filter: q.filter }), plan).toBe(expected.length);
              const order = compareBy(q.by);
              const sorted = [...expected].sort((x, y) => order(x, y) || Number(x['_id']) - Number(y['_id']));
              const sort = { ...q.by, _id: 1 };
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

  // Without indexes, which must not change an answer.
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
            for (const q of queries) {
              const expected = all.filter((doc) => matches(doc, q.filter));
              const order = compareBy(q.by);
              const sorted = [...expected].sort((x, y) => order(x, y) || Number(x['_id']) - Number(y['_id']));
              const end = q.limit > 0 ? q.skip + q.limit : undefined;
              expect(await rows.countDocuments(q.filter), JSON.stringify(q)).toBe(expected.length);
              const page = rows.find(q.filter).sort({ ...q.by, _id: 1 });
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
