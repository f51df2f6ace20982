import { describe, expect, test } from 'vitest';
import { readFields, shownValues } from '#app/domain/forms/text-fields.ts';

describe('readFields', () => {
  test('reads only the named fields, from entries or a record', () => {
    expect(readFields(new URLSearchParams('a=1&b=2&c=3'), ['a', 'c'])).toEqual({ a: '1', c: '3' });
    expect(readFields({ a: 1, b: 2 }, ['a'])).toEqual({ a: 1 });
  });

  test('makes an array of a repeated field', () => {
    expect(readFields(new URLSearchParams('a=1&a=2&a=3'), ['a'])).toEqual({ a: ['1', '2'] });
  });

  test('drops blank text, null and undefined', () => {
    expect(
      readFields({ a: '', b: ' \n', c: null, d: undefined, e: 0, f: false }, ['a', 'b', 'c', 'd', 'e', 'f']),
    ).toEqual({
      e: 0,
      f: false,
    });
  });
});

describe('shownValues', () => {
  test('returns text and numbers, the first of repeated ones, and nothing else', () => {
    const fields = { a: 'x', b: 5, c: ['1', '2'], d: {}, e: [{}], f: true };
    expect(shownValues(fields, ['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toEqual({ a: 'x', b: '5', c: '1' });
  });

  test('cuts text that is too long for a control', () => {
    expect(shownValues({ a: 'x'.repeat(10_000) }, ['a']).a).toHaveLength(4000);
  });
});
