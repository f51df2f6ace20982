import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EngineError } from '#models/engine/errors.ts';
import { compareValues } from '#models/engine/query/compare.ts';
import type { Document } from '#models/engine/values/types.ts';
import { anyDocument, anyValue, int32, number } from '../values/arbitrary.ts';
import { bytes, updated } from './support.ts';

const field = fc.constantFrom('a', 'b', 'c', 'd', 'zz');
const path = fc.constantFrom('a', 'b', 'a.b', 'a.0', 'b.1.c', 'c.d.e', 'x y', 'a.b.0');
const operator = fc.constantFrom(
  '$set',
  '$unset',
  '$inc',
  '$mul',
  '$min',
  '$max',
  '$push',
  '$addToSet',
  '$pull',
  '$rename',
  '$bit',
  '$currentDate',
);

/** An update, or undefined when the engine refuses it. */
function attempt(doc: Document, update: Document): Document | undefined {
  try {
    return updated(doc, update);
  } catch (error) {
    expect(error).toBeInstanceOf(EngineError);
    return undefined;
  }
}

describe('updates', () => {
  it('never change their input, and return a document or an engine error', () => {
    fc.assert(
      fc.property(
        anyDocument,
        fc.array(fc.tuple(operator, path, fc.oneof(anyValue, int32)), { minLength: 1, maxLength: 3 }),
        (doc, steps) => {
          const update: Record<string, Document> = {};
          for (const [op, p, v] of steps) (update[op] ??= {})[p] = v;
          const before = bytes(doc);
          attempt({ _id: 1, ...doc }, update);
          expect(bytes(doc)).toBe(before);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('$set sets, and setting twice is setting once', () => {
    fc.assert(
      fc.property(anyDocument, field, anyValue, (doc, name, value) => {
        const once = updated(doc, { $set: { [name]: value } });
        expect(bytes({ v: once[name] })).toBe(bytes({ v: value }));
        expect(bytes(updated(once, { $set: { [name]: value } }))).toBe(bytes(once));
      }),
    );
  });

  it('$unset after $set of a new field is the document as it was', () => {
    fc.assert(
      fc.property(anyDocument, anyValue, (doc, value) => {
        const set = updated(doc, { $set: { 'new.field': value } });
        const gone = updated(updated(set, { $unset: { 'new.field': 1 } }), { $unset: { new: 1 } });
        expect(bytes(gone)).toBe(bytes(doc));
      }),
    );
  });

  it('$inc by n and by -n cancel out, for integers', () => {
    fc.assert(
      fc.property(int32, fc.integer({ min: -1000, max: 1000 }), (start, by) => {
        const there = updated({ a: start }, { $inc: { a: by } });
        const back = updated(there, { $inc: { a: -by } });
        expect(compareValues(back['a'], start)).toBe(0);
      }),
    );
  });

  it('$inc gives the same result in any order', () => {
    fc.assert(
      fc.property(int32, int32, int32, (a, b, c) => {
        const one = updated(updated({ a }, { $inc: { a: b } }), { $inc: { a: c } });
        const other = updated(updated({ a }, { $inc: { a: c } }), { $inc: { a: b } });
        expect(compareValues(one['a'], other['a'])).toBe(0);
      }),
    );
  });

  it('$min and $max keep the smaller and the larger value', () => {
    fc.assert(
      fc.property(anyValue, anyValue, (a, b) => {
        const [low, high] = compareValues(a, b) <= 0 ? [a, b] : [b, a];
        expect(compareValues(updated({ v: a }, { $min: { v: b } })['v'], low)).toBe(0);
        expect(compareValues(updated({ v: a }, { $max: { v: b } })['v'], high)).toBe(0);
      }),
    );
  });

  it('$addToSet adds once, and $pull takes all of them', () => {
    fc.assert(
      fc.property(fc.array(number, { maxLength: 6 }), number, (list, value) => {
        const added = updated({ a: list }, { $addToSet: { a: value } })['a'] as unknown[];
        const isThere = list.some((item) => compareValues(item, value) === 0);
        expect(added.length).toBe(list.length + (isThere ? 0 : 1));
        const rest = updated({ a: added }, { $pull: { a: value } })['a'] as unknown[];
        expect(rest.some((item) => compareValues(item, value) === 0)).toBe(false);
      }),
    );
  });
});
