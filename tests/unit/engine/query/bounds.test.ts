import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareValues, equalValues } from '#models/engine/query/compare.ts';
import { indexBounds, singleValue, type Bound } from '#models/engine/query/index.ts';
import { Double, MinKey, typeOf, typeRank, type Document } from '#models/engine/values/types.ts';
import { matches } from './support.ts';

function bounds(filter: Document): Record<string, Bound> {
  return Object.fromEntries(indexBounds(filter));
}

describe('the necessary conditions of a filter', () => {
  it.each<[Document, Record<string, Bound>]>([
    [{}, {}],
    [{ a: 1 }, { a: { points: [1], exact: true } }],
    [
      { a: 1, 'b.c': 'x' },
      { a: { points: [1], exact: true }, 'b.c': { points: ['x'], exact: true } },
    ],
    [{ a: { $eq: { b: 1 } } }, { a: { points: [{ b: 1 }], exact: true } }],
    [{ a: { $in: [1, 2] } }, { a: { points: [1, 2], exact: true } }],
    [{ a: { $in: [] } }, { a: { points: [], exact: true } }],
    [{ a: null }, { a: { points: [null], exact: true } }],
    [{ 'a.b': null }, { 'a.b': { points: [null], exact: false } }],
    [{ a: { $gt: 1 } }, { a: { min: 1, minInclusive: false, exact: true } }],
    [{ a: { $lte: 'x' } }, { a: { max: 'x', maxInclusive: true, exact: true } }],
    [
      { a: { $gt: 1, $lte: 5 } },
      { a: { min: 1, minInclusive: false, max: 5, maxInclusive: true, exact: true } },
    ],
    [{ a: { $gt: 1, $gte: 3 } }, { a: { min: 3, minInclusive: true, exact: false } }],
    [{ a: { $gt: 1, $gte: 1 } }, { a: { min: 1, minInclusive: false, exact: false } }],
    [{ a: { $lt: 1, $lte: 1 } }, { a: { max: 1, maxInclusive: false, exact: false } }],
    [{ a: { $lt: 9, $lte: 4 } }, { a: { max: 4, maxInclusive: true, exact: false } }],
    [{ a: { $gte: null } }, { a: { points: [null], exact: true } }],
    [{ a: { $gt: null } }, { a: { exact: false } }],
    [{ a: { $gte: NaN } }, { a: { points: [NaN], exact: true } }],
    [{ a: { $lt: NaN } }, { a: { exact: false } }],
    [{ a: { $gt: new MinKey() } }, { a: { exact: false } }],
    [{ a: [1] }, { a: { exact: false } }],
    [{ a: { $in: [1, [2]] } }, { a: { exact: false } }],
    [{ a: /^x/ }, { a: { exact: false } }],
    [{ a: { $in: [/x/] } }, { a: { exact: false } }],
    [{ a: { $ne: 1 } }, { a: { exact: false } }],
    [{ a: { $not: { $eq: 1 } } }, { a: { exact: false } }],
    [{ a: { $exists: true } }, { a: { exact: false } }],
    [{ a: { $gte: 0, $lt: null } }, { a: { min: 0, minInclusive: true, exact: false } }],
    [{ $and: [{ a: 1 }, { a: { $size: 0 } }] }, { a: { points: [1], exact: false } }],
    [
      { $and: [{ a: { $size: 0 } }, { a: { $gt: 1 } }] },
      { a: { min: 1, minInclusive: false, exact: false } },
    ],
    [{ a: { $gt: 1, $ne: 5 } }, { a: { min: 1, minInclusive: false, exact: false } }],
    [{ a: { $eq: 1, $comment: 'x' } }, { a: { points: [1], exact: true } }],
    [{ $or: [{ a: 1 }] }, {}],
    [{ $nor: [{ a: 1 }] }, {}],
    [{ $and: [{ a: 1 }, { b: 2 }] }, { a: { points: [1], exact: true }, b: { points: [2], exact: true } }],
    [{ a: { $in: [1, 2] }, $and: [{ a: 2 }] }, { a: { points: [2], exact: false } }],
    [{ a: { $gt: 0 }, $and: [{ a: 2 }] }, { a: { points: [2], exact: false } }],
  ])('%o', (filter, expected) => {
    expect(bounds(filter)).toEqual(expected);
  });

  it('uses the later limit when two of different types can never both hold', () => {
    expect(bounds({ $and: [{ a: { $gt: 1 } }, { a: { $gt: 'x' } }] })).toEqual({
      a: { min: 'x', minInclusive: false, exact: false },
    });
  });
});

function isWithin(value: unknown, bound: Bound, side: 'min' | 'max'): boolean {
  const limit = bound[side];
  if (limit === undefined) return true;
  if (typeRank(typeOf(value)) !== typeRank(typeOf(limit))) return false;
  const order = compareValues(value, limit);
  const inclusive = side === 'min' ? bound.minInclusive : bound.maxInclusive;
  return inclusive && order === 0 ? true : side === 'min' ? order > 0 : order < 0;
}

/** Whether the entry that an index has for a value is within a bound. */
function agrees(value: unknown, bound: Bound): boolean {
  if (bound.points) return bound.points.some((point) => equalValues(value ?? null, point));
  return isWithin(value, bound, 'min') && isWithin(value, bound, 'max');
}

const scalar = fc.oneof(
  fc.integer({ min: -2, max: 3 }),
  fc.constantFrom('a', 'b', null, true),
  fc.constant(new Double(1)),
);
const value = fc.oneof({ weight: 3, arbitrary: scalar }, fc.record({ b: scalar }, { requiredKeys: [] }));
const doc = fc.record({ a: value, b: value }, { requiredKeys: [] }) as fc.Arbitrary<Document>;
const range = fc
  .tuple(fc.constantFrom('$gt', '$gte', '$lt', '$lte', '$eq'), scalar)
  .map(([op, v]): Document => ({ [op]: v }));
const condition = fc.oneof(
  scalar.map((v) => v as unknown),
  range,
  fc.tuple(range, range).map(([x, y]) => ({ ...x, ...y })),
  fc.array(scalar, { maxLength: 3 }).map((v) => ({ $in: v })),
);
const clause = fc.tuple(fc.constantFrom('a', 'b', 'a.b'), condition).map(([p, c]): Document => ({ [p]: c }));
const filter = fc.array(clause, { minLength: 1, maxLength: 3 }).map((parts): Document => ({ $and: parts }));

describe('bounds', () => {
  it('hold for every document that matches', () => {
    let matched = 0;
    fc.assert(
      fc.property(filter, doc, (f, d) => {
        if (!matches(f, d)) return;
        matched++;
        for (const [path, bound] of indexBounds(f)) {
          const entry = singleValue(path, 'in an index')(d);
          expect([path, bound, agrees(entry, bound)]).toEqual([path, bound, true]);
        }
      }),
      { numRuns: 4000 },
    );
    expect(matched).toBeGreaterThan(100);
  });
});
