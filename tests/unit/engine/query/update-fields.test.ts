import { describe, expect, it } from 'vitest';
import { Double, Long, typeNameOf, type Document } from '#models/engine/values/types.ts';
import { bytes, failure, keysOf, updated } from './support.ts';

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

describe('$set', () => {
  cases([
    [{ _id: 1 }, { $set: { a: 1 } }, { _id: 1, a: 1 }],
    [{ _id: 1, a: 1 }, { $set: { a: { b: [1] } } }, { _id: 1, a: { b: [1] } }],
    [{ _id: 1 }, { $set: { 'a.b.c': 1 } }, { _id: 1, a: { b: { c: 1 } } }],
    [{ _id: 1, a: { b: 1 } }, { $set: { 'a.c': 2 } }, { _id: 1, a: { b: 1, c: 2 } }],
    [{ _id: 1 }, { $set: { 'a.0': 1 } }, { _id: 1, a: { 0: 1 } }],
    [{ _id: 1, a: [1, 2] }, { $set: { 'a.0': 9 } }, { _id: 1, a: [9, 2] }],
    [{ _id: 1, a: [1] }, { $set: { 'a.3': 9 } }, { _id: 1, a: [1, null, null, 9] }],
    [{ _id: 1, a: [1] }, { $set: { 'a.2.b': 9 } }, { _id: 1, a: [1, null, { b: 9 }] }],
    [{ _id: 1, a: [{ b: 1 }] }, { $set: { 'a.0.b': 9 } }, { _id: 1, a: [{ b: 9 }] }],
    [{ _id: 1, a: 1 }, { $set: {} }, { _id: 1, a: 1 }],
    [{ _id: 1 }, { $set: { _id: 1, a: 2 } }, { _id: 1, a: 2 }],
    [{ _id: 1 }, { $set: { 'a.$b': 1 } }, { _id: 1, a: { $b: 1 } }],
    [{ _id: 1 }, { $set: { a: { $b: 1, 'c.d': 2 } } }, { _id: 1, a: { $b: 1, 'c.d': 2 } }],
  ]);

  refuses([
    [{ _id: 1, a: 5 }, { $set: { 'a.b': 1 } }, 28, "Cannot create field 'b' in element {a: 5}"],
    [{ _id: 1, a: null }, { $set: { 'a.b': 1 } }, 28, "Cannot create field 'b' in element {a: null}"],
    [{ _id: 1, a: [1] }, { $set: { 'a.b': 1 } }, 28, "Cannot create field 'b' in element {a: [ 1 ]}"],
    [{ _id: 1, a: { b: 'x' } }, { $set: { 'a.b.c': 1 } }, 28, `Cannot create field 'c' in element {b: "x"}`],
    [{ _id: 1, a: [] }, { $set: { 'a.2000000': 1 } }, 2, /can't backfill/],
    [{ _id: 1 }, { $set: { $a: 1 } }, 52, /^The dollar \(\$\) prefixed field '\$a' in '\$a' is not allowed/],
  ]);

  it('adds new fields in the order of their names, numbers by size', () => {
    expect(keysOf(updated({ _id: 1, z: 0 }, { $set: { b: 1, a: 1, B: 1 }, $inc: { aa: 1 } }))).toEqual([
      '_id',
      'z',
      'B',
      'a',
      'aa',
      'b',
    ]);
    expect(updated({ _id: 1, a: [] }, { $set: { 'a.10': 'ten', 'a.9': 'nine' } })['a']).toEqual([
      ...Array<null>(9).fill(null),
      'nine',
      'ten',
    ]);
  });

  it('keeps the place of fields that exist', () => {
    expect(keysOf(updated({ _id: 1, a: 1, b: 2 }, { $set: { a: { x: 1 } } }))).toEqual(['_id', 'a', 'b']);
  });

  it('creates several fields below one that is new', () => {
    expect(updated({ _id: 1 }, { $set: { 'a.b': 1, 'a.c': 2, 'a.d.e': 3 } })).toEqual({
      _id: 1,
      a: { b: 1, c: 2, d: { e: 3 } },
    });
    expect(updated({ _id: 1, a: [] }, { $set: { 'a.0.x': 1, 'a.0.y': 2 } })).toEqual({
      _id: 1,
      a: [{ x: 1, y: 2 }],
    });
  });

  it('shares no values with the update', () => {
    const value = { b: [1] };
    const result = updated({ _id: 1 }, { $set: { a: value } });
    value.b.push(2);
    expect(result).toEqual({ _id: 1, a: { b: [1] } });
  });

  it('stores fields with dangerous names safely', () => {
    const update = JSON.parse(
      '{"$set": {"__proto__.admin": true, "constructor.prototype.x": 1}}',
    ) as Document;
    const result = updated({ _id: 1 }, update);
    expect(keysOf(result)).toEqual(['_id', '__proto__', 'constructor']);
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
    expect((Object.prototype as { x?: number }).x).toBeUndefined();
  });
});

describe('$unset', () => {
  cases([
    [{ _id: 1, a: 1, b: 2 }, { $unset: { a: '' } }, { _id: 1, b: 2 }],
    [{ _id: 1, a: { b: 1, c: 2 } }, { $unset: { 'a.b': 1 } }, { _id: 1, a: { c: 2 } }],
    [{ _id: 1, a: [1, 2, 3] }, { $unset: { 'a.1': 1 } }, { _id: 1, a: [1, null, 3] }],
    [{ _id: 1, a: [{ b: 1 }] }, { $unset: { 'a.0.b': 1 } }, { _id: 1, a: [{}] }],
    [{ _id: 1 }, { $unset: { 'a.b': 1 } }, { _id: 1 }],
    [{ _id: 1, a: 5 }, { $unset: { 'a.b': 1 } }, { _id: 1, a: 5 }],
    [{ _id: 1, a: [1] }, { $unset: { 'a.5': 1, 'a.x': 1 } }, { _id: 1, a: [1] }],
  ]);
});

describe('$inc', () => {
  cases([
    [{ _id: 1, a: 1 }, { $inc: { a: 2 } }, { _id: 1, a: 3 }],
    [{ _id: 1 }, { $inc: { a: 2 } }, { _id: 1, a: 2 }],
    [{ _id: 1, a: 1 }, { $inc: { a: -2 } }, { _id: 1, a: -1 }],
    [{ _id: 1, a: 2147483647 }, { $inc: { a: 1 } }, { _id: 1, a: Long.fromNumber(2147483648) }],
    [{ _id: 1, a: 1 }, { $inc: { a: Long.fromNumber(1) } }, { _id: 1, a: Long.fromNumber(2) }],
    [{ _id: 1, a: 1 }, { $inc: { a: new Double(1) } }, { _id: 1, a: new Double(2) }],
    [{ _id: 1, a: 1 }, { $inc: { a: 0.5 } }, { _id: 1, a: 1.5 }],
    [{ _id: 1, a: -0 }, { $inc: { a: 0 } }, { _id: 1, a: -0 }],
    [{ _id: 1, a: 1 }, { $inc: { a: new Double(0) } }, { _id: 1, a: new Double(1) }],
    [
      { _id: 1, a: Long.fromString('9007199254740993') },
      { $inc: { a: 1 } },
      { _id: 1, a: Long.fromString('9007199254740994') },
    ],
    [{ _id: 1, a: { b: 1 } }, { $inc: { 'a.b': 1, 'a.c': 1 } }, { _id: 1, a: { b: 2, c: 1 } }],
    [{ _id: 1, a: [1, 2] }, { $inc: { 'a.1': 5 } }, { _id: 1, a: [1, 7] }],
  ]);

  refuses([
    [
      { _id: 1, a: 'x' },
      { $inc: { a: 1 } },
      14,
      "Cannot apply $inc to a value of non-numeric type. {_id: 1} has the field 'a' of non-numeric type string",
    ],
    [
      { _id: 1, o: { a: null } },
      { $inc: { 'o.a': 1 } },
      14,
      "Cannot apply $inc to a value of non-numeric type. {_id: 1} has the field 'a' of non-numeric type null",
    ],
    [{ _id: 1, a: 1 }, { $inc: { a: 'x' } }, 14, 'Cannot increment with non-numeric argument: {a: "x"}'],
    [
      { _id: 1, a: Long.MAX_VALUE },
      { $inc: { a: 1 } },
      2,
      'Failed to apply $inc operations to current value ((NumberLong)9223372036854775807) for document {_id: 1}',
    ],
  ]);
});

describe('$min and $max', () => {
  cases([
    [{ _id: 1, a: 5 }, { $min: { a: 3 } }, { _id: 1, a: 3 }],
    [{ _id: 1, a: 5 }, { $min: { a: 7 } }, { _id: 1, a: 5 }],
    [{ _id: 1, a: 5 }, { $max: { a: 7 } }, { _id: 1, a: 7 }],
    [{ _id: 1 }, { $max: { a: 7 } }, { _id: 1, a: 7 }],
    [{ _id: 1 }, { $min: { a: 7 } }, { _id: 1, a: 7 }],
    [{ _id: 1, a: 'x' }, { $max: { a: 7 } }, { _id: 1, a: 'x' }],
    [{ _id: 1, a: 'x' }, { $min: { a: 7 } }, { _id: 1, a: 7 }],
    [{ _id: 1, a: null }, { $max: { a: 7 } }, { _id: 1, a: 7 }],
    [{ _id: 1, a: new Date(5) }, { $max: { a: new Date(6) } }, { _id: 1, a: new Date(6) }],
    [{ _id: 1, a: { x: 1 } }, { $min: { a: { x: 0 } } }, { _id: 1, a: { x: 0 } }],
  ]);

  it('keep the value and its type when both are equal', () => {
    expect(typeNameOf(updated({ _id: 1, a: 1 }, { $max: { a: new Double(1) } })['a'])).toBe('int');
  });
});
