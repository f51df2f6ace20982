import { Decimal128 } from 'bson';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDecimals,
  divideDecimals,
  multiplyDecimals,
  negateDecimal,
  quantizeDecimal,
  remainderDecimals,
  type Rounding,
} from '#models/engine/values/decimal-arithmetic.ts';
import {
  compareDecimals,
  decimalFromDouble,
  decimalFromDouble15,
  decimalFromString,
  decimalToBigInt,
  decimalToDouble,
  finite,
  packDecimal,
  roundToDigits,
  unpackDecimal,
  type Decimal,
  type Finite,
} from '#models/engine/values/decimal.ts';

const D = (text: string): Decimal => unpackDecimal(Decimal128.fromString(text));
const text = (d: Decimal): string => packDecimal(d).toString();

const SPECIALS = [
  'NaN',
  'Infinity',
  '-Infinity',
  '0',
  '-0',
  '0E+10',
  '1E-6176',
  '9.999999999999999999999999999999999E+6144',
];

describe('the binary format', () => {
  it.each([
    ...SPECIALS,
    '1',
    '-1',
    '1.50',
    '0.00',
    '123456789012345678901234567890.1234',
    '1E+6111',
    '-7.5E-300',
  ])('reads and writes %s without a change', (given) => {
    expect(text(D(given))).toBe(Decimal128.fromString(given).toString());
  });

  it('takes a coefficient beyond 34 digits for zero', () => {
    const bytes = new Uint8Array(16).fill(0xff);
    bytes[15] = 0x30;
    bytes[14] = 0x41;
    expect(text(unpackDecimal(new Decimal128(bytes)))).toBe('0');
  });

  it.each([
    ['10000000000000000000000000000000005', '1.000000000000000000000000000000000E+34'],
    ['10000000000000000000000000000000015', '1.000000000000000000000000000000002E+34'],
    ['99999999999999999999999999999999995', '1.000000000000000000000000000000000E+35'],
    ['99999999999999999999999999999999994', '9.999999999999999999999999999999999E+34'],
  ])('rounds %s to 34 digits, half to even', (given, expected) => {
    expect(text(decimalFromString(given) as Decimal)).toBe(expected);
  });

  it('gives infinity for too large and zero for too small', () => {
    expect(text(finite(false, 1n, 6200))).toBe('Infinity');
    expect(text(finite(true, 10n ** 33n, 6112))).toBe('-Infinity');
    expect(text(finite(false, 1n, 6120))).toBe('1.000000000E+6120');
    expect(text(finite(false, 1n, -7000))).toBe('0E-6176');
    expect(text(finite(false, 5n, -6177))).toBe('0E-6176');
    expect(text(finite(false, 6n, -6177))).toBe('1E-6176');
    expect(text(finite(false, 0n, 9000))).toBe('0E+6111');
  });
});

describe('reading text', () => {
  it.each([
    ['1', '1'],
    ['+1.5', '1.5'],
    ['-.5', '-0.5'],
    ['5.', '5'],
    ['1e3', '1E+3'],
    ['1E-3', '0.001'],
    ['inf', 'Infinity'],
    ['-Infinity', '-Infinity'],
    ['nan', 'NaN'],
    ['1e9999999', 'Infinity'],
    ['-1e-9999999', '-0E-6176'],
  ])('reads %s', (given, expected) => {
    expect(text(decimalFromString(given) as Decimal)).toBe(expected);
  });

  it.each(['', ' ', '1 ', 'e5', '1e', '.', '1.2.3', '0x10', 'one', '--1'])('refuses %j', (given) => {
    expect(decimalFromString(given)).toBeUndefined();
  });
});

describe('doubles', () => {
  it.each([
    [0.1, '0.1000000000000000055511151231257827', '0.100000000000000'],
    [1.5, '1.5', '1.50000000000000'],
    [100, '100', '100.000000000000'],
    [1e300, undefined, '1.00000000000000E+300'],
    [-2.25, '-2.25', '-2.25000000000000'],
    [0, '0', '0'],
    [-0, '-0', '-0'],
    [NaN, 'NaN', 'NaN'],
    [-Infinity, '-Infinity', '-Infinity'],
    [5e-324, '4.940656458412465441765687928682214E-324', '4.94065645841247E-324'],
  ])('become decimals exactly (%d), and to 15 digits', (x, exact, short) => {
    if (exact !== undefined) expect(text(decimalFromDouble(x))).toBe(exact);
    expect(text(decimalFromDouble15(x))).toBe(short);
  });

  it('come back from their exact decimal', () => {
    fc.assert(
      fc.property(fc.double(), (x) => {
        expect(Object.is(decimalToDouble(decimalFromDouble(x)), x)).toBe(true);
      }),
    );
  });

  it('are within 15 digits of their short decimal', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => {
        expect(decimalToDouble(decimalFromDouble15(x)) + 0).toBe(Number(x.toPrecision(15)) + 0);
      }),
    );
  });
});

const anyFinite = fc
  .record({
    neg: fc.boolean(),
    coeff: fc.bigInt({ min: 0n, max: 10n ** 34n - 1n }),
    exp: fc.integer({ min: -40, max: 40 }),
  })
  .map(({ neg, coeff, exp }) => finite(neg, coeff, exp) as Finite);

/** A decimal as a whole number of 10^-80. */
const scaled = (d: Finite): bigint => (d.neg ? -1n : 1n) * d.coeff * 10n ** BigInt(d.exp + 80);

describe('arithmetic', () => {
  it('orders as rational numbers do', () => {
    fc.assert(
      fc.property(anyFinite, anyFinite, (a, b) => {
        const [x, y] = [scaled(a), scaled(b)];
        expect(compareDecimals(a, b)).toBe(x < y ? -1 : x > y ? 1 : 0);
      }),
    );
  });

  it('adds exactly', () => {
    fc.assert(
      fc.property(anyFinite, anyFinite, (a, b) => {
        expect(scaled(addDecimals(a, b) as Finite)).toBe(scaled(a) + scaled(b));
      }),
    );
  });

  it('multiplies exactly', () => {
    fc.assert(
      fc.property(anyFinite, anyFinite, (a, b) => {
        const product = multiplyDecimals(a, b) as Finite;
        expect((product.neg ? -1n : 1n) * product.coeff * 10n ** BigInt(product.exp + 160)).toBe(
          scaled(a) * scaled(b),
        );
      }),
    );
  });

  it('divides to 34 digits: multiplied back it is within half a unit of the last place', () => {
    fc.assert(
      fc.property(
        anyFinite,
        anyFinite.filter((d) => d.coeff !== 0n),
        (a, b) => {
          const quotient = unpackDecimal(packDecimal(divideDecimals(a, b))) as Finite;
          const unit = finite(false, 1n, quotient.exp);
          const off = addDecimals(a, negateDecimal(multiplyDecimals(quotient, b)));
          const bound = multiplyDecimals(unit, b);
          const twice = multiplyDecimals(off, finite(false, 2n, 0)) as Finite;
          expect(
            compareDecimals({ ...twice, neg: false }, { ...(bound as Finite), neg: false }),
          ).toBeLessThanOrEqual(0);
        },
      ),
    );
  });

  it('leaves a remainder smaller than the divisor, with the sign of the dividend', () => {
    fc.assert(
      fc.property(
        anyFinite,
        anyFinite.filter((d) => d.coeff !== 0n),
        (a, b) => {
          const rest = remainderDecimals(a, b) as Finite;
          expect(scaled(rest)).toBe(scaled(a) % scaled(b));
        },
      ),
    );
  });

  it.each([
    ['1', '3', '0.3333333333333333333333333333333333'],
    ['2', '3', '0.6666666666666666666666666666666667'],
    ['6', '3', '2'],
    ['1', '8', '0.125'],
    ['1.00', '2', '0.50'],
    ['10', '4', '2.5'],
    ['0', '5', '0'],
    ['1', '0', 'Infinity'],
    ['-1', '0', '-Infinity'],
    ['0', '0', 'NaN'],
    ['Infinity', '2', 'Infinity'],
    ['Infinity', '-Infinity', 'NaN'],
    ['1', 'Infinity', '0E-6176'],
    ['NaN', '1', 'NaN'],
  ])('%s / %s = %s', (a, b, expected) => {
    expect(text(divideDecimals(D(a), D(b)))).toBe(expected);
  });

  it.each([
    ['Infinity', '-Infinity', 'NaN'],
    ['Infinity', '1', 'Infinity'],
    ['1', '-Infinity', '-Infinity'],
    ['NaN', '1', 'NaN'],
    ['0.1', '0.20', '0.30'],
    ['-0', '-0', '-0'],
    ['0', '-0', '0'],
    ['1E+6000', '1', '1.000000000000000000000000000000000E+6000'],
  ])('%s + %s = %s', (a, b, expected) => {
    expect(text(addDecimals(D(a), D(b)))).toBe(expected);
  });

  it.each([
    ['0', 'Infinity', 'NaN'],
    ['-2', 'Infinity', '-Infinity'],
    ['1.5', '-2', '-3.0'],
    ['NaN', '0', 'NaN'],
  ])('%s × %s = %s', (a, b, expected) => {
    expect(text(multiplyDecimals(D(a), D(b)))).toBe(expected);
  });

  it.each([
    ['5', '0', 'NaN'],
    ['5', 'Infinity', '5'],
    ['Infinity', '5', 'NaN'],
    ['-7', '3', '-1'],
    ['7.5', '2', '1.5'],
  ])('%s mod %s = %s', (a, b, expected) => {
    expect(text(remainderDecimals(D(a), D(b)))).toBe(expected);
  });

  it.each<[string, number, Rounding, string]>([
    ['2.5', 0, 'half-even', '2'],
    ['3.5', 0, 'half-even', '4'],
    ['-2.5', 0, 'half-even', '-2'],
    ['2.345', 2, 'half-even', '2.34'],
    ['2.1', 0, 'ceiling', '3'],
    ['-2.1', 0, 'ceiling', '-2'],
    ['2.9', 0, 'floor', '2'],
    ['-2.1', 0, 'floor', '-3'],
    ['-2.9', 0, 'truncate', '-2'],
    ['1234', -2, 'half-even', '1.2E+3'],
    ['0.0001', 0, 'ceiling', '1'],
    ['-0.0001', 0, 'floor', '-1'],
    ['0.0001', 0, 'floor', '0'],
    ['1E+3', 0, 'floor', '1E+3'],
    ['Infinity', 0, 'floor', 'Infinity'],
  ])('rounds %s to %i places (%s): %s', (given, places, mode, expected) => {
    expect(text(quantizeDecimal(D(given), places, mode))).toBe(expected);
  });

  it('cuts to digits and to whole numbers', () => {
    expect(text(roundToDigits(D('1.23456'), 3))).toBe('1.23');
    expect(decimalToBigInt(D('-12.9') as Finite)).toBe(-12n);
    expect(decimalToBigInt(D('1E-40') as Finite)).toBe(0n);
    expect(decimalToBigInt(D('1.5E+3') as Finite)).toBe(1500n);
  });

  it('orders the special values: NaN, then the negative, zero, the positive', () => {
    const ascending = ['NaN', '-Infinity', '-1', '0', '1E-6176', '1', 'Infinity'].map(D);
    for (let i = 0; i < ascending.length; i++) {
      for (let j = 0; j < ascending.length; j++) {
        expect(compareDecimals(ascending[i] as Decimal, ascending[j] as Decimal)).toBe(Math.sign(i - j));
      }
    }
    expect(compareDecimals(D('-0'), D('0E+5'))).toBe(0);
  });
});
