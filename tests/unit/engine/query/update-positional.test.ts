import { describe, expect, it } from 'vitest';
import type { Document } from '#models/engine/values/types.ts';
import { codeOf, failure, updated } from './support.ts';

const list = (...a: unknown[]): Document => ({ _id: 1, a });

describe('the positional operator', () => {
  it.each<[Document, Document, Document, Document]>([
    [list(1, 5, 9), { a: 5 }, { $set: { 'a.$': 0 } }, list(1, 0, 9)],
    [list(1, 5, 9), { a: { $gt: 4 } }, { $inc: { 'a.$': 1 } }, list(1, 6, 9)],
    [list({ x: 1 }, { x: 2 }), { 'a.x': 2 }, { $set: { 'a.$.y': 3 } }, list({ x: 1 }, { x: 2, y: 3 })],
    [
      list({ x: 1 }, { x: 2 }),
      { a: { $elemMatch: { x: 2 } } },
      { $unset: { 'a.$.x': 1 } },
      list({ x: 1 }, {}),
    ],
    [list(1, 5), { $and: [{ a: 5 }] }, { $set: { 'a.$': 0 } }, list(1, 0)],
    [
      { _id: 1, a: [1, 2], b: [1, 2] },
      { a: 1, b: 2 },
      { $set: { 'a.$': 0 } },
      { _id: 1, a: [1, 0], b: [1, 2] },
    ],
    [list({ x: [1] }, { x: [2] }), { 'a.x': 2 }, { $push: { 'a.$.x': 3 } }, list({ x: [1] }, { x: [2, 3] })],
    [list(1, 5), { a: 5 }, { $unset: { 'a.$': 1 } }, list(1, null)],
    [list(1, 5), { a: 5 }, { $set: { 'a.$': 0, 'a.0': 7 } }, list(7, 0)],
  ])('%o found by %o with %o', (doc, filter, update, expected) => {
    expect(updated(doc, update, { filter })).toEqual(expected);
  });

  it('needs a match in an array', () => {
    const expected = {
      code: 2,
      message: 'The positional operator did not find the match needed from the query.',
    };
    expect(failure(() => updated(list(1), { $set: { 'a.$': 0 } }, { filter: { _id: 1 } }))).toEqual(expected);
    expect(failure(() => updated(list(1), { $set: { 'a.$': 0 } }))).toEqual(expected);
    expect(
      failure(() => updated(list(1), { $set: { 'a.$': 0 } }, { filter: { a: 1 }, isUpsertInsert: true })),
    ).toEqual(expected);
    expect(failure(() => updated(list(1), { $set: { 'a.$': 0 } }, { filter: { $or: [{ a: 1 }] } }))).toEqual(
      expected,
    );
  });

  it('conflicts with the element it turns out to be', () => {
    expect(codeOf(() => updated(list(1, 5), { $set: { 'a.$': 0, 'a.1': 7 } }, { filter: { a: 5 } }))).toBe(
      40,
    );
  });
});

describe('$[] and array filters', () => {
  it.each<[Document, Document, Document[], Document]>([
    [list(1, 2), { $inc: { 'a.$[]': 10 } }, [], list(11, 12)],
    [list({ x: 1 }, { x: 2 }), { $set: { 'a.$[].y': 0 } }, [], list({ x: 1, y: 0 }, { x: 2, y: 0 })],
    [list([1, 2], [3]), { $inc: { 'a.$[].$[]': 1 } }, [], list([2, 3], [4])],
    [list(), { $inc: { 'a.$[]': 10 } }, [], list()],
    [list(1, 5, 9), { $set: { 'a.$[e]': 0 } }, [{ e: { $gt: 4 } }], list(1, 0, 0)],
    [list({ x: 1 }, { x: 2 }), { $set: { 'a.$[e].y': 3 } }, [{ 'e.x': 2 }], list({ x: 1 }, { x: 2, y: 3 })],
    [
      list({ x: 1 }, { x: 2 }, { x: 3 }),
      { $inc: { 'a.$[e].x': 10 } },
      [{ $or: [{ 'e.x': 1 }, { 'e.x': 3 }] }],
      list({ x: 11 }, { x: 2 }, { x: 13 }),
    ],
    [
      list({ x: 1, b: [1, 2] }, { x: 2, b: [1, 2] }),
      { $set: { 'a.$[e].b.$[f]': 0 } },
      [{ 'e.x': 2 }, { f: { $lt: 2 } }],
      list({ x: 1, b: [1, 2] }, { x: 2, b: [0, 2] }),
    ],
    [
      list({ x: 1 }, { x: 2 }),
      { $set: { 'a.$[e].p': 1, 'a.$[f].q': 2 } },
      [{ 'e.x': { $gt: 0 } }, { 'f.x': 2 }],
      list({ x: 1, p: 1 }, { x: 2, p: 1, q: 2 }),
    ],
    [list(1, 2), { $unset: { 'a.$[e]': 1 } }, [{ e: 2 }], list(1, null)],
    [list('a', 'b'), { $set: { 'a.$[e]': 'x' } }, [{ e: /^a/ }], list('x', 'b')],
    [list(1, 2), { $set: { 'a.$[e]': 0 } }, [{ e: 7 }], list(1, 2)],
    [
      list({ x: [1, 5] }, { x: [2] }),
      { $pull: { 'a.$[e].x': { $gt: 1 } } },
      [{ 'e.x': 5 }],
      list({ x: [1] }, { x: [2] }),
    ],
    [list(1, null), { $set: { 'a.$[e]': 0 } }, [{ e: null }], list(1, 0)],
  ])('%o with %o and %o', (doc, update, arrayFilters, expected) => {
    expect(updated(doc, update, { arrayFilters })).toEqual(expected);
  });

  it.each<[Document, Document, Document[], number, string | RegExp]>([
    [list(1), { $set: { 'a.$[e]': 0 } }, [], 2, "No array filter found for identifier 'e' in path 'a.$[e]'"],
    [
      list(1),
      { $set: { a: 0 } },
      [{ e: 1 }],
      9,
      /^The array filter for identifier 'e' was not used in the update/,
    ],
    [
      list(1),
      { $set: { 'a.$[e]': 0 } },
      [{ e: 1 }, { e: 2 }],
      9,
      'Found multiple array filters with the same top-level field name e',
    ],
    [
      list(1),
      { $set: { 'a.$[e]': 0 } },
      [{ e: 1, f: 2 }],
      9,
      /Expected a single top-level field name, found 'e' and 'f'/,
    ],
    [list(1), { $set: { 'a.$[e]': 0 } }, [{}], 9, /without a top-level field name/],
    [list(1), { $set: { 'a.$[E]': 0 } }, [{ E: 1 }], 2, /beginning with a lowercase letter/],
    [
      { _id: 1 },
      { $set: { 'a.$[]': 0 } },
      [],
      2,
      "The path 'a' must exist in the document in order to apply array updates.",
    ],
    [
      { _id: 1, a: 5 },
      { $set: { 'a.$[]': 0 } },
      [],
      2,
      'Cannot apply array updates to non-array element a: 5',
    ],
    [
      list(1),
      { $set: { 'a.$[e]': 0, 'a.$[f]': 1 } },
      [{ e: 1 }, { f: 1 }],
      40,
      "Update created a conflict at 'a.0'",
    ],
    [
      list({ x: 1 }),
      { $set: { 'a.$[e].x': 0, 'a.$[].x': 1 } },
      [{ 'e.x': 1 }],
      40,
      "Update created a conflict at 'a.0.x'",
    ],
    [list(1), { $set: { 'a.$[e].x': 0 } }, [{ e: 1 }], 28, "Cannot create field 'x' in element {0: 1}"],
  ])('refuses %o with %o and %o', (doc, update, arrayFilters, code, message) => {
    const found = failure(() => updated(doc, update, { arrayFilters }));
    expect(found.code).toBe(code);
    if (typeof message === 'string') expect(found.message).toBe(message);
    else expect(found.message).toMatch(message);
  });
});
