import Big from 'big.js';
import { expect, test } from 'vitest';
import { Decimal } from '#app/domain/decimal/decimal.ts';

test('the decimal constructor does not change the settings of the library', () => {
  expect(Decimal).not.toBe(Big);
  expect(Big.DP).toBe(20);
  expect(Decimal.DP).toBe(40);
});

test('decimals print without an exponent, however small or large', () => {
  expect(String(new Decimal('0.0000000000000000000001'))).toBe('0.0000000000000000000001');
  expect(String(new Decimal('123456789012345678901234567890'))).toBe('123456789012345678901234567890');
});

test('decimals round half-up by default', () => {
  expect(new Decimal('1.005').toFixed(2)).toBe('1.01');
  expect(new Decimal('0.0125').round(3).toFixed()).toBe('0.013');
});
