import { describe, expect, it } from 'vitest';
import type { Document } from '#models/engine/values/types.ts';
import { bytes, codeOf, failure, updated } from './support.ts';

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

describe('$rename', () => {
  cases([
    [{ _id: 1, a: 1, b: 2 }, { $rename: { a: 'c' } }, { _id: 1, b: 2, c: 1 }],
    [{ _id: 1, a: 1, b: 2 }, { $rename: { a: 'b' } }, { _id: 1, b: 1 }],
    [{ _id: 1, a: { b: 1 } }, { $rename: { 'a.b': 'c.d' } }, { _id: 1, a: {}, c: { d: 1 } }],
    [{ _id: 1, a: { b: 1 } }, { $rename: { 'a.b': 'a.c' } }, { _id: 1, a: { c: 1 } }],
    [{ _id: 1 }, { $rename: { a: 'b' } }, { _id: 1 }],
    [{ _id: 1, a: 1 }, { $rename: { 'x.y': 'a' } }, { _id: 1, a: 1 }],
    [
      { _id: 1, a: 1, c: 3 },
      { $rename: { a: 'b' }, $set: { c: 4 } },
      { _id: 1, b: 1, c: 4 },
    ],
  ]);

  refuses([
    [{ _id: 1 }, { $rename: { a: 1 } }, 2, "The 'to' field for $rename must be a string: a: 1"],
    [{ _id: 1 }, { $rename: { a: 'a' } }, 2, 'The source and target field for $rename must differ: a: "a"'],
    [{ _id: 1 }, { $rename: { a: 'a.b' } }, 2, /must not be on the same path/],
    [{ _id: 1 }, { $rename: { 'a.b': 'a' } }, 2, /must not be on the same path/],
    [{ _id: 1 }, { $rename: { 'a.$': 'b' } }, 2, 'The source field for $rename may not be dynamic: a.$'],
    [
      { _id: 1 },
      { $rename: { a: 'b.$[]' } },
      2,
      'The destination field for $rename may not be dynamic: b.$[]',
    ],
    [
      { _id: 1, a: [{ b: 1 }] },
      { $rename: { 'a.0.b': 'c' } },
      2,
      "The source field cannot be an array element, 'a.0.b' in doc with _id: 1 has an array field called 'a'",
    ],
    [
      { _id: 1, a: 1, b: [1] },
      { $rename: { a: 'b.0' } },
      2,
      "The destination field cannot be an array element, 'b.0' in doc with _id: 1 has an array field called 'b'",
    ],
    [{ _id: 1, a: 1, b: 2 }, { $rename: { a: 'b.c' } }, 28, "Cannot create field 'c' in element {b: 2}"],
    [{ _id: 1, a: 1 }, { $rename: { a: 'b' }, $set: { a: 1 } }, 40, /conflict at 'a'/],
    [{ _id: 1, a: 1 }, { $rename: { a: 'b' }, $set: { b: 1 } }, 40, /conflict at 'b'/],
    [{ _id: 1 }, { $rename: { _id: 'b' } }, 66, /immutable field '_id'/],
  ]);
});

describe('$setOnInsert', () => {
  it('acts only when an upsert inserts', () => {
    const update = { $set: { a: 1 }, $setOnInsert: { b: 2, 'c.d': 3 } };
    expect(updated({ _id: 1 }, update)).toEqual({ _id: 1, a: 1 });
    expect(updated({ _id: 1 }, update, { isUpsertInsert: true })).toEqual({
      _id: 1,
      a: 1,
      b: 2,
      c: { d: 3 },
    });
  });

  it('conflicts with other operators all the same', () => {
    expect(codeOf(() => updated({ _id: 1 }, { $set: { a: 1 }, $setOnInsert: { a: 2 } }))).toBe(40);
  });
});
