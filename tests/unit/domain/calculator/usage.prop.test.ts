import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { summarise } from '#app/domain/calculator/history.ts';
import { concentrationParts } from '#models/calculator/calculation-totals.server.ts';

function meanOf(concentrations: number[]): string | null {
  const parts = concentrations.map(concentrationParts);
  const sum = (part: 'whole' | 'nano') => parts.reduce((total, of) => total + of[part], 0);
  return summarise({
    total: concentrations.length,
    names: 0,
    lastWeek: 0,
    concentrationWhole: sum('whole'),
    concentrationNano: sum('nano'),
  }).averageConcentrationText;
}

describe('the mean concentration', () => {
  it.each([
    [[1.005], '1.01'],
    [[2.675], '2.68'],
    [[1.004999], '1.00'],
    [[0.1, 0.2], '0.15'],
    [[5 / 3, 5 / 3, 5 / 3], '1.67'],
    [[1 / 3, 2 / 3, ...new Array<number>(198).fill(0)], '0.01'],
    [[200, 0.01], '100.01'],
    [[0.001], '0.00'],
    [[], null],
  ])('of %j is %s', (concentrations, text) => expect(meanOf(concentrations)).toBe(text));

  it('of equal concentrations is that concentration, however many there are', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 1, max: 500 }), (cents, count) => {
        expect(meanOf(new Array<number>(count).fill(cents / 100))).toBe((cents / 100).toFixed(2));
      }),
    );
  });

  it('does not depend on the order of the calculations', () => {
    const list = fc.array(
      fc.integer({ min: 1, max: 10 ** 7 }).map((n) => n / 997),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(list, (concentrations) => {
        expect(meanOf([...concentrations].reverse())).toBe(meanOf(concentrations));
      }),
    );
  });
});

describe('the counts of the usage statistics', () => {
  it('are passed on unchanged', () => {
    const source = { total: 4, names: 2, lastWeek: 1, concentrationWhole: 10, concentrationNano: 0 };
    expect(summarise(source)).toEqual({
      totalCalculations: 4,
      uniqueCompounds: 2,
      lastSevenDays: 1,
      averageConcentration: 2.5,
      averageConcentrationText: '2.50',
    });
  });
});
