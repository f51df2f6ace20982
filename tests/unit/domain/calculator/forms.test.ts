import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calculate } from '#app/domain/calculator/calculate.ts';
import { parseCalculationForm } from '#app/domain/calculator/calculation-schema.ts';
import { CALCULATIONS } from '#app/domain/records/calculations.ts';
import { anyContainer } from '#tests/support/calculator-arbitraries.ts';
import type { CalculationResult } from '#app/domain/calculator/calculation.ts';

/** The result of a form, which must be valid. */
function resultOf(fields: Record<string, string>): CalculationResult {
  const parsed = parseCalculationForm(fields);
  expect(parsed.ok ? {} : parsed.fields).toEqual({});
  return calculate(parsed.ok ? parsed.input : (undefined as never));
}

/** The messages of a form, by field. */
function problemsOf(fields: Record<string, string>) {
  const parsed = parseCalculationForm(fields);
  return parsed.ok ? {} : parsed.fields;
}

const shown = (result: CalculationResult) => ({
  concentration: result.concentrationText,
  volume: result.injectionVolumeText,
  exact: result.unitsText,
  nearest: `${result.nearestMark.unitsText} ${result.nearestMark.noun}`,
  delivers: result.nearestMark.deliveredDoseWithUnit,
  error: result.nearestMark.errorPercentText,
});

const IU = { amountUnit: 'IU', desiredDoseUnit: 'IU' };

describe('the vectors of the reference data', () => {
  it.each([
    [
      'hCG 5,000 IU',
      { ...IU, peptideAmount: '5000', waterVolume: '2', desiredDose: '250' },
      {
        concentration: '2500.00',
        volume: '0.100',
        exact: '10',
        nearest: '10 unit',
        delivers: '250 IU',
        error: '0',
      },
    ],
    [
      'hCG 10,000 IU',
      { ...IU, peptideAmount: '10000', waterVolume: '10', desiredDose: '500' },
      {
        concentration: '1000.00',
        volume: '0.500',
        exact: '50',
        nearest: '50 unit',
        delivers: '500 IU',
        error: '0',
      },
    ],
    [
      'somatropin 10 IU',
      { ...IU, peptideName: 'Somatropin', peptideAmount: '10', waterVolume: '1', desiredDose: '2' },
      {
        concentration: '10.00',
        volume: '0.200',
        exact: '20',
        nearest: '20 unit',
        delivers: '2 IU',
        error: '0',
      },
    ],
    [
      'a solution',
      { form: 'solution', concentration: '10', containerVolume: '2', desiredDose: '2.5' },
      {
        concentration: '10.00',
        volume: '0.250',
        exact: '25',
        nearest: '25 unit',
        delivers: '2.5 mg',
        error: '0',
      },
    ],
    [
      'a pen with clicks of 0.01 ml',
      { form: 'pen', concentration: '10', containerVolume: '3', clickMl: '0.01', desiredDose: '0.5' },
      {
        concentration: '10.00',
        volume: '0.050',
        exact: '5',
        nearest: '5 click',
        delivers: '0.5 mg',
        error: '0',
      },
    ],
    [
      'a pen with clicks of 0.05 ml',
      { form: 'pen', concentration: '5', containerVolume: '3', clickMl: '0.05', desiredDose: '0.6' },
      {
        concentration: '5.00',
        volume: '0.120',
        exact: '2.4',
        nearest: '2 click',
        delivers: '0.5 mg',
        error: '-16.67',
      },
    ],
    [
      'a spray, whose tie goes down',
      {
        form: 'spray',
        concentration: '1',
        containerVolume: '10',
        sprayMl: '0.1',
        desiredDose: '250',
        desiredDoseUnit: 'mcg',
      },
      {
        concentration: '1.00',
        volume: '0.250',
        exact: '2.5',
        nearest: '2 spray',
        delivers: '200 mcg',
        error: '-20',
      },
    ],
    [
      'capsules',
      { form: 'capsule', peptideAmount: '500mcg', desiredDose: '1' },
      { concentration: '–', volume: '–', exact: '2', nearest: '2 capsule', delivers: '1 mg', error: '0' },
    ],
  ])('%s', (_name, fields, expected) => {
    expect(shown(resultOf(fields))).toEqual(expected);
  });

  it('the line to copy names IU, and what it delivers as mass only with a cited factor', () => {
    const hcg = resultOf({
      ...IU,
      peptideName: 'HCG',
      peptideAmount: '5000',
      waterVolume: '2',
      desiredDose: '250',
    });
    expect(hcg.summary).toBe('HCG: 5000 IU + 2 ml = 2500.00 IU/ml; 250 IU = 0.100 ml (10 units)');
    expect(hcg.massText).toBeUndefined();
    const growth = resultOf({
      ...IU,
      peptideName: 'HGH',
      peptideAmount: '10',
      waterVolume: '1',
      desiredDose: '2',
    });
    expect(growth.massText).toMatch(/^0\.67 mg \(3 IU = 1 mg; WHO .* 98\/574/);
  });
});

describe('other containers', () => {
  it('an amount and a volume make a concentration, too', () => {
    const fields = { form: 'spray', sprayMl: '0.1', desiredDose: '250mcg' };
    const byAmount = resultOf({ ...fields, peptideAmount: '10', waterVolume: '10' });
    expect(shown(byAmount)).toEqual(
      shown(resultOf({ ...fields, concentration: '1', containerVolume: '10' })),
    );
  });

  it('a pen tells what a click gives, its doses, the rest, and counts what priming loses', () => {
    const pen = {
      form: 'pen',
      concentration: '10',
      containerVolume: '3',
      clickMl: '0.01',
      desiredDose: '0.7',
    };
    const whole = resultOf({ ...pen, cost: '86' });
    expect([whole.stepText, whole.dosesPerVial, whole.lastPartText, whole.costPerDoseText]).toEqual([
      '0.1 mg in a click',
      42,
      '0.6 mg',
      '2.01',
    ]);
    expect(resultOf({ ...pen, deadSpaceMl: '0.02' }).dosesPerVial).toBe(33);
  });

  it('several vials are put together', () => {
    const fields = { peptideAmount: '5', waterVolume: '4', desiredDose: '0.5', cost: '30' };
    const two = resultOf({ ...fields, vials: '2' });
    expect(shown(two)).toEqual(shown(resultOf({ ...fields, peptideAmount: '10' })));
    expect([two.dosesPerVial, two.costPerDoseText]).toEqual([20, '3.00']);
    expect(two.summary).toBe('10 mg + 4 ml = 2.50 mg/ml; 0.5 mg = 0.200 ml (20 units)');
  });

  it('syringes marked in ml say ml', () => {
    const fields = { peptideAmount: '5', waterVolume: '2', desiredDose: '0.6' };
    const fine = resultOf({ ...fields, syringe: 'ml-1ml' });
    expect(shown(fine)).toMatchObject({ exact: '0.24', nearest: '0.24 ml', error: '0' });
    expect(fine.summary).toBe('5 mg + 2 ml = 2.50 mg/ml; 0.6 mg = 0.240 ml');
    expect(shown(resultOf({ ...fields, syringe: 'ml-3ml' }))).toMatchObject({
      nearest: '0.2 ml',
      error: '-16.67',
    });
    expect(shown(resultOf({ ...fields, syringe: 'u50-1ml' }))).toMatchObject({
      exact: '12',
      nearest: '12 unit',
    });
  });
});

it('a dose without a unit is in that of its container, and the form shows it', () => {
  const parsed = parseCalculationForm({
    amountUnit: 'IU',
    peptideAmount: '5000',
    waterVolume: '2',
    desiredDose: '250',
  });
  expect([parsed.ok, parsed.values.desiredDoseUnit]).toEqual([true, 'IU']);
});

it('a page with a field for the concentration does not count an amount that it hides', () => {
  const typed = {
    form: 'pen',
    peptideAmount: '5',
    containerVolume: '3',
    clickMl: '0.01',
    desiredDose: '0.5',
  };
  const page = new URLSearchParams({ ...typed, concentration: '' });
  const parsed = parseCalculationForm(page);
  expect(parsed.ok ? {} : Object.keys(parsed.fields)).toEqual(['concentration']);
  expect(parseCalculationForm(new URLSearchParams(typed)).ok).toBe(true);
});

describe('what is refused', () => {
  const vial = { peptideAmount: '5', waterVolume: '2' };

  it.each([
    [
      'a dose in IU from a vial in mg',
      { ...vial, desiredDose: '10 IU' },
      'desiredDose',
      /can't be converted/,
    ],
    [
      'a dose in mg from a vial in IU',
      { peptideAmount: '5000 IU', waterVolume: '2', desiredDose: '1', desiredDoseUnit: 'mg' },
      'desiredDose',
      /in IU and the dose in mg/,
    ],
    [
      'a substance with a cited factor, with its mass',
      { ...vial, peptideName: 'somatropin', desiredDose: '2 IU' },
      'desiredDose',
      /2 IU is 0\.67 mg \(3 IU = 1 mg/,
    ],
    [
      'IU as a draw',
      { ...vial, solveFor: 'dose', drawVolume: '10 IU' },
      'drawVolume',
      /Did you mean 10 units/,
    ],
    [
      'a pen without the volume of a click',
      { form: 'pen', concentration: '10', containerVolume: '3', desiredDose: '1' },
      'clickMl',
      /maker of the pen/,
    ],
    [
      'a solution without a concentration',
      { form: 'solution', containerVolume: '3', desiredDose: '1' },
      'concentration',
      /concentration/,
    ],
    [
      'a solution without its volume',
      { form: 'solution', concentration: '3', desiredDose: '1' },
      'containerVolume',
      /volume/,
    ],
    [
      'water for a pen',
      {
        form: 'pen',
        solveFor: 'water',
        concentration: '1',
        containerVolume: '3',
        clickMl: '0.01',
        desiredDose: '1',
        drawVolume: '1',
      },
      'solveFor',
      /powder/,
    ],
    [
      'too many IU',
      { ...IU, peptideAmount: '100001', waterVolume: '2', desiredDose: '1' },
      'peptideAmount',
      /100,000 IU/,
    ],
    ['21 vials', { ...vial, desiredDose: '1', vials: '21' }, 'vials', /1 to 20/],
    ['half a vial', { ...vial, desiredDose: '1', vials: '1.5' }, 'vials', /1 to 20/],
    [
      'a dose above the content',
      { form: 'solution', concentration: '1', containerVolume: '2', desiredDose: '3' },
      'desiredDose',
      /what the container holds/,
    ],
  ])('%s', (_name, fields, field, message) => {
    expect(problemsOf(fields)[field]?.join(' ')).toMatch(message);
  });
});

it('an exported calculation is read as it was written', () => {
  fc.assert(
    fc.property(anyContainer, (fields) => {
      const parsed = parseCalculationForm(fields);
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.fields));
      const { concentration, injectionVolume } = calculate(parsed.input);
      const row = CALCULATIONS.cells({
        ...parsed.input,
        id: 'calc_1795334400000a1b2c3d4e5f6',
        userId: 'u',
        createdAt: new Date('2026-11-28T08:00:00Z'),
        type: 'reconstitution',
        concentration,
        injectionVolume,
      });
      const cells: Record<string, string> = {};
      CALCULATIONS.columns.forEach(({ name }, at) => {
        const cell = row[at];
        if (cell != null) cells[name] = cell;
      });
      const read = CALCULATIONS.read(cells, { now: new Date('2026-11-28T09:00:00Z'), timeZone: 'UTC' });
      if (!('record' in read) || read.record.type !== 'calculations') throw new Error(JSON.stringify(read));
      // A file has no syringe.
      const { syringe: _own, ...input } = parsed.input;
      expect(calculate(read.record.input).summary).toBe(calculate({ ...input, syringe: 'u100-1ml' }).summary);
    }),
    { numRuns: 500 },
  );
});
