import { describe, expect, it } from 'vitest';
import { Double, type Document } from '#models/engine/values/types.ts';
import { bytes, failure, updated } from './support.ts';

type Case = [doc: Document, update: Document, expected: Document];

function cases(list: Case[]): void {
  it.each(list)('%o with %o', (doc, update, expected) => {
    const before = bytes(doc);
    expect(updated(doc, update)).toEqual(expected);
    expect(bytes(doc)).toBe(before);
  });
}

function refuses(list: [doc: Document, update: Document, code: number, message: string | RegExp][]): void {
  it.each(list)('refuses %o with %o', (doc, update, code, message) => {
    const found = failure(() => updated(doc, update));
    expect(found.code).toBe(code);
    if (typeof message === 'string') expect(found.message).toBe(message);
    else expect(found.message).toMatch(message);
  });
}

const list = (...a: unknown[]): Document => ({ _id: 1, a });

describe('$push', () => {
  cases([
    [{ _id: 1 }, { $push: { a: 1 } }, list(1)],
    [list(1), { $push: { a: 2 } }, list(1, 2)],
    [list(1), { $push: { a: [2, 3] } }, list(1, [2, 3])],
    [list(1), { $push: { a: { $each: [2, 3] } } }, list(1, 2, 3)],
    [{ _id: 1 }, { $push: { a: { $each: [] } } }, list()],
    [list(1, 2), { $push: { a: { $each: [3], $slice: 2 } } }, list(1, 2)],
    [list(1, 2), { $push: { a: { $each: [3], $slice: -2 } } }, list(2, 3)],
    [list(1, 2), { $push: { a: { $each: [3], $slice: 0 } } }, list()],
    [list(1, 2), { $push: { a: { $each: [3], $slice: -10 } } }, list(1, 2, 3)],
    [{ _id: 1, o: {} }, { $push: { 'o.a': 1 } }, { _id: 1, o: { a: [1] } }],
    [list([1]), { $push: { 'a.0': 2 } }, list([1, 2])],
  ]);

  refuses([
    [
      { _id: 1, a: 5 },
      { $push: { a: 1 } },
      2,
      "The field 'a' must be an array but is of type int in document {_id: 1}",
    ],
    [
      { _id: 'x', o: { a: null } },
      { $push: { 'o.a': 1 } },
      2,
      `The field 'o.a' must be an array but is of type null in document {_id: "x"}`,
    ],
    [{ _id: 1, a: 5 }, { $push: { 'a.b': 1 } }, 28, "Cannot create field 'b' in element {a: 5}"],
    [
      list(),
      { $push: { a: { $each: 1 } } },
      2,
      'The argument to $each in $push must be an array but it was of type: int',
    ],
    [
      list(),
      { $push: { a: { $each: [], $foo: 1 } } },
      2,
      'Unrecognized clause in $push: $foo: the embedded database does not have it',
    ],
    [
      list(),
      { $push: { a: { $each: [], $slice: 'x' } } },
      2,
      'The value for $slice must be an integer value but was given type: string',
    ],
    [list(), { $push: { a: { $each: [], $slice: 1.5 } } }, 2, /\$slice must be an integer/],
  ]);
});

describe('$addToSet', () => {
  cases([
    [{ _id: 1 }, { $addToSet: { a: 1 } }, list(1)],
    [list(1), { $addToSet: { a: 1 } }, list(1)],
    [list(1), { $addToSet: { a: new Double(1) } }, list(1)],
    [list(1), { $addToSet: { a: 2 } }, list(1, 2)],
    [list(1), { $addToSet: { a: [1] } }, list(1, [1])],
    [list(1), { $addToSet: { a: { $each: [1, 2, 2, 3] } } }, list(1, 2, 3)],
    [{ _id: 1 }, { $addToSet: { a: { $each: [2, 2] } } }, list(2)],
    [list(1, 1), { $addToSet: { a: 2 } }, list(1, 1, 2)],
    [list({ x: 1, y: 2 }), { $addToSet: { a: { x: 1, y: 2 } } }, list({ x: 1, y: 2 })],
    [list({ x: 1, y: 2 }), { $addToSet: { a: { y: 2, x: 1 } } }, list({ x: 1, y: 2 }, { y: 2, x: 1 })],
  ]);

  refuses([
    [
      { _id: 1, a: 5 },
      { $addToSet: { a: 1 } },
      2,
      "Cannot apply $addToSet to non-array field. Field named 'a' has non-array type int",
    ],
    [
      list(),
      { $addToSet: { a: { $each: 1 } } },
      14,
      'The argument to $each in $addToSet must be an array but it was of type int',
    ],
    [list(), { $addToSet: { a: { $each: [], $slice: 1 } } }, 2, /^Found unexpected fields after \$each/],
  ]);
});

describe('$pull', () => {
  cases([
    [list(1, 2, 1), { $pull: { a: 1 } }, list(2)],
    [list({ x: 1, y: 1 }, { x: 2 }), { $pull: { a: { x: 1 } } }, list({ x: 2 })],
    [list({ x: 1 }, { x: 2 }), { $pull: { a: { x: { $gt: 1 } } } }, list({ x: 1 })],
    [list({ x: 1 }, 5), { $pull: { a: {} } }, list(5)],
    [list([1, 2], [3]), { $pull: { a: [1, 2] } }, list([3])],
    [list(null, 1), { $pull: { a: null } }, list(1)],
    [{ _id: 1 }, { $pull: { a: 1 } }, { _id: 1 }],
    [list({ b: [1, 2] }), { $pull: { 'a.0.b': 1 } }, list({ b: [2] })],
  ]);

  refuses([
    [{ _id: 1, a: 5 }, { $pull: { a: 1 } }, 2, 'Cannot apply $pull to a non-array value'],
    [{ _id: 1, a: 5 }, { $pull: { 'a.b': 1 } }, 28, /^Cannot use the part \(b\)/],
    ...[{ $gte: 2 }, { $nope: 1 }, /^a/].map((a): [Document, Document, number, string] => [
      list(1, 2),
      { $pull: { a } },
      115,
      '$pull by conditions on values is not supported by the embedded engine',
    ]),
  ]);
});
