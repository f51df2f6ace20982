import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  calculate,
  makeDouble,
  toBigInt,
  toDouble,
  widerType,
  exactLong,
  truncateToLong,
} from '#models/engine/values/arithmetic.ts';
import { decimalFromDouble, unpackDecimal, type Finite } from '#models/engine/values/decimal.ts';
import { bareNumber, compareNumbers } from '#models/engine/values/numbers.ts';
import { Decimal128, Double, Int32, Long, T, typeOf } from '#models/engine/values/types.ts';
import { dec, int32, int64, number } from './arbitrary.ts';

const long = (text: string): Long => Long.fromString(text);
const MAX = long('9223372036854775807');
const MIN = long('-9223372036854775808');

/** A number as a fraction of whole numbers, for comparing exactly; undefined for NaN and the infinities. */
function fraction(value: unknown): [bigint, bigint] | undefined {
  const bare = bareNumber(value);
  if (typeof bare === 'bigint') return [bare, 1n];
  const d = bare instanceof Decimal128 ? unpackDecimal(bare) : decimalFromDouble(bare);
  if (d.kind !== 'finite') return undefined;
  const { coeff, exp, neg } = d as Finite;
  const size = neg ? -coeff : coeff;
  return exp >= 0 ? [size * 10n ** BigInt(exp), 1n] : [size, 10n ** BigInt(-exp)];
}

describe('comparing numbers', () => {
  it('is exact across int, long, double and decimal', () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        const [x, y] = [fraction(a), fraction(b)];
        fc.pre(x !== undefined && y !== undefined);
        const left = (x as [bigint, bigint])[0] * (y as [bigint, bigint])[1];
        const right = (y as [bigint, bigint])[0] * (x as [bigint, bigint])[1];
        expect(compareNumbers(a, b)).toBe(left < right ? -1 : left > right ? 1 : 0);
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
    [dec('0.1'), 0.1, -1],
    [dec('0.5'), 0.5, 0],
    [dec('1E+400'), Infinity, -1],
    [dec('NaN'), NaN, 0],
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
    expect(widerType(T.double, T.decimal)).toBe(T.decimal);
  });

  it.each<['add' | 'multiply', unknown, unknown, unknown]>([
    ['add', 1, 2, 3],
    ['add', 2147483647, 1, Long.fromNumber(2147483648)],
    ['add', 1, Long.fromNumber(2), Long.fromNumber(3)],
    ['add', 1, 0.5, 1.5],
    ['add', 0.5, 0.5, new Double(1)],
    ['add', new Double(1), 1, new Double(2)],
    ['add', MAX, 1, undefined],
    ['add', MAX, new Double(1), 9223372036854775808],
    ['multiply', 65536, 65536, Long.fromNumber(4294967296)],
    ['multiply', MAX, 2, undefined],
    ['multiply', 3, new Double(2), new Double(6)],
  ])('%s %s %s', (operation, a, b, expected) => {
    expect(calculate(operation, a, b)).toEqual(expected);
  });

  it('is no decimal: they are stored and compared, not calculated with', () => {
    expect(() => calculate('add', 1, dec('0.10'))).toThrow('arithmetic with Decimal128 is not supported');
  });

  it('is exact for whole numbers or undefined', () => {
    fc.assert(
      fc.property(fc.oneof(int32, int64), fc.oneof(int32, int64), (a, b) => {
        const sum = toBigInt(a) + toBigInt(b);
        const result = calculate('add', a, b);
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

describe('whole numbers in other numbers', () => {
  it.each<[unknown, bigint | undefined, bigint | undefined]>([
    [5, 5n, 5n],
    [new Double(5), 5n, 5n],
    [5.9, 5n, undefined],
    [-5.9, -5n, undefined],
    [dec('7.0'), 7n, 7n],
    [dec('7.5'), 7n, undefined],
    [dec('-7.5'), -7n, undefined],
    [dec('1E+3'), 1000n, 1000n],
    [dec('1E+30'), undefined, undefined],
    [dec('NaN'), undefined, undefined],
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
