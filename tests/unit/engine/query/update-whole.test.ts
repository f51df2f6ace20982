import { describe, expect, it } from 'vitest';
import { isReplacement } from '#models/engine/query/index.ts';
import { Binary, Double, Long, type Document } from '#models/engine/values/types.ts';
import { bytes, codeOf, failure, keysOf, updated } from './support.ts';

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

describe('the rules for every update', () => {
  refuses([
    [
      { _id: 1 },
      { $set: { _id: 2 } },
      66,
      "Performing an update on the path '_id' would modify the immutable field '_id'",
    ],
    [{ _id: 1 }, { $set: { _id: new Double(1) } }, 66, /immutable field '_id'/],
    [{ _id: 1 }, { $unset: { _id: 1 } }, 66, /immutable field '_id'/],
    [{ _id: { a: 1 } }, { $set: { '_id.a': 2 } }, 66, /immutable field '_id'/],
    [{ _id: 1 }, { $set: { a: 1, 'a.b': 2 } }, 40, "Updating the path 'a.b' would create a conflict at 'a'"],
    [{ _id: 1 }, { $set: { 'a.b': 2, a: 1 } }, 40, "Updating the path 'a' would create a conflict at 'a'"],
    [
      { _id: 1 },
      { $set: { a: 1 }, $inc: { a: 1 } },
      40,
      "Updating the path 'a' would create a conflict at 'a'",
    ],
    [
      { _id: 1 },
      { $set: { 'a.b.c': 1 }, $unset: { 'a.b': 1 } },
      40,
      "Updating the path 'a.b' would create a conflict at 'a.b'",
    ],
    [{ _id: 1 }, { $foo: { a: 1 } }, 9, 'Unknown modifier: $foo: the embedded database does not have it'],
    [{ _id: 1 }, { $set: { a: 1 }, b: 1 }, 9, /^Unknown modifier: b/],
    [
      { _id: 1 },
      { $set: 5 },
      9,
      'Modifiers operate on fields but we found type int instead. For example: {$mod: {<field>: ...}} not {$set: 5}',
    ],
    [{ _id: 1 }, { $set: { '': 1 } }, 56, 'An empty update path is not valid.'],
    [
      { _id: 1 },
      { $set: { 'a..b': 1 } },
      56,
      "The update path 'a..b' contains an empty field name, which is not allowed.",
    ],
    [{ _id: 1 }, { $set: { 'a.': 1 } }, 56, /contains an empty field name/],
    [{ _id: 1 }, { $set: { 'a.$': 1 } }, 115, /^the positional operator '\$' in 'a\.\$' is not supported/],
    [{ _id: 1 }, { $set: { 'a.$[].b': 1 } }, 115, /^the positional operator '\$\[\]'/],
    [{ _id: 1 }, { $set: { 'a.$[x].b': 1 } }, 115, /^the positional operator '\$\[x\]'/],
    ...['$rename', '$currentDate', '$bit', '$mul', '$pop', '$pullAll'].map(
      (op): [Document, Document, number, RegExp] => [
        { _id: 1 },
        { [op]: { a: 'b' } },
        9,
        /^Unknown modifier: \$(rename|currentDate|bit|mul|pop|pullAll): the embedded database does not have it$/,
      ],
    ),
    [{}, { $set: { _id: [1] } }, 53, "The '_id' value cannot be of type array"],
    [{}, { $set: { _id: /x/ } }, 53, "The '_id' value cannot be of type regex"],
    [{}, { $set: { _id: { $a: 1 } } }, 52, /^_id fields may not contain/],
  ]);

  it('may set the _id an upsert does not have yet, and puts it first', () => {
    expect(keysOf(updated({ a: 1 }, { $set: { _id: 5 } }, { isUpsertInsert: true }))).toEqual(['_id', 'a']);
  });

  it('may not nest too deep', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 180; i++) deep = { a: deep };
    expect(codeOf(() => updated({ _id: 1 }, { $set: { a: deep } }))).toBe(15);
    expect(codeOf(() => updated({ _id: 1 }, { a: deep } as Document))).toBe(15);
  });
});

describe('replacement', () => {
  cases([
    [{ _id: 1, a: 1 }, { b: 2 }, { _id: 1, b: 2 }],
    [{ _id: 1, a: 1 }, {}, { _id: 1 }],
    [
      { _id: 1, a: 1 },
      { b: 2, _id: 1 },
      { _id: 1, b: 2 },
    ],
    [{ a: 1 }, { b: 2 }, { b: 2 }],
  ]);

  refuses([
    [
      { _id: 1 },
      { _id: 2 },
      66,
      "After applying the update, the (immutable) field '_id' was found to have been altered to _id: 2",
    ],
    [{ _id: 1 }, { a: 1, $set: { b: 1 } }, 52, /^The dollar \(\$\) prefixed field '\$set'/],
  ]);

  it('puts the _id first and keeps the other order', () => {
    expect(keysOf(updated({ _id: 1, a: 1 }, { z: 1, _id: 1, b: 2 }))).toEqual(['_id', 'z', 'b']);
  });

  it('is told from operators by its first field', () => {
    expect(isReplacement({})).toBe(true);
    expect(isReplacement({ a: { $set: 1 } })).toBe(true);
    expect(isReplacement({ $set: { a: 1 } })).toBe(false);
  });
});

describe('values of every type', () => {
  it('are unchanged by an update', () => {
    const doc = {
      _id: 1,
      d: new Double(1),
      l: Long.ONE,
      b: new Binary(Uint8Array.of(1), 4),
      n: -0,
    };
    const result = updated(doc, { $set: { x: 1 } });
    expect(bytes(result)).toBe(bytes({ ...doc, x: 1 }));
  });
});
