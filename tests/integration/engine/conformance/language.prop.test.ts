import { EJSON, Long, deserialize, serialize } from 'bson';
import fc from 'fast-check';
import { MongoClient, type Collection } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useEngine } from '#tests/support/engine.ts';
import { number as wideNumber, scalar as wideScalar } from '#tests/unit/engine/values/arbitrary.ts';
import { Refused, different, projected, staged, updated, upserted } from './bson-language.ts';
import { compare, type Doc } from './bson-model.ts';
import { anyValue, doc, filter, flat, flatInner, flatList, inner, key, list, number } from './bson-values.ts';

/** Updates, upserts, projections and stages over all BSON types, held against the model. */

const engine = useEngine();
const realUri = process.env['TEST_MONGODB_URI'];
/** More for a long search: CONFORMANCE_RUNS=5000. */
const numRuns = Number(process.env['CONFORMANCE_RUNS'] ?? 60);
let real: MongoClient | null = null;
let runs = 0;

beforeAll(async () => {
  if (realUri) real = await new MongoClient(realUri).connect();
});

afterAll(() => real?.close());

const date = fc.constantFrom(new Date(0), new Date(-1), new Date('2024-02-29T23:59:59.999Z'));
const mostly = <T>(usual: fc.Arbitrary<T>, ...seldom: unknown[]) =>
  fc.oneof({ weight: 20, arbitrary: usual }, fc.constantFrom<unknown>(...seldom));
/** Nothing is divided by zero, and nothing by -1, which ends old servers where the result fits no type. */
const divisor = number.filter((one) => ![0, -1].includes(Number(one)));
const docs = fc
  .array(
    fc.tuple(
      doc,
      fc.record(
        { x: mostly(number, null, 'x'), y: mostly(divisor, null), t: mostly(date, null) },
        { requiredKeys: [], noNullPrototype: true },
      ),
    ),
    { maxLength: 8 },
  )
  .map((all) => all.map(([one, more], _id): Doc => ({ _id, ...one, ...more })));

/** Values that meet, and any others. */
const some = fc.oneof({ weight: 3, arbitrary: anyValue }, wideScalar);
const target = fc.constantFrom(
  'a',
  'a.d',
  'b',
  'b.e',
  'b.g.h',
  'l',
  'l.0',
  'l.1',
  'l.3',
  'l.0.d',
  'n',
  'z',
  'z.y',
);
const numeric = fc.constantFrom('n', 'n', 'x', 'y', 'z.k', 'a.d', 'l.0');
const listed = fc.constantFrom('l', 'l', 'l', 'q', 'l.0', 'z.q', 'a', 'a.d.e');
const each = fc.array(fc.oneof(some, inner), { maxLength: 3 });
const change = fc.oneof(
  fc.tuple(fc.constantFrom('$set', '$unset', '$min', '$max', '$setOnInsert'), target, some),
  fc.tuple(fc.constant('$inc'), numeric, mostly(fc.oneof(number, wideNumber), 'x', null)),
  fc.tuple(
    fc.constant('$push'),
    listed,
    fc.oneof(
      anyValue,
      fc.record(
        { $each: each, $slice: fc.integer({ min: -3, max: 3 }) },
        { requiredKeys: ['$each'], noNullPrototype: true },
      ),
    ),
  ),
  fc.tuple(fc.constant('$addToSet'), listed, fc.oneof(anyValue, fc.record({ $each: each }))),
  fc.tuple(fc.constant('$pull'), listed, fc.oneof({ weight: 2, arbitrary: flat }, flatInner, flatList)),
);
const update = fc
  .uniqueArray(change, { minLength: 1, maxLength: 3, selector: ([, path]) => path })
  .map((changes) => {
    const made: Record<string, Doc> = {};
    for (const [op, path, argument] of changes) made[op] = { ...made[op], [path]: argument };
    return made as Doc;
  });

const equality = fc.oneof(
  fc.oneof(flat, flatInner),
  fc.oneof(flat, flatList).map(($eq) => ({ $eq })),
  fc
    .oneof(
      flat.map((one) => [one, one]),
      fc.uniqueArray(flat, { minLength: 1, maxLength: 2, comparator: (x, y) => compare(x, y) === 0 }),
    )
    .map(($in) => ({ $in })),
  fc.tuple(fc.constantFrom('$gt', '$ne'), flat).map(([op, bound]) => ({ [op]: bound })),
);
const sought = fc.record(
  { a: equality, 'b.e': equality, 'b.g.h': equality, 'z.y': equality, n: equality },
  { requiredKeys: [], noNullPrototype: true },
);

const projection = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom('a.d', 'b', 'l.d', 'l.e', 'z', 'n'), { minLength: 1, maxLength: 4 }),
    fc.boolean(),
    fc.option(fc.boolean(), { nil: undefined }),
  )
  .map(([names, isWanted, _id]): Record<string, boolean> => ({
    ...Object.fromEntries(names.map((name) => [name, isWanted])),
    ...(_id !== undefined && { _id }),
  }));

const leaf = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('$a', '$b', '$a.d', '$l', '$l.d', '$n', '$x', '$t', '$z', '$l.d.e'),
  },
  flat,
);
const someTime = fc.oneof({ weight: 3, arbitrary: fc.constant<unknown>('$t') }, date);
const few = fc.constantFrom<unknown>('$n', 1, 2.5, Long.fromNumber(60_000), -900_000, null);
const format = fc.constantFrom('%Y-%m', '%Y-%m-%dT%H:%M:%S.%LZ', '%d%%', '');
const computed: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: leaf },
  fc.tuple(leaf, leaf).map(($eq) => ({ $eq })),
  fc.tuple(leaf, leaf, leaf).map(($cond) => ({ $cond })),
  fc.tuple(fc.tuple(leaf, leaf), leaf, leaf).map(([$eq, yes, no]) => ({ $cond: [{ $eq }, yes, no] })),
  fc.tuple(fc.constantFrom('$x', '$n', '$y'), fc.oneof(fc.constant('$y'), divisor)).map(($mod) => ({ $mod })),
  fc.tuple(someTime, fc.oneof(someTime, few)).map(($subtract) => ({ $subtract })),
  fc.tuple(mostly(fc.constant('$t'), '$a', '$z'), format).map(([when, how]) => ({
    $dateToString: { date: when, format: how },
  })),
);
const expression = fc.oneof(
  { weight: 5, arbitrary: computed },
  fc.record({ p: computed, q: computed }, { requiredKeys: [], noNullPrototype: true }),
);
const accumulated = fc.oneof(
  fc.tuple(
    fc.constantFrom('$sum', '$avg'),
    fc.oneof(fc.constantFrom<unknown>('$x', '$y', '$n', 1), expression),
  ),
  fc.tuple(fc.constantFrom('$min', '$max'), expression),
);
const group = fc.tuple(expression, fc.array(accumulated, { maxLength: 4 })).map(([_id, fields]): Doc => ({
  $group: {
    _id,
    ...Object.fromEntries(fields.map(([op, argument], at) => [`f${at}`, { [op]: argument }])),
  },
}));
const stage = fc.oneof(
  filter.map(($match): Doc => ({ $match })),
  key.map((by): Doc => ({ $sort: { ...by, _id: 1 } })),
  fc.nat(3).map(($skip): Doc => ({ $skip })),
  fc.integer({ min: 1, max: 8 }).map(($limit): Doc => ({ $limit })),
);
const stages = fc
  .tuple(fc.array(stage, { maxLength: 4 }), fc.option(group, { nil: undefined }), fc.boolean())
  .map(([first, then, isMatched]) => [
    ...first,
    ...(then ? [then] : []),
    ...(then && isMatched ? [{ $match: { f0: { $ne: null } } }] : []),
  ]);

const inputs = fc.record({
  docs,
  pipelines: fc.array(stages, { maxLength: 3 }),
  projections: fc.array(projection, { maxLength: 2 }),
  names: fc.constantFrom('a', 'a.d', 'l', 'l.d', 'l.0', 'l.1.d', 'x', 'z'),
  updates: fc.array(update, { minLength: 8, maxLength: 8 }),
  replacement: fc.record({ a: anyValue, l: list, c: anyValue }, { requiredKeys: [], noNullPrototype: true }),
  upserts: fc.array(fc.record({ sought, update }), { maxLength: 2 }),
});
type Inputs = typeof inputs extends fc.Arbitrary<infer T> ? T : never;

/** A document with the types of all its values. */
const shown = (one: Doc): string =>
  EJSON.stringify(deserialize(serialize(one), { promoteValues: false }), { relaxed: false });

/** A number of any type as its value. */
const withoutTypes = (text: string): string =>
  text.replace(/\{"\$number\w+":"([^"]+)"\}/g, (_, digits: string) => String(Number(digits)));

/**
 * Documents as texts; groups, which have no order, in one of their own.
 * @param isExact which of equal numbers of different types is the least or greatest of a group; MongoDB does not say
 */
const shownAll = (all: readonly Doc[], pipeline: readonly Doc[], isExact: boolean): string[] => {
  const texts = all.map(shown);
  if (!pipeline.some((one) => '$group' in one)) return texts;
  const isOpen = !isExact && /"\$(min|max)"/.test(JSON.stringify(pipeline));
  return (isOpen ? texts.map(withoutTypes) : texts).sort();
};

function modelled<T>(work: () => T): T | 'refused' {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refused) return 'refused';
    throw error;
  }
}

/** What MongoDB 6.0.5 says of a `$group` with an expression that names one field twice. */
const DEFECT = /duplicate field: \d/;

/** What a `$group` of MongoDB 6.0.5 makes of MaxKey and MinKey as constants: documents with an empty name. */
const WRAPPED = /\{"":\{"\$(max|min)Key":1\}\}/;

async function served<T>(work: Promise<T>): Promise<T | 'refused' | 'defect'> {
  try {
    return await work;
  } catch (error) {
    const { code, message } = error as { code?: number; message: string };
    // What the embedded engine does not have is not generated.
    if (code === 115) throw error;
    return DEFECT.test(message) ? 'defect' : 'refused';
  }
}

type Items = Collection<{ _id: number }>;

async function readHoldsAgainstModel(
  items: Items,
  all: Doc[],
  { pipelines, projections, names }: Inputs,
  isExact: boolean,
): Promise<void> {
  for (const pipeline of pipelines) {
    const wanted = modelled(() => shownAll(staged(all, pipeline), pipeline, isExact));
    const got = await served(items.aggregate<Doc>(pipeline, { promoteValues: false }).toArray());
    const answer = typeof got === 'string' ? got : shownAll(got, pipeline, isExact);
    if (!isExact && (answer === 'defect' || WRAPPED.test(String(answer)))) continue;
    expect({ pipeline, got: answer }).toEqual({
      pipeline,
      got: wanted,
    });
  }
  const values = (found: unknown[]): string[] => found.map((one) => shown({ one })).sort();
  const distinct = await items.distinct(names, {}, { promoteValues: false });
  expect({ names, distinct: values(distinct) }).toEqual({ names, distinct: values(different(all, names)) });
  for (const chosen of projections) {
    const got = await items.find({}, { projection: chosen, promoteValues: false }).toArray();
    expect({ chosen, got: got.map(shown) }).toEqual({
      chosen,
      got: all.map((one) => shown(projected(one, chosen))),
    });
  }
}

/** @param isExact what is as before was not modified; MongoDB counts what was pushed and cut off again, and NaN plus one */
async function writeHoldsAgainstModel(
  items: Items,
  all: Doc[],
  given: Inputs,
  isExact: boolean,
): Promise<void> {
  const made = new Map(all.map((one) => [one['_id'] as number, one]));
  for (const [_id, before] of [...made]) {
    const spec = given.updates[_id] as Doc;
    const wanted = modelled(() => updated(before, spec));
    const got = await served(items.updateOne({ _id }, spec));
    const modifiedCount = wanted !== 'refused' && shown(wanted) === shown(before) ? 0 : 1;
    const expected = wanted === 'refused' ? wanted : { matchedCount: 1, ...(isExact && { modifiedCount }) };
    expect({ before, spec, got }).toMatchObject({ before, spec, got: expected });
    if (wanted !== 'refused') made.set(_id, wanted);
  }
  if (all.length > 4) {
    await items.replaceOne({ _id: 0 }, given.replacement);
    made.set(0, { _id: 0, ...given.replacement });
  }
  for (const [at, { sought: conditions, update: spec }] of given.upserts.entries()) {
    const where = { ...conditions, _id: 100 + at };
    const wanted = modelled(() => upserted({ _id: where._id, ...conditions }, spec));
    const got = await served(items.updateOne(where as never, spec, { upsert: true }));
    const expected = wanted === 'refused' ? wanted : { upsertedId: where._id };
    expect({ where, spec, got }).toMatchObject({ where, spec, got: expected });
    if (wanted !== 'refused') made.set(where._id, wanted);
  }
  const left = await items.find({}, { promoteValues: false }).sort({ _id: 1 }).toArray();
  expect({ given, left: left.map(shown) }).toEqual({ given, left: [...made.values()].map(shown) });
}

async function holdsAgainstModel(client: MongoClient, given: Inputs, isExact: boolean): Promise<void> {
  runs += 1;
  const items: Items = client.db('conformance_language').collection(`items${runs}`);
  await items.drop();
  if (given.docs.length > 0) await items.insertMany(given.docs as unknown as { _id: number }[]);
  await readHoldsAgainstModel(items, given.docs, given, isExact);
  await writeHoldsAgainstModel(items, given.docs, given, isExact);
}

describe('updates, projections and stages over all types', () => {
  const timeout = 600_000 + numRuns * 200;

  it('change any document like the model', { timeout }, async () => {
    const run = async (given: Inputs) => holdsAgainstModel(engine.client, given, true);
    await fc.assert(fc.asyncProperty(inputs, run), { numRuns });
  });

  it.skipIf(!realUri)('make the same on a MongoDB server, so the model is right', { timeout }, async () => {
    const run = async (given: Inputs) => holdsAgainstModel(real as MongoClient, given, false);
    await fc.assert(fc.asyncProperty(inputs, run), { numRuns });
    await real?.db('conformance_language').dropDatabase();
  });
});
