import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareValues } from '#models/engine/query/compare.ts';
import { typeOf, typeRank, type Document } from '#models/engine/values/types.ts';
import { anyDocument, anyValue, number, scalar } from '../values/arbitrary.ts';
import { matches } from './support.ts';

const small = fc.oneof(fc.integer({ min: -2, max: 3 }), fc.constantFrom('a', 'b', null, true));
const value = fc.oneof(
  { weight: 3, arbitrary: small },
  fc.array(small, { maxLength: 3 }),
  fc.record({ b: small }, { requiredKeys: [] }),
  fc.array(fc.record({ b: small }, { requiredKeys: [] }), { maxLength: 3 }),
);
const doc = fc.record({ a: value, b: value }, { requiredKeys: [] }) as fc.Arbitrary<Document>;
const path = fc.constantFrom('a', 'b', 'a.b', 'a.0', 'a.0.b', 'x');
const condition = fc.oneof(
  small.map((v) => v as unknown),
  fc
    .tuple(fc.constantFrom('$eq', '$gt', '$gte', '$lt', '$lte', '$ne'), small)
    .map(([op, v]) => ({ [op]: v })),
  fc.tuple(fc.constantFrom('$in', '$nin'), fc.array(small, { maxLength: 3 })).map(([op, v]) => ({ [op]: v })),
  fc.boolean().map((b) => ({ $exists: b })),
  fc.nat(3).map((n) => ({ $size: n })),
);
const filter: fc.Arbitrary<Document> = fc.letrec<{ f: Document }>((tie) => ({
  f: fc.oneof(
    { maxDepth: 3 },
    { weight: 4, arbitrary: fc.tuple(path, condition).map(([p, c]) => ({ [p]: c })) },
    fc
      .tuple(fc.constantFrom('$and', '$or', '$nor'), fc.array(tie('f'), { minLength: 1, maxLength: 3 }))
      .map(([op, fs]) => ({ [op]: fs })),
  ),
})).f;

describe('filters', () => {
  it('find every document by any of its values', () => {
    fc.assert(
      fc.property(anyDocument, (d) => {
        for (const key of Object.keys(d)) {
          const expected = typeOf(d[key]) === 11 ? { $eq: d[key] } : d[key];
          const f: Document = {};
          Object.defineProperty(f, key, { value: { $eq: expected }, enumerable: true });
          if (expected === d[key]) expect(matches(f, d)).toBe(true);
        }
      }),
    );
  });

  it('compare scalars as the order of values does, within a type', () => {
    fc.assert(
      fc.property(scalar, scalar, (a, b) => {
        fc.pre(typeRank(typeOf(a)) === typeRank(typeOf(b)) && !Number.isNaN(a) && !Number.isNaN(b));
        fc.pre(String(a) !== 'NaN' && String(b) !== 'NaN');
        const order = compareValues(a, b);
        expect(matches({ x: { $eq: b } }, { x: a })).toBe(order === 0);
        expect(matches({ x: { $lt: b } }, { x: a })).toBe(order < 0);
        expect(matches({ x: { $lte: b } }, { x: a })).toBe(order <= 0);
        expect(matches({ x: { $gt: b } }, { x: a })).toBe(order > 0);
        expect(matches({ x: { $gte: b } }, { x: a })).toBe(order >= 0);
      }),
      { numRuns: 1000 },
    );
  });

  it('never compare across types, but for MinKey and MaxKey', () => {
    fc.assert(
      fc.property(scalar, scalar, (a, b) => {
        const [x, y] = [typeRank(typeOf(a)), typeRank(typeOf(b))];
        fc.pre(x !== y && y !== -1 && y !== 127);
        for (const op of ['$eq', '$lt', '$lte', '$gt', '$gte'])
          expect(matches({ v: { [op]: b } }, { v: a })).toBe(false);
      }),
    );
  });

  it('$in is any of the equalities, whatever the types', () => {
    fc.assert(
      fc.property(
        fc.oneof(number, anyValue),
        fc.array(fc.oneof(number, scalar), { maxLength: 5 }),
        (v, list) => {
          const expected = list.filter((item) => typeOf(item) !== 11);
          const any = expected.some((item) => matches({ v: { $eq: item } }, { v }));
          expect(matches({ v: { $in: expected } }, { v })).toBe(any);
          expect(matches({ v: { $nin: expected } }, { v })).toBe(!any);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('obey the laws of logic', () => {
    fc.assert(
      fc.property(filter, filter, doc, (f, g, d) => {
        const [x, y] = [matches(f, d), matches(g, d)];
        expect(matches({ $and: [f, g] }, d)).toBe(x && y);
        expect(matches({ $or: [f, g] }, d)).toBe(x || y);
        expect(matches({ $nor: [f, g] }, d)).toBe(!x && !y);
        expect(matches({ $nor: [{ $nor: [f] }] }, d)).toBe(x);
      }),
      { numRuns: 1000 },
    );
  });

  it('$not, $ne and $nin are complements', () => {
    fc.assert(
      fc.property(path, condition, doc, (p, c, d) => {
        const isOperator = typeof c === 'object' && c !== null;
        const operators = isOperator ? (c as Document) : { $eq: c };
        expect(matches({ [p]: { $not: operators } }, d)).toBe(!matches({ [p]: c }, d));
        if (!isOperator) expect(matches({ [p]: { $ne: c } }, d)).toBe(!matches({ [p]: c }, d));
      }),
      { numRuns: 1000 },
    );
  });

  it('do not change their input', () => {
    fc.assert(
      fc.property(filter, doc, (f, d) => {
        const before = JSON.stringify([f, d]);
        matches(f, d);
        expect(JSON.stringify([f, d])).toBe(before);
      }),
    );
  });
});
