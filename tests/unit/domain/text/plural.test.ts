import { expect, it } from 'vitest';
import { plural } from '#app/domain/text/plural.ts';

it.each([
  [0, '0 doses'],
  [1, '1 dose'],
  [2, '2 doses'],
  [999, '999 doses'],
  [1000, '1,000 doses'],
  [1_234_567, '1,234,567 doses'],
  [0.5, '0.5 doses'],
])('%d is counted with its noun', (count, text) => {
  expect(plural(count, 'dose')).toBe(text);
});

it('accepts an irregular plural', () => {
  expect([plural(1, 'entry', 'entries'), plural(3, 'entry', 'entries')]).toEqual(['1 entry', '3 entries']);
});
