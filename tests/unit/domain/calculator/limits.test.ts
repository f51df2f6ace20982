import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { calculateRow } from '#app/domain/calculator/calculate.ts';
import { FIELD_MESSAGES, findLimitProblems } from '#app/domain/calculator/solve.ts';
import type { CalculationDraft, SolveFor } from '#app/domain/calculator/calculation.ts';
import { anyVolumeInput, volumeInput } from '#tests/support/calculator-arbitraries.ts';
import { order, rational } from '#tests/support/rational.ts';

const draft = (more: Partial<CalculationDraft>): CalculationDraft => ({
  ...volumeInput('5', '2', '0.25'),
  ...more,
});

describe('the limits of a field, whatever its message says', () => {
  test.each([
    ['peptideAmount', '0.05', true],
    ['peptideAmount', '0.000001', true],
    ['peptideAmount', '100', true],
    ['peptideAmount', '100.0', true],
    ['peptideAmount', '100.000000000001', false],
    ['peptideAmount', '0', false],
    ['peptideAmount', '0.000', false],
    ['waterVolume', '0.2', true],
    ['waterVolume', '10', true],
    ['waterVolume', '10.0000001', false],
    ['waterVolume', '0', false],
    ['desiredDose', '5', true],
    ['desiredDose', '5.00', true],
    ['desiredDose', '5.0000000001', false],
    ['desiredDose', '0', false],
    ['displacement', '0', true],
    ['displacement', '1000', true],
    ['displacement', '1000.1', false],
  ])('%s of %s is valid: %s', (field, text, valid) => {
    // The amount also limits the dose, so the dose is kept below the tested amounts.
    const tried = draft({ desiredDose: '0.000001', [field]: text });
    expect(findLimitProblems(tried)).toEqual(valid ? [] : [field]);
  });

  test('compare a dose in mcg with the amount in mg', () => {
    expect(findLimitProblems(draft({ desiredDose: '5000', desiredDoseUnit: 'mcg' }))).toEqual([]);
    expect(findLimitProblems(draft({ desiredDose: '5000.001', desiredDoseUnit: 'mcg' }))).toEqual([
      'desiredDose',
    ]);
  });

  test('have the messages of the specification', () => {
    expect(FIELD_MESSAGES).toMatchObject({
      peptideAmount: 'Peptide amount must be between 0.1mg and 100mg',
      waterVolume: 'Water volume must be between 0.5ml and 10ml',
      desiredDose: 'Desired dose must be positive and less than total peptide amount',
    });
  });
});

describe('missing numbers of a calculation', () => {
  test.each<[SolveFor, Partial<CalculationDraft>, string[]]>([
    ['volume', { peptideAmount: undefined }, ['peptideAmount']],
    ['volume', { waterVolume: undefined, desiredDose: undefined }, ['waterVolume', 'desiredDose']],
    ['water', { drawVolume: undefined }, ['drawVolume']],
    ['water', { desiredDose: undefined, drawVolume: '1' }, ['desiredDose']],
    ['dose', { waterVolume: undefined }, ['waterVolume', 'drawVolume']],
  ])('solving for the %s without %j asks for it', (solveFor, more, problems) => {
    expect(findLimitProblems(draft({ solveFor, ...more }))).toEqual(problems);
  });

  test('are all reported at once, in the order of the form', () => {
    const wrong = draft({ peptideAmount: '101', waterVolume: '11', desiredDose: '0', displacement: '9999' });
    expect(findLimitProblems(wrong)).toEqual(['peptideAmount', 'waterVolume', 'desiredDose', 'displacement']);
  });

  test('do not matter if the mode does not use them', () => {
    expect(findLimitProblems(draft({ drawVolume: '0' }))).toEqual([]);
    expect(findLimitProblems(draft({ solveFor: 'water', waterVolume: '99', drawVolume: '0.1' }))).toEqual([]);
  });
});

describe('a solved value outside the limits is reported at its field', () => {
  const water = (desiredDose: string, drawVolume: string, displacement = '0') =>
    findLimitProblems(
      draft({ solveFor: 'water', desiredDose, drawVolume, displacement, waterVolume: undefined }),
    );

  test('if it is more than 10 ml of water', () => {
    expect(water('0.5', '1')).toEqual([]);
    expect(water('0.5', '1.0001')).toEqual(['waterVolume']);
    expect(water('0.4999', '1')).toEqual(['waterVolume']);
  });

  test('if the powder leaves no room for water', () => {
    // 5 mg at 100 µl/mg take up 0.5 ml, which is the whole solution.
    expect(water('5', '0.5', '100')).toEqual(['waterVolume']);
    expect(water('5', '0.4', '100')).toEqual(['waterVolume']);
    expect(water('5', '0.500001', '100')).toEqual([]);
  });

  test('if the draw contains more than the vial', () => {
    const dose = (drawVolume: string) =>
      findLimitProblems(draft({ solveFor: 'dose', desiredDose: undefined, drawVolume }));
    expect(dose('2')).toEqual([]);
    expect(dose('2.0000001')).toEqual(['desiredDose']);
    expect(dose('0')).toEqual(['drawVolume']);
  });
});

describe('law: limits', () => {
  test('every generated calculation is within them and can be calculated as a row', () => {
    fc.assert(
      fc.property(anyVolumeInput, (input) => {
        expect(findLimitProblems(input)).toEqual([]);
        expect(calculateRow(input).problems).toBeUndefined();
      }),
    );
  });

  test('a row has the same problems as findLimitProblems', () => {
    const text = fc.constantFrom('0', '0.05', '1', '7.5', '10', '10.1', '100', '100.1', undefined);
    fc.assert(
      fc.property(text, text, text, (peptideAmount, waterVolume, desiredDose) => {
        const tried = draft({ peptideAmount, waterVolume, desiredDose });
        expect(calculateRow(tried).problems ?? []).toEqual(findLimitProblems(tried));
      }),
    );
  });

  test('a dose is refused exactly when it is zero or above the amount', () => {
    fc.assert(
      fc.property(anyVolumeInput, fc.nat(200), (input, dose) => {
        const desiredDose = `${dose}`;
        const allowed = dose > 0 && order(rational(desiredDose), rational(input.peptideAmount)) <= 0;
        expect(findLimitProblems({ ...input, desiredDose })).toEqual(allowed ? [] : ['desiredDose']);
      }),
    );
  });
});
