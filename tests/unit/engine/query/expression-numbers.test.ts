import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toBigInt } from '#models/engine/values/arithmetic.ts';
import { Double, Long, typeNameOf } from '#models/engine/values/types.ts';
import { dec, int32, int64 } from '../values/arbitrary.ts';
import { codeOf, evaluate, failure } from './support.ts';

const L = (n: number | string): Long => Long.fromString(String(n));
const D = (n: number): Double => new Double(n);
const MAX = L('9223372036854775807');

function cases(list: [spec: unknown, expected: unknown][]): void {
  it.each(list)('%o is %o', (spec, expected) => {
    expect(evaluate(spec, { n: null, s: 'x' })).toEqual(expected);
  });
}

function refuses(list: [spec: unknown, code: number, message: string][]): void {
  it.each(list)('refuses %o', (spec, code, message) => {
    expect(failure(() => evaluate(spec, { s: 'x' }))).toEqual({ code, message });
  });
}

describe('$add', () => {
  cases([
    [{ $add: [1, 2] }, 3],
    [{ $add: [] }, 0],
    [{ $add: 5 }, 5],
    [{ $add: [2147483647, 1] }, L(2147483648)],
    [{ $add: [1, L(2)] }, L(3)],
    [{ $add: [1, 0.5] }, 1.5],
    [{ $add: [1, D(1)] }, D(2)],
    [{ $add: [MAX, 1] }, 9223372036854775808],
    [{ $add: [1, '$n', 's'] }, null],
    [{ $add: [1, '$nothing'] }, null],
    [{ $add: [new Date(5), 3] }, new Date(8)],
    [{ $add: [3, new Date(5), 1.6] }, new Date(10)],
    [{ $add: [0.1, 0.2] }, 0.1 + 0.2],
  ]);
  refuses([
    [{ $add: [1, '$s'] }, 14, '$add only supports numeric or date types, not string'],
    [{ $add: [new Date(1), new Date(2)] }, 16612, 'only one date allowed in an $add expression'],
    [{ $add: [new Date(1), 1e300] }, 15, 'date overflow in $add'],
  ]);
});

describe('$subtract', () => {
  cases([
    [{ $subtract: [5, 3] }, 2],
    [{ $subtract: [-2147483648, 1] }, L(-2147483649)],
    [{ $subtract: [L('-9223372036854775808'), 1] }, -9223372036854775808],
    [{ $subtract: [1.5, 1] }, 0.5],
    [{ $subtract: [new Date(10), new Date(4)] }, L(6)],
    [{ $subtract: [new Date(10), 4] }, new Date(6)],
    [{ $subtract: [new Date(10), 4.9] }, new Date(6)],
    [{ $subtract: ['$n', 1] }, null],
    [{ $subtract: [1, '$n'] }, null],
  ]);
  refuses([
    [{ $subtract: [1, '$s'] }, 14, "can't $subtract string from int"],
    [{ $subtract: [1, new Date(1)] }, 14, "can't $subtract date from int"],
    [{ $subtract: [new Date(1), 'x'] }, 14, "can't $subtract string from date"],
    [{ $subtract: [1] }, 16020, 'Expression $subtract takes exactly 2 arguments. 1 were passed in.'],
  ]);
});

describe('$multiply', () => {
  cases([
    [{ $multiply: [3, 4] }, 12],
    [{ $multiply: [] }, 1],
    [{ $multiply: [65536, 65536] }, L(4294967296)],
    [{ $multiply: [MAX, 2] }, 18446744073709551616],
    [{ $multiply: [2, 0.5] }, D(1)],
    [{ $multiply: [2, '$n'] }, null],
    [{ $multiply: [0, Infinity] }, NaN],
  ]);
  refuses([[{ $multiply: [2, true] }, 14, '$multiply only supports numeric types, not bool']]);
});

describe('$divide', () => {
  cases([
    [{ $divide: [6, 3] }, D(2)],
    [{ $divide: [1, 4] }, 0.25],
    [{ $divide: ['$n', 4] }, null],
    [{ $divide: [0, '$nothing'] }, null],
  ]);
  refuses([
    [{ $divide: [1, 0] }, 2, "can't $divide by zero"],
    [{ $divide: [1, 'x'] }, 14, '$divide only supports numeric types, not int and string'],
  ]);
});

describe('$mod', () => {
  cases([
    [{ $mod: [7, 3] }, 1],
    [{ $mod: [-7, 3] }, -1],
    [{ $mod: [7, D(3)] }, 1],
    [{ $mod: [D(7), 3] }, D(1)],
    [{ $mod: [7.5, 2] }, 1.5],
    [{ $mod: [7, 2.5] }, D(2)],
    [{ $mod: [L(7), 3] }, L(1)],
    [{ $mod: ['$n', 3] }, null],
  ]);
  refuses([
    [{ $mod: [7, 0] }, 16610, "can't $mod by zero"],
    [{ $mod: [7, 'x'] }, 16611, '$mod only supports numeric types, not int and string'],
  ]);
});

describe('whole numbers', () => {
  it('are added, subtracted and multiplied exactly while they fit', () => {
    fc.assert(
      fc.property(fc.oneof(int32, int64), fc.oneof(int32, int64), (a, b) => {
        const [x, y] = [toBigInt(a), toBigInt(b)];
        const exact = { $add: x + y, $subtract: x - y, $multiply: x * y };
        for (const [op, n] of Object.entries(exact)) {
          const result = evaluate({ [op]: [a, b] });
          if (BigInt.asIntN(64, n) === n) expect(toBigInt(result)).toBe(n);
          else expect(typeNameOf(result)).toBe('double');
        }
      }),
    );
  });

  it('take no unknown operator', () => {
    expect(codeOf(() => evaluate({ $plus: [1, 2] }))).toBe(168);
  });
});

describe('decimals', () => {
  it.each(['$add', '$subtract', '$multiply', '$divide', '$mod'])('are refused by %s', (op) => {
    expect(failure(() => evaluate({ [op]: [dec('1.5'), 2] })).code).toBe(115);
    expect(failure(() => evaluate({ [op]: [2, dec('1.5')] })).code).toBe(115);
  });
});
