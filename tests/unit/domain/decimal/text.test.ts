import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decimalTextOfNumber,
  doubleText,
  MAX_DECIMAL_LENGTH,
  plainText,
  readDecimalText,
} from '#app/domain/decimal/decimal.ts';

describe('readDecimalText', () => {
  test.each([
    ['5', '5'],
    ['0.25', '0.25'],
    ['0,25', '0.25'],
    ['.5', '0.5'],
    [',5', '0.5'],
    [' 5 ', '5'],
    ['\t2.0\n', '2.0'],
    ['007', '007'],
    ['0', '0'],
    ['5.', '5'],
    ['5,', '5'],
    ['100.000', '100.000'],
  ])('reads %j as %s', (raw, text) => {
    expect(readDecimalText(raw)).toBe(text);
  });

  test.each([
    '',
    ' ',
    '.',
    ',',
    '-1',
    '+1',
    '−1',
    '1e3',
    '1E3',
    '0x10',
    '1_000',
    '$5',
    '5€',
    '5 mg',
    '1 000',
    '1,000.5',
    '1.000,5',
    '1..5',
    '1.2.3',
    '1,2,3',
    'NaN',
    'Infinity',
    'five',
    '٣',
    '５',
    '½',
    '1\u00005',
    '{"$gt":0}',
    '5;6',
    '--5',
    '5-',
  ])('refuses %j', (raw) => {
    expect(readDecimalText(raw)).toBeNull();
  });

  test('accepts numbers up to its length limit', () => {
    expect(readDecimalText(`0.${'1'.repeat(MAX_DECIMAL_LENGTH - 2)}`)).not.toBeNull();
    expect(readDecimalText(`0.${'1'.repeat(MAX_DECIMAL_LENGTH - 1)}`)).toBeNull();
  });

  test('law: a million digits are refused by their length without parsing them', () => {
    expect(readDecimalText('1'.repeat(1_000_000))).toBeNull();
    expect(readDecimalText(`${'1'.repeat(500_000)}x${'1'.repeat(500_000)}`)).toBeNull();
  });

  test('law: any text gives null or a plain decimal, and never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (raw) => {
        const text = readDecimalText(raw);
        expect(text === null || /^\d+(\.\d+)?$/.test(text)).toBe(true);
      }),
    );
  });

  test('law: reading the result again changes nothing', () => {
    const digits = fc.stringMatching(/^\d{1,9}([.,]\d{1,9})?$/);
    fc.assert(
      fc.property(digits, (raw) => {
        const text = readDecimalText(raw);
        expect(text).not.toBeNull();
        expect(readDecimalText(text ?? '')).toBe(text);
      }),
    );
  });
});

describe('decimalTextOfNumber', () => {
  test.each([
    [0, '0'],
    [-0, '0'],
    [0.1, '0.1'],
    [2.01, '2.01'],
    [0.1 + 0.2, '0.30000000000000004'],
    [1e-7, '0.0000001'],
    [1e21, '1000000000000000000000'],
    [100, '100'],
  ])('reads the number %d by its shortest text %s', (value, text) => {
    expect(decimalTextOfNumber(value)).toBe(text);
  });

  test.each([NaN, Infinity, -Infinity, -1, -0.5, 1e300, 5e-324])('refuses %d', (value) => {
    expect(decimalTextOfNumber(value)).toBeNull();
  });

  test('law: the text reads back as the same double', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), (value) => {
        expect(Number(decimalTextOfNumber(value))).toBe(value);
      }),
    );
  });
});

describe('decimal texts for programs', () => {
  test('plainText drops needless zeros and keeps every significant digit', () => {
    expect(plainText('05.00')).toBe('5');
    expect(plainText('100')).toBe('100');
    expect(plainText('0.0000001')).toBe('0.0000001');
    expect(plainText('12345678901234567890.123')).toBe('12345678901234567890.123');
  });

  test('law: doubleText has no exponent and reads back as the same double', () => {
    expect(doubleText(1e-7)).toBe('0.0000001');
    expect(doubleText(0.1)).toBe('0.1');
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e12, noNaN: true }), (value) => {
        expect(doubleText(value)).toMatch(/^\d+(\.\d+)?$/);
        expect(Number(doubleText(value))).toBe(value);
      }),
    );
  });
});
