import { describe, expect, test } from 'vitest';
import { toBaseUnit, readQuantity } from '#app/domain/units/quantity.ts';

describe('readQuantity', () => {
  test.each([
    ['5mg', '5', 'mg'],
    ['5 mg', '5', 'mg'],
    ['5', '5', 'mg'],
    ['0,25', '0.25', 'mg'],
    ['250mcg', '250', 'mcg'],
    ['250 MCG', '250', 'mcg'],
    ['250ug', '250', 'mcg'],
    ['250\u00b5g', '250', 'mcg'],
    ['250\u03bcg', '250', 'mcg'],
    [' .5MG ', '0.5', 'mg'],
  ])('reads %j as %s %s', (raw, text, unit) => {
    expect(readQuantity(raw, ['mg', 'mcg'])).toEqual({ text, unit });
  });

  test.each([
    '',
    'mg',
    '5ml',
    '5 g',
    '5 kg',
    '1e3mg',
    '-5mg',
    '5mg5',
    '5 m g',
    '5mgmg',
    'five mg',
    'constructor',
    '5constructor',
  ])('refuses %j as a mass', (raw) => {
    expect(readQuantity(raw, ['mg', 'mcg'])).toBeNull();
  });

  test('reads ml and cc as volumes, not masses', () => {
    expect(readQuantity('2mL', ['ml'])).toEqual({ text: '2', unit: 'ml' });
    expect(readQuantity('2cc', ['ml'])).toEqual({ text: '2', unit: 'ml' });
    expect(readQuantity('2mg', ['ml'])).toBeNull();
  });
});

test('1 mcg is exactly 0.001 mg', () => {
  expect(toBaseUnit('250', 'mcg').toFixed()).toBe('0.25');
  expect(toBaseUnit('0.1', 'mcg').toFixed()).toBe('0.0001');
  expect(toBaseUnit('0.1', 'mg').toFixed()).toBe('0.1');
});
