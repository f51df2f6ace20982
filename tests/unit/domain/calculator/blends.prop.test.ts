import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calculate, calculateComponents } from '#app/domain/calculator/calculate.ts';
import {
  parseCalculationForm,
  parseCalculationJson,
  parseCalculationOptions,
  type ParsedCalculation,
} from '#app/domain/calculator/calculation-schema.ts';
import { componentsText } from '#app/domain/calculator/components.ts';
import { solve, solveComponents } from '#app/domain/calculator/solve.ts';
import { compare, plainText, product, quotient, type Ratio } from '#app/domain/decimal/decimal.ts';
import { BLEND_VECTORS, blendQuery } from '#tests/support/blend-vectors.ts';
import { anyBlend } from '#tests/support/calculator-arbitraries.ts';
import { sized } from '#tests/support/size.ts';

const sum = <U extends string>(parts: readonly Ratio<U>[]): Ratio<U> =>
  parts.reduce<Ratio<U>>((all, { n, d }) => ({ n: all.n * d + n * all.d, d: all.d * d }), { n: 0n, d: 1n });

const isSame = <U extends string>(a: Ratio<U>, b: Ratio<U>) => compare(a, b) === 0;

describe('a draw from a blend', () => {
  it.each(BLEND_VECTORS)('$doseOf $dose $doseUnit of $components', (vector) => {
    const parsed = parseCalculationForm(blendQuery(vector));
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.fields));
    const result = calculate(parsed.input);
    expect(result.components.map(({ concentrationText }) => concentrationText)).toEqual(
      vector.concentrations,
    );
    expect(result.components.map(({ doseWithUnit }) => doseWithUnit)).toEqual(vector.doses);
    expect(result.components.map(({ dose }) => dose)).toEqual(vector.dosesMg);
    expect(result).toMatchObject({ injectionVolumeText: vector.volume, unitsText: vector.units });
  });

  it('gives doses in proportion to the amounts, and loses nothing', () => {
    fc.assert(
      fc.property(anyBlend, (input) => {
        const exact = solve(input);
        const parts = solveComponents(input, exact);
        const [first] = parts;
        if (first === undefined) throw new Error('a blend has components');
        for (const part of parts)
          expect(isSame(product(part.dose, first.amount), product(first.dose, part.amount))).toBe(true);
        // The doses of all components, at the total concentration, add up to the draw.
        const all = sum(parts.map(({ dose }) => dose));
        const whole = quotient<'mg/ml'>(sum(parts.map(({ amount }) => amount)), exact.solution);
        expect(isSame(quotient<'ml'>(all, whole), exact.volume)).toBe(true);
        // And each component is in the same volume.
        for (const { dose, concentration } of parts)
          expect(isSame(quotient<'ml'>(dose, concentration), exact.volume)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('can be solved backwards to the original numbers', () => {
    fc.assert(
      fc.property(anyBlend, fc.constantFrom('0.05', '0.1', '0.25', '1'), (input, drawVolume) => {
        const { desiredDose: _dose, ...rest } = input;
        const given = solve({ ...rest, solveFor: 'dose', drawVolume });
        expect(isSame(quotient<'ml'>(given.dose, given.concentration), given.volume)).toBe(true);
        const parts = solveComponents({ ...rest, solveFor: 'dose', drawVolume }, given);
        for (const { dose, concentration } of parts)
          expect(isSame(product<'mg'>(concentration, given.volume), dose)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('does not depend on the order of the label', () => {
    fc.assert(
      fc.property(anyBlend, (input) => {
        const turned = { ...input, components: [...input.components].reverse() };
        expect([...calculateComponents(turned)].reverse()).toEqual(calculateComponents(input));
        expect(calculate(turned).injectionVolumeText).toBe(calculate(input).injectionVolumeText);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a calculation with a single peptide', () => {
  it('equals a blend of one component', () => {
    fc.assert(
      fc.property(anyBlend, (input) => {
        const { components: _components, doseOf, ...single } = input;
        const alone = { components: [{ name: doseOf, amount: input.peptideAmount }] };
        const asList = parseCalculationJson({ ...single, ...alone, peptideAmount: undefined });
        const asAmount = parseCalculationJson({ ...single, peptideName: doseOf });
        if (!asList.ok || !asAmount.ok) throw new Error('both are valid');
        expect(asList.input).toEqual(asAmount.input);
        expect(calculate(asList.input).components).toHaveLength(1);
      }),
      { numRuns: 200 },
    );
  });
});

/** A blend as read by a door, as text that does not depend on the order of its fields. */
function read(parsed: ParsedCalculation): string {
  if (!parsed.ok) return JSON.stringify(parsed.fields);
  const { components, ...entered } = parsed.input;
  // Files omit needless zeros.
  const input = { ...entered, peptideAmount: plainText(entered.peptideAmount) };
  return JSON.stringify([
    Object.entries(input)
      .filter(([, value]) => value !== undefined)
      .sort(),
    components?.map(({ name, amount }) => [name, plainText(amount)]),
  ]);
}

describe('form, API, terminal and file', () => {
  it('read generated blends alike and give the same result', () => {
    fc.assert(
      fc.property(anyBlend, (input) => {
        const { components, peptideAmount: _amount, ...rest } = input;
        const fields = Object.entries(rest).map(([name, value]): [string, string] => [name, String(value)]);
        const rows = components.flatMap(({ name, amount }): [string, string][] => [
          ['componentName', name],
          ['componentAmount', amount],
        ]);
        const page = read(parseCalculationForm([...rows, ...fields]));
        const peptideName = components.map(({ name }) => name).join(' + ');
        const whole = { ok: true as const, input: { ...input, peptideName }, values: {} };
        expect(page).toBe(read(whole));
        expect(read(parseCalculationForm(new URLSearchParams([...rows, ...fields])))).toBe(page);
        expect(read(parseCalculationJson({ ...rest, components }))).toBe(page);
        expect(read(parseCalculationOptions({ ...rest, components }))).toBe(page);
        // The offline store and files have the blend as one text.
        expect(read(parseCalculationForm({ ...rest, components: componentsText(components) }))).toBe(page);
      }),
      { numRuns: sized(2000, 10_000) },
    );
  }, 600_000);
});

describe('an invalid blend', () => {
  const base = { waterVolume: '2', desiredDose: '0.25' };
  const ask = (more: Record<string, unknown>) => {
    const parsed = parseCalculationJson({ ...base, ...more });
    return parsed.ok ? 'valid' : parsed.fields;
  };
  const two = [
    { name: 'BPC-157', amount: 5 },
    { name: 'TB-500', amount: 5 },
  ];

  it.each([
    [
      'seven components',
      { components: 'abcdefg'.split('').map((name) => ({ name, amount: 1 })) },
      'components',
    ],
    ['the same name twice', { components: [...two, { name: 'bpc 157', amount: 1 }] }, 'components'],
    ['a name that is a number', { components: [...two, { name: '2', amount: 1 }] }, 'components'],
    ['a name that would end a column', { components: [...two, { name: 'a;b', amount: 1 }] }, 'components'],
    ['an amount above the limit', { components: [...two, { name: 'KPV', amount: 101 }] }, 'components'],
    ['an amount of nothing', { components: [...two, { name: 'KPV', amount: 0 }] }, 'components'],
    ['a component without an amount', { components: [...two, { name: 'KPV' }] }, 'components'],
    ['entries that are no components', { components: [null, 3] }, 'components'],
    ['a list that is none', { components: { name: 'BPC-157' } }, 'components'],
    ['a dose of something else', { components: two, doseOf: 'KPV' }, 'doseOf'],
    ['a dose above its component', { components: two, doseOf: 'TB-500', desiredDose: 5.01 }, 'desiredDose'],
    ['an amount beside the components', { components: two, peptideAmount: 10 }, 'peptideAmount'],
    ['nothing in the vial', { components: [] }, 'peptideAmount'],
  ])('%s', (_name, more, field) => {
    expect(Object.keys(ask(more))).toEqual([field]);
  });

  it('reports which component is wrong, at its row of the form', () => {
    const query = new URLSearchParams(
      'componentName=BPC-157&componentAmount=5&componentName=TB-500&componentAmount=500',
    );
    query.set('waterVolume', '2');
    query.set('desiredDose', '0.25');
    const parsed = parseCalculationForm(query);
    expect(parsed.ok ? null : parsed.fields).toEqual({
      'componentAmount-2': ['TB-500: Peptide amount must be between 0.1mg and 100mg'],
    });
  });

  it('accepts the number of a row as its name, and keeps empty rows', () => {
    const query = new URLSearchParams(
      'componentName=&componentAmount=&componentName=BPC-157&componentAmount=5 mg&componentName=TB-500&componentAmount=10&doseOf=3&waterVolume=2&desiredDose=250mcg',
    );
    const parsed = parseCalculationForm(query);
    expect(parsed).toMatchObject({ ok: true, input: { doseOf: 'TB-500', peptideAmount: '10' } });
    expect(parsed.values).toMatchObject({
      doseOf: '3',
      'componentName-1': '',
      'componentAmount-2': '5',
      'componentName-3': 'TB-500',
    });
  });
});
