import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareStrings, compareValues, equalValues } from '#models/engine/query/compare.ts';
import {
  BSONRegExp,
  Binary,
  Double,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from '#models/engine/values/types.ts';
import { anyValue } from '../values/arbitrary.ts';

const oid = (last: number): ObjectId => new ObjectId(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last));

/** One or more values of each type, in the server's order of types. */
const ASCENDING: unknown[][] = [
  [new MinKey()],
  [undefined],
  [null],
  [NaN, -Infinity, Long.MIN_VALUE, -1.5, -1, 0, 1, 1.5, Long.MAX_VALUE, Infinity],
  ['', 'A', 'a', 'b', 'é', '\ue000', '🌱'],
  [{}, { a: 1 }, { a: 2 }, { b: 1 }, { a: 'x' }],
  [[], [1], [1, 1], [2], ['a']],
  [
    new Binary(Uint8Array.of()),
    new Binary(Uint8Array.of(9)),
    new Binary(Uint8Array.of(1), 4),
    new Binary(Uint8Array.of(0, 0)),
  ],
  [oid(1), oid(2)],
  [false, true],
  [new Date(-1), new Date(0), new Date(1)],
  [new Timestamp({ t: 1, i: 2 }), new Timestamp({ t: 2, i: 1 }), new Timestamp({ t: 4294967295, i: 1 })],
  [new BSONRegExp('a', 'i'), new BSONRegExp('b', ''), /b/i],
  [new MaxKey()],
];

describe('the order of values', () => {
  const groups = ASCENDING.flatMap((values, type) => values.map((value, at) => ({ value, type, at })));

  it('is by type first, then within the type', () => {
    for (const a of groups) {
      for (const b of groups) {
        const sameType = a.type === b.type;
        const expected = sameType ? Math.sign(a.at - b.at) : Math.sign(a.type - b.type);
        expect([a, b, compareValues(a.value, b.value)]).toEqual([a, b, expected]);
      }
    }
  });

  it('is total: antisymmetric and transitive', () => {
    fc.assert(
      fc.property(anyValue, anyValue, anyValue, (a, b, c) => {
        expect(compareValues(a, b)).toBe(0 - compareValues(b, a));
        const [x, y, z] = [a, b, c].sort(compareValues);
        expect(compareValues(x, y)).toBeLessThanOrEqual(0);
        expect(compareValues(y, z)).toBeLessThanOrEqual(0);
        expect(compareValues(x, z)).toBeLessThanOrEqual(0);
      }),
      { numRuns: 500 },
    );
  });

  it('holds every value equal to itself', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(compareValues(value, value)).toBe(0);
        expect(equalValues(value, value)).toBe(true);
      }),
    );
  });

  it.each<[string, unknown, unknown, number]>([
    ['numbers by value, whatever their type', new Double(1), 1, 0],
    ['documents by the order of their fields', { a: 1, b: 2 }, { b: 2, a: 1 }, -1],
    ['documents by type before name', { b: 1 }, { a: 'x' }, -1],
    ['documents by name before value', { a: 2 }, { b: 1 }, -1],
    ['the shorter document first', { a: 1 }, { a: 1, b: 1 }, -1],
    ['nested documents', { a: { b: 1 } }, { a: { b: 2 } }, -1],
    ['the shorter array first', [1], [1, null], -1],
    [
      'binary data by length before content',
      new Binary(Uint8Array.of(9)),
      new Binary(Uint8Array.of(1, 1)),
      -1,
    ],
    [
      'binary data by subtype before content',
      new Binary(Uint8Array.of(9), 0),
      new Binary(Uint8Array.of(1), 3),
      -1,
    ],
    ['timestamps without a sign', new Timestamp({ t: 0x80000000, i: 0 }), new Timestamp({ t: 1, i: 0 }), 1],
    ['missing before null', undefined, null, -1],
  ])('%s', (_, a, b, expected) => {
    expect(compareValues(a, b)).toBe(expected);
    expect(compareValues(b, a)).toBe(0 - expected);
  });
});

describe('the order of strings', () => {
  it('is that of their UTF-8 bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        expect(compareStrings(a, b)).toBe(Math.sign(Buffer.from(a).compare(Buffer.from(b))));
      }),
      { numRuns: 500 },
    );
  });

  it('puts characters beyond the basic plane last', () => {
    const [basic, beyond] = ['\uffff', '\u{10000}'] as const;
    expect(compareStrings(basic, beyond)).toBe(-1);
    // JavaScript's own order is that of code units.
    expect([basic, beyond].toSorted()).toEqual([beyond, basic]);
  });
});
