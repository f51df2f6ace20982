import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareDecimals,
  decimalFromBigInt,
  decimalFromDouble,
  decimalToBigInt,
  decimalToDouble,
  finite,
  unpackDecimal,
  type Decimal,
  type Finite,
} from '#models/engine/values/decimal.ts';
import { Decimal128 } from '#models/engine/values/types.ts';

const D = (text: string): Decimal => unpackDecimal(Decimal128.fromString(text));

describe('the binary format', () => {
  it.each([
    ['0', finite(false, 0n, 0)],
    ['-0', finite(true, 0n, 0)],
    ['1.50', finite(false, 150n, -2)],
    ['-7.5E-300', finite(true, 75n, -301)],
    ['1E-6176', finite(false, 1n, -6176)],
    ['9.999999999999999999999999999999999E+6144', finite(false, 10n ** 34n - 1n, 6111)],
    ['Infinity', { kind: 'infinity', neg: false }],
    ['-Infinity', { kind: 'infinity', neg: true }],
    ['NaN', { kind: 'nan' }],
  ])('of %s is read', (text, expected) => {
    expect(D(text)).toEqual(expected);
  });

  it('takes a coefficient beyond 34 digits for zero', () => {
    const bytes = new Uint8Array(16).fill(0xff);
    bytes[15] = 0x30;
    bytes[14] = 0x41;
    expect(unpackDecimal(new Decimal128(bytes))).toMatchObject({ kind: 'finite', coeff: 0n });
  });
});

describe('doubles', () => {
  it('come back from their exact decimal', () => {
    fc.assert(
      fc.property(fc.double(), (x) => {
        expect(decimalToDouble(decimalFromDouble(x))).toBe(x);
      }),
    );
  });

  it('are exact: a tenth is a little more', () => {
    expect(compareDecimals(decimalFromDouble(0.1), D('0.1'))).toBe(1);
    expect(compareDecimals(decimalFromDouble(0.5), D('0.50'))).toBe(0);
  });
});

describe('comparison', () => {
  const small = fc
    .record({
      neg: fc.boolean(),
      coeff: fc.bigInt({ min: 0n, max: 10n ** 6n }),
      exp: fc.integer({ min: -6, max: 6 }),
    })
    .map(({ neg, coeff, exp }) => finite(neg, coeff, exp) as Finite);
  const scaled = (d: Finite): bigint => (d.neg ? -1n : 1n) * d.coeff * 10n ** BigInt(d.exp + 6);

  it('orders as rational numbers do', () => {
    fc.assert(
      fc.property(small, small, (a, b) => {
        const [x, y] = [scaled(a), scaled(b)];
        expect(compareDecimals(a, b)).toBe(x < y ? -1 : x > y ? 1 : 0);
      }),
    );
  });

  it('orders the special values: NaN, then the negative, zero, the positive', () => {
    const order = ['NaN', '-Infinity', '-1', '0', '1', 'Infinity'].map(D);
    for (const [i, a] of order.entries())
      for (const [j, b] of order.entries()) expect(compareDecimals(a, b)).toBe(Math.sign(i - j));
    expect(compareDecimals(D('-0'), D('0'))).toBe(0);
  });
});

it('whole numbers are cut towards zero', () => {
  expect(decimalToBigInt(D('2.9') as Finite)).toBe(2n);
  expect(decimalToBigInt(D('-2.9') as Finite)).toBe(-2n);
  expect(decimalToBigInt(D('1E-6000') as Finite)).toBe(0n);
  expect(decimalToBigInt(decimalFromBigInt(-7n) as Finite)).toBe(-7n);
});
