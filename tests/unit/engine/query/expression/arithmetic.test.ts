import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toBigInt } from '#models/engine/values/arithmetic.ts';
import { Double, Long, typeNameOf } from '#models/engine/values/types.ts';
import { dec, int32, int64 } from '../../values/arbitrary.ts';
import { codeOf, evaluate, failure } from '../support.ts';

const L = (n: number | string): Long => Long.fromString(String(n));
const D = (n: number): Double => new Double(n);
const MAX = L('9223372036854775807');

function cases(list: [spec: unknown, expected: unknown][]): void {
  it.each(list)('%o is %o', (spec, expected) => {
    expect(evaluate(spec, { n: null, s: 'x' })).toEqual(expected);
  });
}

function decimals(list: [spec: unknown, expected: string][]): void {
  it.each(list)('%o is %s', (spec, expected) => {
    const value = evaluate(spec);
    expect([typeNameOf(value), String(value)]).toEqual(['decimal', expected]);
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
    [{ $add: [new Date(5), dec('3')] }, new Date(8)],
    [{ $add: [0.1, 0.2] }, 0.1 + 0.2],
  ]);
  decimals([
    [{ $add: [dec('0.1'), dec('0.2')] }, '0.3'],
    [{ $add: [1, dec('0.10')] }, '1.10'],
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
  decimals([[{ $subtract: [dec('1.0'), 1] }, '0.0']]);
  refuses([
    [{ $subtract: [1, '$s'] }, 14, "can't $subtract string from int"],
    [{ $subtract: [1, new Date(1)] }, 14, "can't $subtract date from int"],
    [{ $subtract: [new Date(1), 'x'] }, 14, "can't $subtract string from Date"],
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
  decimals([[{ $multiply: [2, dec('1.10')] }, '2.20']]);
  refuses([[{ $multiply: [2, true] }, 14, '$multiply only supports numeric types, not bool']]);
});

describe('$divide', () => {
  cases([
    [{ $divide: [6, 3] }, D(2)],
    [{ $divide: [1, 4] }, 0.25],
    [{ $divide: ['$n', 4] }, null],
    [{ $divide: [0, '$nothing'] }, null],
  ]);
  decimals([[{ $divide: [dec('1'), 3] }, '0.3333333333333333333333333333333333']]);
  refuses([
    [{ $divide: [1, 0] }, 2, "can't $divide by zero"],
    [{ $divide: [1, dec('0.0')] }, 2, "can't $divide by zero"],
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
  decimals([[{ $mod: [dec('7.5'), 2] }, '1.5']]);
  refuses([
    [{ $mod: [7, 0] }, 16610, "can't $mod by zero"],
    [{ $mod: [dec('7'), 0] }, 5733415, "can't $mod by zero"],
    [{ $mod: [7, 'x'] }, 16611, '$mod only supports numeric types, not int and string'],
  ]);
});

describe('$pow', () => {
  cases([
    [{ $pow: [2, 10] }, 1024],
    [{ $pow: [2, 31] }, L(2147483648)],
    [{ $pow: [2, 62] }, L('4611686018427387904')],
    [{ $pow: [2, 63] }, 9223372036854775808],
    [{ $pow: [-2, 63] }, L('-9223372036854775808')],
    [{ $pow: [2, -1] }, 0.5],
    [{ $pow: [0, 0] }, 1],
    [{ $pow: [0, 5] }, 0],
    [{ $pow: [1, -5] }, 1],
    [{ $pow: [-1, -5] }, -1],
    [{ $pow: [-1, 4] }, 1],
    [{ $pow: [L(2), 2] }, L(4)],
    [{ $pow: [4, 0.5] }, D(2)],
    [{ $pow: ['$n', 2] }, null],
  ]);
  refuses([
    [{ $pow: [0, -1] }, 28764, '$pow cannot take a base of 0 and a negative exponent'],
    [{ $pow: ['x', 1] }, 28762, "$pow's base must be numeric, not string"],
    [{ $pow: [1, 'x'] }, 28763, "$pow's exponent must be numeric, not string"],
    [{ $pow: [dec('2'), 2] }, 115, '$pow for decimals is not supported by the embedded engine'],
  ]);
});

describe('rounding', () => {
  cases([
    [{ $abs: -5 }, 5],
    [{ $abs: -2147483648 }, L(2147483648)],
    [{ $abs: L(-5) }, L(5)],
    [{ $abs: -1.5 }, 1.5],
    [{ $abs: '$n' }, null],
    [{ $ceil: 1.2 }, D(2)],
    [{ $ceil: -1.2 }, D(-1)],
    [{ $ceil: 5 }, 5],
    [{ $floor: 1.9 }, D(1)],
    [{ $floor: -1.1 }, D(-2)],
    [{ $floor: [L(5)] }, L(5)],
    [{ $round: 2.5 }, D(2)],
    [{ $round: 3.5 }, D(4)],
    [{ $round: -2.5 }, D(-2)],
    [{ $round: [2.345, 2] }, 2.35],
    [{ $round: [1.005, 2] }, D(1)],
    [{ $round: [1234, -2] }, 1200],
    [{ $round: [1250, -2] }, 1200],
    [{ $round: [1350, -2] }, 1400],
    [{ $round: [5, 2] }, 5],
    [{ $round: [L(1250), -2] }, L(1200)],
    [{ $round: [2147483647, -1] }, L(2147483650)],
    [{ $round: [Infinity, 2] }, Infinity],
    [{ $round: ['$n', 2] }, null],
    [{ $round: [1.5, '$nothing'] }, null],
    [{ $trunc: 2.9 }, D(2)],
    [{ $trunc: -2.9 }, D(-2)],
    [{ $trunc: [2.999, 2] }, 2.99],
    [{ $trunc: [1299, -2] }, 1200],
  ]);
  decimals([
    [{ $abs: dec('-1.50') }, '1.50'],
    [{ $ceil: dec('1.2') }, '2'],
    [{ $floor: dec('-1.2') }, '-2'],
    [{ $round: [dec('2.345'), 2] }, '2.34'],
    [{ $round: [dec('1.5'), 3] }, '1.500'],
    [{ $round: [dec('Infinity'), 3] }, 'Infinity'],
    [{ $trunc: [dec('2.999'), 1] }, '2.9'],
    [{ $round: [dec('1E+33'), 5] }, 'NaN'],
  ]);
  refuses([
    [{ $abs: 'x' }, 28765, '$abs only supports numeric types, not string'],
    [{ $abs: L('-9223372036854775808') }, 28680, "can't take $abs of long long min"],
    [{ $round: 'x' }, 51081, '$round only supports numeric types, not string'],
    [{ $round: [1.5, 0.5] }, 51082, 'precision argument to  $round must be a integral value'],
    [
      { $round: [1.5, 101] },
      51083,
      'cannot apply $round with precision value 101 value must be in [-20, 100]',
    ],
    [
      { $round: [MAX, -1] },
      51080,
      'invalid conversion from Decimal128 result in $round resulting from arguments: [9223372036854775807, -1]',
    ],
    [
      { $round: [1, 2, 3] },
      28667,
      'Expression $round takes at least 1 arguments, and at most 2, but 3 were passed in.',
    ],
  ]);
});

describe('roots, logarithms, angles', () => {
  cases([
    [{ $sqrt: 9 }, D(3)],
    [{ $exp: 0 }, D(1)],
    [{ $ln: 1 }, D(0)],
    [{ $log10: 100 }, D(2)],
    [{ $log: [8, 2] }, D(3)],
    [{ $log: ['$n', 2] }, null],
    [{ $sqrt: '$n' }, null],
    [{ $sin: 0 }, D(0)],
    [{ $cos: 0 }, D(1)],
    [{ $tan: 0 }, D(0)],
    [{ $asin: 1 }, Math.PI / 2],
    [{ $acos: 1 }, D(0)],
    [{ $atan: 0 }, D(0)],
    [{ $atan2: [1, 0] }, Math.PI / 2],
    [{ $atan2: ['$n', 0] }, null],
    [{ $sinh: 0 }, D(0)],
    [{ $cosh: 0 }, D(1)],
    [{ $tanh: 0 }, D(0)],
    [{ $asinh: 0 }, D(0)],
    [{ $acosh: 1 }, D(0)],
    [{ $atanh: 0 }, D(0)],
    [{ $degreesToRadians: 180 }, Math.PI],
    [{ $radiansToDegrees: Math.PI }, D(180)],
  ]);
  refuses([
    [{ $sqrt: -1 }, 28714, "$sqrt's argument must be greater than or equal to 0"],
    [{ $ln: 0 }, 28766, "$ln's argument must be a positive number, but is 0"],
    [{ $log10: -1 }, 28761, "$log10's argument must be a positive number, but is -1"],
    [{ $log: [0, 2] }, 28758, "$log's argument must be a positive number, but is 0"],
    [{ $log: [8, 1] }, 28759, "$log's base must be a positive number not equal to 1, but is 1"],
    [{ $log: ['x', 2] }, 28756, "$log's argument must be numeric, not string"],
    [{ $log: [2, 'x'] }, 28757, "$log's base must be numeric, not string"],
    [{ $asin: 2 }, 50989, 'cannot apply $asin to 2, value must be in [-1,1]'],
    [{ $sin: Infinity }, 50989, 'cannot apply $sin to Infinity, value must be in (-inf,inf)'],
    [{ $sqrt: dec('2') }, 115, '$sqrt for decimals is not supported by the embedded engine'],
    [{ $log: [dec('2'), 2] }, 115, '$log for decimals is not supported by the embedded engine'],
    [{ $atan2: [dec('2'), 2] }, 115, '$atan2 for decimals is not supported by the embedded engine'],
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

  it('are put together again from quotient and remainder', () => {
    fc.assert(
      fc.property(
        int32,
        int32.filter((n) => n !== 0),
        (a, b) => {
          const whole = { $trunc: { $divide: [a, b] } };
          const sum = evaluate({ $add: [{ $multiply: [whole, b] }, { $mod: [a, b] }] }) as Double;
          expect(sum.value).toBe(a);
        },
      ),
    );
  });

  it('take no unknown operator', () => {
    expect(codeOf(() => evaluate({ $plus: [1, 2] }))).toBe(168);
  });
});
