import fc from 'fast-check';
import { atOnce } from '#models/engine/budget.ts';
import { describe, expect, it } from 'vitest';
import { compareValues, compileFilter } from '#models/engine/query/index.ts';
import type { IndexSpec, Query } from '#models/engine/storage/index.ts';
import { Double, type Document } from '#models/engine/values/types.ts';
import { temporaryStore } from './temporary-store.ts';

const held = temporaryStore();
let collections = 0;

/** Longer than half a page of the file, alike at the beginning. */
const LONG = 'l'.repeat(2000);

const scalar = fc.constantFrom<unknown>(
  LONG,
  `${LONG}a`,
  `${LONG}b`,
  0,
  1,
  2,
  3,
  new Double(2),
  2.5,
  NaN,
  new Double(3),
  'a',
  'ab',
  'b',
  'B',
  '',
  null,
  true,
  new Date(0),
  new Date(5),
);
const list = fc.array(scalar, { maxLength: 3 });
const value = fc.oneof(
  { weight: 5, arbitrary: scalar },
  fc.record({ d: scalar, e: scalar }, { requiredKeys: [] }),
);
const nested = fc.oneof(fc.record({ d: value, e: scalar }, { requiredKeys: [] }), scalar);
/** Arrays are not indexed, nor sorted by; filters look into them. */
const free = fc.oneof(list, fc.array(fc.record({ d: scalar }, { requiredKeys: [] }), { maxLength: 3 }));
const document = fc.record({ a: value, b: scalar, c: nested, f: free }, { requiredKeys: [] });

const path = fc.constantFrom('a', 'b', 'c.d', 'c.e', 'c');
const anyPath = fc.oneof({ weight: 4, arbitrary: path }, fc.constantFrom('f', 'f.d', 'f.0'));
const range = fc.record({ $gt: scalar, $gte: scalar, $lt: scalar, $lte: scalar }, { requiredKeys: [] });
const condition = fc.oneof(
  { weight: 3, arbitrary: scalar },
  { weight: 3, arbitrary: range.filter((operators) => Object.keys(operators).length > 0) },
  fc.array(scalar, { maxLength: 3 }).map((values) => ({ $in: values })),
  fc.array(scalar, { maxLength: 2 }),
  scalar.map((v) => ({ $ne: v })),
  fc.boolean().map((exists) => ({ $exists: exists })),
  fc.constantFrom<unknown>(/^a/, { $regex: '^a' }, { $size: 2 }, { $not: { $gt: 1 } }),
);
const single = fc.tuple(anyPath, condition).map(([p, c]): Document => ({ [p]: c }));
const filter: fc.Arbitrary<Document> = fc.oneof(
  fc.constant({}),
  { weight: 4, arbitrary: single },
  { weight: 3, arbitrary: fc.tuple(single, single).map(([x, y]): Document => ({ ...x, ...y })) },
  fc.tuple(single, single).map(([x, y]): Document => ({ $and: [x, y] })),
  fc.tuple(single, single).map(([x, y]): Document => ({ $or: [x, y] })),
  fc.tuple(single, single, single).map(([x, y, z]): Document => ({ ...x, $or: [y, z] })),
);

const direction = fc.constantFrom<1 | -1>(1, -1);
const pattern = fc
  .uniqueArray(fc.tuple(path, direction), { minLength: 1, maxLength: 3, selector: ([p]) => p })
  .map((fields): Document => Object.fromEntries(fields));
const index = fc.record({ key: pattern });
const query: fc.Arbitrary<Query> = fc.record(
  {
    filter,
    sort: pattern,
    skip: fc.nat(3),
    limit: fc.integer({ min: 1, max: 5 }),
  },
  { requiredKeys: ['filter'] },
);

/** The values a document is sorted by. */
function sortKey(doc: Document, sort: Document): unknown[] {
  const at = (node: unknown, part: string): unknown => (node as Document | null | undefined)?.[part];
  return Object.keys(sort).map((name) => name.split('.').reduce(at, doc as unknown) ?? null);
}

function compareKeys(x: unknown[], y: unknown[], sort: Document): number {
  const directions = Object.values(sort) as number[];
  for (let i = 0; i < directions.length; i++) {
    const order = compareValues(x[i], y[i]) * (directions[i] as number);
    if (order !== 0) return order;
  }
  return 0;
}

async function load(docs: Document[], specs: IndexSpec[]): Promise<string> {
  const ns = `laws.c${++collections}`;
  await held.store.write((txn) => {
    txn.createCollection(ns);
    specs.forEach((spec, i) => txn.createIndexes(ns, [{ ...spec, name: `i${i}` }]));
    docs.forEach((doc, i) => txn.insert(ns, { _id: i, ...doc }));
  });
  return ns;
}

function distinctKeys(specs: IndexSpec[]): boolean {
  return new Set(specs.map((spec) => JSON.stringify(spec.key))).size === specs.length;
}

describe('a query through any index', () => {
  it('answers like a naive filter, sort, skip and limit', async () => {
    const inputs = fc.record({
      docs: fc.array(document, { maxLength: 14 }),
      specs: fc.array(index, { maxLength: 3 }),
      queries: fc.array(query, { minLength: 1, maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(inputs, async ({ docs, specs, queries }) => {
        fc.pre(distinctKeys(specs));
        const ns = await load(docs, specs);
        const all = docs.map((doc, i): Document => ({ _id: i, ...doc }));
        for (const q of queries) check(ns, all, q);
      }),
      { numRuns: 300 },
    );
    expect((await held.store.verify()).problems).toEqual([]);
  });
});

function check(ns: string, all: Document[], q: Query): void {
  const matching = all.filter(compileFilter(q.filter ?? {}));
  const expected = matching.map((doc) => doc['_id']);
  const { skip: _skip, limit: _limit, ...whole } = q;
  const found = held.store.read((view) => [...view.find(ns, whole)].map((f) => f.doc));
  const plan = JSON.stringify(held.store.read((view) => atOnce(view.explain(ns, q))));
  expect(found.map((doc) => doc['_id']).sort(), plan).toEqual([...expected].sort());
  expect(
    held.store.read((view) => view.count(ns, { filter: q.filter ?? {} })),
    plan,
  ).toBe(expected.length);
  const page = held.store.read((view) => [...view.find(ns, q)].map((f) => f.doc));
  const window = (ids: unknown[]): unknown[] =>
    ids.slice(q.skip ?? 0, (q.skip ?? 0) + (q.limit ?? ids.length));
  expect(page, plan).toHaveLength(window(expected).length);
  const { sort } = q;
  if (!sort) return;
  const inOrder = matching.map((doc) => sortKey(doc, sort)).sort((x, y) => compareKeys(x, y, sort));
  const order = (docs: Document[], keys: unknown[][]): number[] =>
    docs.map((doc, i) => compareKeys(sortKey(doc, sort), keys[i] as unknown[], sort));
  expect(
    order(found, inOrder).some((diff) => diff !== 0),
    plan,
  ).toBe(false);
  expect(
    order(page, window(inOrder) as unknown[][]).some((diff) => diff !== 0),
    plan,
  ).toBe(false);
}
