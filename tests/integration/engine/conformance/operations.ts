import fc from 'fast-check';
import type { Collection } from 'mongodb';
import { type ModelCollection, matches, select, type Doc, type Value } from './model.ts';

/** One step of a generated run. */
export type Operation =
  | { kind: 'insert'; docs: Doc[] }
  | { kind: 'update'; filter: Doc; update: Doc }
  | { kind: 'remove'; filter: Doc }
  | { kind: 'find'; filter: Doc; sort: Doc; skip: number; limit: number }
  | { kind: 'count'; filter: Doc }
  | { kind: 'takeFirst'; filter: Doc; sort: Doc; update: Doc }
  | { kind: 'index'; key: Record<string, 1 | -1> }
  | { kind: 'dropIndexes' };

const scalar: fc.Arbitrary<Value> = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: -3, max: 6 }) },
  { weight: 2, arbitrary: fc.constantFrom('', 'a', 'b', 'ab', 'A', 'é') },
  { weight: 1, arbitrary: fc.constantFrom<Value>(null, true, false, 1.5, 2147483648) },
);
const array = fc.array(scalar, { maxLength: 3 });
const value: fc.Arbitrary<Value> = fc.oneof(
  { weight: 6, arbitrary: scalar },
  { weight: 1, arbitrary: fc.record({ c: scalar }, { requiredKeys: [], noNullPrototype: true }) },
);
/** Arrays are neither indexed nor sorted by; filters and updates look into them. */
const listed = fc.oneof(
  { weight: 3, arbitrary: array },
  fc.array(fc.record({ c: scalar }, { requiredKeys: [], noNullPrototype: true }), { maxLength: 3 }),
);
const id = fc.integer({ min: 1, max: 25 });
const doc: fc.Arbitrary<Doc> = fc
  .record(
    { a: value, b: value, l: listed, n: fc.integer({ min: 0, max: 5 }) },
    { requiredKeys: [], noNullPrototype: true },
  )
  .chain((fields) => id.map((_id) => ({ _id, ...fields }) as Doc));

const path = fc.constantFrom('a', 'b', 'n', 'a.c', 'b.c', 'l', 'l.c', '_id');
const comparison: fc.Arbitrary<Value> = fc.oneof(
  fc
    .tuple(fc.constantFrom('$eq', '$ne', '$gt', '$gte', '$lt', '$lte'), scalar)
    .map(([operator, operand]) => ({ [operator]: operand })),
  fc
    .tuple(fc.constantFrom('$in', '$nin'), fc.array(scalar, { maxLength: 3 }))
    .map(([operator, operand]) => ({ [operator]: operand })),
  fc.boolean().map((exists) => ({ $exists: exists })),
  fc.integer({ min: 0, max: 3 }).map((size) => ({ $size: size })),
  fc.tuple(scalar, scalar).map(([from, to]) => ({ $gte: from, $lt: to })),
  fc
    .tuple(fc.constantFrom('$gt', '$lt', '$eq'), scalar)
    .map(([operator, operand]) => ({ $not: { [operator]: operand } })),
);
const condition: fc.Arbitrary<Doc> = fc
  .tuple(path, fc.oneof(comparison, scalar))
  .map(([name, expected]) => ({ [name]: expected }));
const filter: fc.Arbitrary<Doc> = fc.oneof(
  fc.constant({}),
  condition,
  fc.tuple(condition, condition).map(([one, two]) => ({ $and: [one, two] })),
  fc
    .tuple(fc.constantFrom('$or', '$nor'), fc.array(condition, { minLength: 1, maxLength: 3 }))
    .map(([operator, parts]) => ({ [operator]: parts })),
  fc.tuple(condition, condition).map(([one, two]) => ({ ...one, ...two })),
);
const direction = fc.constantFrom(1, -1);
/** Ends with `_id`, so that there is one right order. */
const sort: fc.Arbitrary<Doc> = fc
  .uniqueArray(fc.constantFrom('a', 'b', 'n'), { maxLength: 2 })
  .chain((names) =>
    fc.tuple(fc.array(direction, { minLength: 2, maxLength: 2 }), direction).map(([directions, last]) => ({
      ...Object.fromEntries(names.map((name, at) => [name, directions[at] as number])),
      _id: last,
    })),
  );
const target = fc.constantFrom('a', 'b', 'n', 'z', 'z.y');
const update: fc.Arbitrary<Doc> = fc.oneof(
  fc.tuple(target, value).map(([name, operand]) => ({ $set: { [name]: operand } })),
  target.map((name) => ({ $unset: { [name]: '' } })),
  fc
    .tuple(fc.constant('$inc'), target, fc.integer({ min: -2, max: 3 }))
    .map(([operator, name, operand]) => ({ [operator]: { [name]: operand } })),
  fc
    .tuple(fc.constantFrom('$min', '$max'), target, scalar)
    .map(([operator, name, operand]) => ({ [operator]: { [name]: operand } })),
  fc
    .tuple(fc.constantFrom('$push', '$addToSet', '$pull'), fc.constantFrom('l', 'n'), scalar)
    .map(([operator, name, operand]) => ({ [operator]: { [name]: operand } })),
);

/** A run of operations on one collection. */
export const operations: fc.Arbitrary<Operation[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('insert' as const),
        docs: fc.array(doc, { minLength: 1, maxLength: 8 }),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('update' as const), filter, update }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), filter }) },
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('find' as const),
        filter,
        sort,
        skip: fc.nat(3),
        limit: fc.nat(6),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('count' as const), filter }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('takeFirst' as const), filter, sort, update }) },
    {
      weight: 2,
      arbitrary: fc
        .uniqueArray(fc.constantFrom('a', 'b', 'n', 'a.c'), { minLength: 1, maxLength: 2 })
        .chain((names) =>
          fc.array(direction, { minLength: 2, maxLength: 2 }).map((directions) => ({
            kind: 'index' as const,
            key: Object.fromEntries(names.map((name, at) => [name, directions[at] as 1 | -1])),
          })),
        ),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('dropIndexes' as const) }) },
  ),
  { minLength: 4, maxLength: 30 },
);

/** A generated document as the collection holds it. */
export type Stored = Doc & { _id: number };

/** An array in an indexed field, or in one to sort by: refused by the engine, and unknown to the model. */
const isArrayRefused = (error: unknown) => {
  const { code, message = '' } = error as { code?: number; message?: string };
  return code === 115 && message.startsWith('an array in ');
};

/** Runs a step on the model; null when its outcome is not comparable. */
export function runOnModel(model: ModelCollection, operation: Operation): unknown {
  switch (operation.kind) {
    case 'insert':
      return model.insert(operation.docs);
    case 'update':
      return model.update(operation.filter, operation.update);
    case 'remove':
      return model.remove(operation.filter);
    case 'find':
      return select(model.docs, operation);
    case 'count':
      return model.docs.filter((doc) => matches(doc, operation.filter)).length;
    case 'takeFirst': {
      const [first] = select(model.docs, operation);
      if (!first) return null;
      return model.update({ _id: first['_id'] as number }, operation.update) === 'refused'
        ? 'refused'
        : first;
    }
    default:
      return null;
  }
}

/** Runs the same step through a driver; 'array' when an index or a sort forbids it. */
export async function runOnServer(items: Collection<Stored>, operation: Operation): Promise<unknown> {
  try {
    return await perform(items, operation);
  } catch (error) {
    return isArrayRefused(error) ? 'array' : 'refused';
  }
}

async function perform(items: Collection<Stored>, operation: Operation): Promise<unknown> {
  switch (operation.kind) {
    case 'insert':
      return insertThose(items, operation.docs as Stored[]);
    case 'update': {
      const { filter, update } = operation;
      const { matchedCount, modifiedCount } = await items.updateMany(filter, update);
      return { matched: matchedCount, modified: modifiedCount };
    }
    case 'remove':
      return (await items.deleteMany(operation.filter)).deletedCount;
    case 'find': {
      const { filter, sort, skip, limit } = operation;
      return items.find(filter, { sort: sort as never, skip, limit, batchSize: 2 }).toArray();
    }
    case 'count':
      return items.countDocuments(operation.filter);
    case 'takeFirst': {
      const { filter, sort, update } = operation;
      return items.findOneAndUpdate(filter, update, { sort: sort as never });
    }
    case 'index':
      await items.createIndex(operation.key);
      return null;
    case 'dropIndexes':
      await items.dropIndexes();
      return null;
  }
}

async function insertThose(items: Collection<Stored>, docs: Stored[]): Promise<number> {
  try {
    return (await items.insertMany(docs, { ordered: false })).insertedCount;
  } catch (error) {
    const { writeErrors, result } = error as {
      writeErrors: { code: number }[];
      result: { insertedCount: number };
    };
    if ([writeErrors].flat().some(isArrayRefused))
      throw [writeErrors].flat().find(isArrayRefused) as unknown as Error;
    return result.insertedCount;
  }
}
