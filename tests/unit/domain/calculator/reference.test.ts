import { describe, expect, test } from 'vitest';
import { calculate } from '#app/domain/calculator/calculate.ts';
import { RESEARCH_TABLE } from '#app/domain/calculator/research-table.ts';
import { dosageHints, dosageRecommendations } from '#app/domain/calculator/research-reference.ts';
import { NO_REFERENCE, RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { volumeInput } from '#tests/support/calculator-arbitraries.ts';

const KNOWN = ['Semaglutide', 'Tirzepatide', 'BPC-157', 'TB-500'];

describe('dosage hints', () => {
  test.each([
    ['Semaglutide', ['0.25 mg', '0.5–1 mg', '1.7–2.4 mg']],
    ['Tirzepatide', ['2.5 mg', '5 mg', 'up to 15 mg']],
    ['BPC-157', ['250 mcg', '250–500 mcg', '500 mcg']],
    ['TB-500', ['2 mg', '2–5 mg', '5 mg']],
  ])('%s: starter, maintenance, advanced are %j', (name, ranges) => {
    const hints = dosageHints(name);
    expect(hints.map(({ category }) => category)).toEqual(['starter', 'maintenance', 'advanced']);
    expect(hints.map(({ dosageRange }) => dosageRange)).toEqual(ranges);
  });

  test.each([
    ['semaglutide', 'Semaglutide'],
    ['  TIRZEPATIDE ', 'Tirzepatide'],
    ['bpc157', 'BPC-157'],
    ['BPC 157', 'BPC-157'],
    ['tb500', 'TB-500'],
  ])('%j is %s', (typed, name) => {
    expect(new Set(dosageHints(typed).map((hint) => hint.name))).toEqual(new Set([name]));
  });

  test.each(['', ' ', 'Ipamorelin', 'BPC-157 + TB-500', 'BPC-15', 'constructor', '__proto__'])(
    '%j has no reference',
    (name) => {
      expect(dosageHints(name)).toEqual([]);
    },
  );

  test('law: name their source, and their text matches their mg', () => {
    for (const hint of KNOWN.flatMap(dosageHints)) {
      expect(hint.source).not.toBe('');
      const scale = hint.dosageRange.endsWith('mcg') ? 1000 : 1;
      const numbers = hint.dosageRange.match(/[\d.]+/g)?.map(Number) ?? [];
      expect(numbers.at(0)).toBe(Number(hint.minMg) * scale);
      expect(numbers.at(-1)).toBe(Number(hint.maxMg) * scale);
    }
  });

  test('never decrease from one category to the next', () => {
    for (const hints of KNOWN.map(dosageHints)) {
      const tops = hints.map(({ maxMg }) => Number(maxMg));
      expect(tops).toEqual([...tops].sort((a, b) => a - b));
    }
  });

  test('say so if there is no approved label', () => {
    for (const hint of [...dosageHints('BPC-157'), ...dosageHints('TB-500')])
      expect(hint.notes).toBe('No approved label');
  });
});

describe('dosage recommendations', () => {
  const result = calculate(volumeInput('5', '2', '0.25'));

  test('include the draw at the concentration of the result', () => {
    expect(
      dosageRecommendations('BPC-157', result).map(({ injectionVolume, units }) => [injectionVolume, units]),
    ).toEqual([
      ['0.100 ml', '10'],
      ['0.100–0.200 ml', '10–20'],
      ['0.200 ml', '20'],
    ]);
  });

  test('have no draw without a result, and no rows for an unknown name', () => {
    expect(dosageRecommendations('BPC-157')[0]).not.toHaveProperty('injectionVolume');
    expect(dosageRecommendations('unknown', result)).toEqual([]);
  });
});

test('the research table matches the specification', () => {
  expect(RESEARCH_TABLE.map(({ compound, vial, doses }) => `${compound} | ${vial} | ${doses}`)).toEqual([
    'BPC-157 | 5 mg | 250-500 mcg',
    'TB-500 | 5 mg | 2-5 mg',
    'Semaglutide | 5 mg | 0.25-1 mg',
    'Ipamorelin | 5 mg | 200-300 mcg',
  ]);
});

test('the research notices have their required texts', () => {
  expect(NO_REFERENCE).toBe('No reference for this name. Follow the label or protocol of your product.');
  expect(RESEARCH_NOTICE).toMatch(/research/i);
  expect(RESEARCH_NOTICE).toMatch(/not medical advice/i);
  expect(RESEARCH_NOTICE).toMatch(/18/);
});

describe('a recommendation that does not fit the vial or the syringe', () => {
  const of = (name: string, amount: string, water: string) =>
    dosageRecommendations(name, calculate(volumeInput(amount, water, '0.1')));

  test('has no draw if it is more than the vial holds', () => {
    const [starter, , advanced] = of('Tirzepatide', '5', '2');
    expect(starter).toMatchObject({ injectionVolume: '1.000 ml', units: '100' });
    expect(starter).not.toHaveProperty('misfit');
    expect(advanced).toMatchObject({ misfit: 'More than this vial holds (5 mg).' });
    expect(advanced).not.toHaveProperty('injectionVolume');
  });

  test('is cut at the content of the vial, and warns about a draw larger than the barrel', () => {
    const [, maintenance] = of('TB-500', '3', '2');
    expect(maintenance).toMatchObject({
      injectionVolume: '1.333–2.000 ml',
      misfit:
        'This vial holds only 3 mg, so the draw stops there. More than one draw of a U-100 1 ml syringe.',
    });
  });
});
