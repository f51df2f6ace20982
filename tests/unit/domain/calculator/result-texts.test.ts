import { describe, expect, test } from 'vitest';
import { calculate, drawForDose } from '#app/domain/calculator/calculate.ts';
import type { CalculationInput, CalculationResult } from '#app/domain/calculator/calculation.ts';
import { syringeScale } from '#app/domain/calculator/nearest-mark.ts';
import { countUnits } from '#app/domain/calculator/draw-words.ts';
import { volumeInput } from '#tests/support/calculator-arbitraries.ts';

const inWaterMode = (more: Partial<CalculationInput> = {}): CalculationInput => ({
  ...volumeInput('5', '', '0.3', more),
  solveFor: 'water',
  waterVolume: undefined,
  drawVolume: '0.1',
});

const inDoseMode = (more: Partial<CalculationInput> = {}): CalculationInput => ({
  ...volumeInput('5', '3', '', more),
  solveFor: 'dose',
  desiredDose: undefined,
  drawVolume: '0.2',
});

describe('the formula with its numbers when solving for', () => {
  const lines = (input: CalculationInput) =>
    calculate(input).formula.map(
      ({ name, rule, numbers, result }) => `${name}: ${rule} | ${numbers} = ${result}`,
    );

  test('volume', () => {
    expect(lines(volumeInput('5', '2', '250', { desiredDoseUnit: 'mcg' }))).toEqual([
      'Concentration: peptide amount ÷ water volume | 5 mg ÷ 2 ml = 2.50 mg/ml',
      'Injection volume: desired dose ÷ concentration | 0.25 mg × 2 ml ÷ 5 mg = 0.100 ml',
      'Units: injection volume × 100 | 0.25 mg × 2 ml ÷ 5 mg × 100 = 10',
    ]);
  });

  test('volume with displacement, on a U-40 syringe', () => {
    expect(lines(volumeInput('100', '2', '10', { displacement: '5', syringe: 'u40-1ml' }))).toEqual([
      'Solution volume: water volume + peptide amount × displacement ÷ 1000 | 2 ml + 100 mg × 5 µl/mg ÷ 1000 = 2.5 ml',
      'Concentration: peptide amount ÷ solution volume | 100 mg ÷ 2.5 ml = 40.00 mg/ml',
      'Injection volume: desired dose ÷ concentration | 10 mg × 2.5 ml ÷ 100 mg = 0.250 ml',
      'Units: injection volume × 40 | 10 mg × 2.5 ml ÷ 100 mg × 40 = 10',
    ]);
  });

  test('water', () => {
    expect(lines(inWaterMode())).toEqual([
      'Water volume: draw volume × peptide amount ÷ desired dose | 0.1 ml × 5 mg ÷ 0.3 mg = 1.667 ml',
      'Concentration: desired dose ÷ draw volume | 0.3 mg ÷ 0.1 ml = 3.00 mg/ml',
      'Units: draw volume × 100 | 0.1 ml × 100 = 10',
    ]);
  });

  test('water with displacement', () => {
    expect(lines(inWaterMode({ displacement: '1' }))[0]).toBe(
      'Water volume: draw volume × peptide amount ÷ desired dose − peptide amount × displacement ÷ 1000' +
        ' | 0.1 ml × 5 mg ÷ 0.3 mg − 5 mg × 1 µl/mg ÷ 1000 = 1.662 ml',
    );
  });

  test('dose', () => {
    expect(lines(inDoseMode())).toEqual([
      'Concentration: peptide amount ÷ water volume | 5 mg ÷ 3 ml = 1.67 mg/ml',
      'Dose: draw volume × concentration | 0.2 ml × 5 mg ÷ 3 ml = 0.333 mg',
      'Units: draw volume × 100 | 0.2 ml × 100 = 20',
    ]);
  });
});

describe('the solved value', () => {
  test('is shown with its unit', () => {
    expect(calculate(volumeInput('5', '2', '0.25')).solvedText).toBe('0.100 ml');
    expect(calculate(inWaterMode()).solvedText).toBe('1.667 ml');
    expect(calculate(inDoseMode()).solvedText).toBe('0.333 mg');
    expect(calculate(inDoseMode({ desiredDoseUnit: 'mcg' })).solvedText).toBe('333.333 mcg');
  });

  test('is rounded for reading, and its double is the nearest', () => {
    expect(calculate(inWaterMode())).toMatchObject({ waterVolumeText: '1.667', waterVolume: 5 / 3 });
    expect(calculate(inDoseMode())).toMatchObject({ desiredDoseText: '0.333', desiredDose: 1 / 3 });
  });

  test('is never shown as zero for a tiny dose', () => {
    const result = calculate({ ...inDoseMode(), peptideAmount: '0.001', waterVolume: '10' });
    expect(result.desiredDoseText).toBe('0.00002');
  });
});

describe('the texts of entered values', () => {
  test('drop needless zeros and keep all digits', () => {
    const result = calculate(volumeInput('05.00', '2.0', '0.250', { displacement: '0.00' }));
    expect(result).toMatchObject({
      peptideAmountText: '5',
      waterVolumeText: '2',
      desiredDoseText: '0.25',
      displacementText: '0',
      solutionVolumeText: '2',
    });
    expect(result.summary).toBe('5 mg + 2 ml = 2.50 mg/ml; 0.25 mg = 0.100 ml (10 units)');
  });

  test('show a small dose in mcg exactly in mg', () => {
    const result = calculate(volumeInput('5', '2', '0.5', { desiredDoseUnit: 'mcg' }));
    expect(result.desiredDoseText).toBe('0.0005');
    expect(result.desiredDoseWithUnit).toBe('0.5 mcg');
    expect(result.summary).toBe('5 mg + 2 ml = 2.50 mg/ml; 0.0005 mg = 0.000 ml (0.02 units)');
  });

  test('separate the thousands of units wherever they are read, not in the data', () => {
    const result = calculate(volumeInput('1', '10', '1'));
    expect(result.summary).toContain('= 10.000 ml (1,000 units)');
    expect(result.formula.find(({ name }) => name === 'Units')?.result).toBe('1,000');
    expect(countUnits(result.unitsText)).toBe('1,000 units');
    expect([result.unitsText, result.nearestMark.unitsText]).toEqual(['1000', '1000']);
  });

  test('keep name and notes unchanged', () => {
    expect(calculate(volumeInput('5', '2', '1', { peptideName: 'TB-500', notes: 'cold' }))).toMatchObject({
      peptideName: 'TB-500',
      notes: 'cold',
    });
  });
});

describe('doses per vial', () => {
  test.each([
    ['5', '0.25', 20],
    ['5', '0.333', 15],
    ['5', '5', 1],
    ['5', '2.6', 1],
    ['0.3', '0.1', 3],
    ['100', '0.001', 100_000],
  ])('%s mg hold %s mg %i times', (amount, dose, count) => {
    expect(calculate(volumeInput(amount, '2', dose)).dosesPerVial).toBe(count);
  });
});

describe('drawForDose', () => {
  const from = ({ exactConcentration, syringe }: CalculationResult) => ({
    exactConcentration,
    scale: syringeScale(syringe),
  });

  test('gives the draw for another dose at the concentration of a result', () => {
    const result = calculate(volumeInput('5', '2', '0.25'));
    expect(drawForDose(from(result), '0.5')).toMatchObject({ volumeText: '0.200', unitsText: '20' });
    expect(drawForDose(from(result), result.desiredDoseText)).toMatchObject({
      volumeText: result.injectionVolumeText,
      unitsText: result.unitsText,
    });
  });

  test('uses the exact concentration, not the one shown', () => {
    const result = calculate(volumeInput('2.01', '2', '0.1'));
    expect(drawForDose(from(result), '1')).toMatchObject({ volumeText: '0.995', unitsText: '99.5' });
  });

  test('uses the units of the result’s syringe, even after a trip through JSON', () => {
    const result = calculate(volumeInput('5', '2', '0.25', { syringe: 'u40-1ml' }));
    const sent = JSON.parse(JSON.stringify(result)) as typeof result;
    expect(drawForDose(from(sent), '0.5')).toMatchObject({ volumeText: '0.200', unitsText: '8' });
  });
});
