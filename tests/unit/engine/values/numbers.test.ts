import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  add,
  makeDouble,
  toBigInt,
  toDouble,
  widerType,
  exactLong,
  truncateToLong,
  compareNumbers,
} from '#models/engine/values/numbers.ts';
import { Double, Int32, Long, T, typeOf } from '#models/engine/values/types.ts';
import { int32, int64, number } from './arbitrary.ts';

const long = (text: string): Long => Long.fromString(text);
const MAX = long('9223372036854775807');
const MIN = long('-9223372036854775808');

/** A number as a whole one of very small units, for comparing exactly; undefined for NaN and the infinities. */
function units(value: unknown): bigint | undefined {
  if (typeOf(value) !== T.double) return toBigInt(value) << 1074n;
  const x = toDouble(value);
  if (!Number.isFinite(x)) return undefined;
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, Math.abs(x));
  const biased = bits.getBigUint64(0) >> 52n;
  const fraction = bits.getBigUint64(0) & 0xfffffffffffffn;
  const size = biased === 0n ? fraction : (fraction | 0x10000000000000n) << (biased - 1n);
  return x < 0 ? -size : size;
}

describe('comparing numbers', () => {
  it('is exact across int, long and double', () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        const [x, y] = [units(a), units(b)];
        if (x === undefined || y === undefined) return fc.pre(false);
        expect(compareNumbers(a, b)).toBe(x < y ? -1 : x > y ? 1 : 0);
      }),
      { numRuns: 1000 },
    );
  });

  it.each<[unknown, unknown, number]>([
    [1, new Double(1), 0],
    [new Int32(1), Long.fromNumber(1), 0],
    [0, -0, 0],
    [long('9007199254740993'), 9007199254740992, 1],
    [long('9007199254740993'), long('9007199254740992'), 1],
    [MAX, 9223372036854775808, -1],
    [MIN, -9223372036854775808, 0],
    [NaN, -Infinity, -1],
    [NaN, NaN, 0],
    [NaN, MIN, -1],
    [5n, 5, 0],
  ])('%s and %s give %i', (a, b, expected) => {
    expect(compareNumbers(a, b)).toBe(expected);
    expect(compareNumbers(b, a)).toBe(0 - expected);
  });
});

describe('the type of a result', () => {
  it('is the wider of the two', () => {
    expect(widerType(T.int, T.int)).toBe(T.int);
    expect(widerType(T.int, T.long)).toBe(T.long);
    expect(widerType(T.long, T.double)).toBe(T.double);
  });

  it.each<[unknown, unknown, unknown]>([
    [1, 2, 3],
    [2147483647, 1, Long.fromNumber(2147483648)],
    [1, Long.fromNumber(2), Long.fromNumber(3)],
    [1, 0.5, 1.5],
    [0.5, 0.5, new Double(1)],
    [new Double(1), 1, new Double(2)],
    [MAX, 1, undefined],
    [MAX, new Double(1), 9223372036854775808],
  ])('%s and %s make %s', (a, b, expected) => {
    expect(add(a, b)).toEqual(expected);
  });

  it('is exact for integers, or undefined', () => {
    fc.assert(
      fc.property(fc.oneof(int32, int64), fc.oneof(int32, int64), (a, b) => {
        const sum = toBigInt(a) + toBigInt(b);
        const result = add(a, b);
        if (BigInt.asIntN(64, sum) !== sum) expect(result).toBeUndefined();
        else expect(toBigInt(result)).toBe(sum);
      }),
    );
  });

  it('never mistakes a double for an int', () => {
    fc.assert(
      fc.property(fc.double(), (x) => {
        expect(typeOf(makeDouble(x))).toBe(T.double);
        expect(Object.is(toDouble(makeDouble(x)), x)).toBe(true);
      }),
    );
  });
});

describe('integers in other types', () => {
  it.each<[unknown, bigint | undefined, bigint | undefined]>([
    [5, 5n, 5n],
    [new Double(5), 5n, 5n],
    [5.9, 5n, undefined],
    [-5.9, -5n, undefined],
    [NaN, undefined, undefined],
    [Infinity, undefined, undefined],
    [1e19, undefined, undefined],
    [-9223372036854775808, -(2n ** 63n), -(2n ** 63n)],
    [9223372036854775808, undefined, undefined],
    [MAX, 2n ** 63n - 1n, 2n ** 63n - 1n],
    ['5', undefined, undefined],
    [null, undefined, undefined],
  ])('%s holds %s, exactly %s', (value, truncated, exact) => {
    if (typeof value !== 'string' && value !== null) expect(truncateToLong(value)).toBe(truncated);
    expect(exactLong(value)).toBe(exact);
  });
});
