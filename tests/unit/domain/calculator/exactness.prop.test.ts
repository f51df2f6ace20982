import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { calculate, calculateFigures, calculateRow } from '#app/domain/calculator/calculate.ts';
import { syringeOf, type CalculationInput } from '#app/domain/calculator/calculation.ts';
import {
  amountText,
  anyVolumeInput,
  doseUpTo,
  volumeInput,
  waterText,
} from '#tests/support/calculator-arbitraries.ts';
import {
  isHalfUp,
  isNearestDouble,
  over,
  plus,
  rational,
  times,
  type Rational,
} from '#tests/support/rational.ts';

/** The formulas of the specification in fractions, independent of the calculator's code. */
function oracle(input: CalculationInput): { concentration: Rational; volume: Rational; units: Rational } {
  const amount = rational(input.peptideAmount);
  const powder = times(times(amount, rational(input.displacement)), { n: 1n, d: 1000n });
  const concentration = over(amount, plus(rational(input.waterVolume ?? ''), powder));
  const volume = over(rational(input.desiredDose ?? ''), concentration);
  return {
    concentration,
    volume,
    units: times(volume, rational(String(syringeOf(input.syringe).unitsPerMl))),
  };
}

describe('law: every figure is its exact quotient, rounded once', () => {
  test('texts are rounded half-up', () => {
    fc.assert(
      fc.property(anyVolumeInput, (input) => {
        const exact = oracle(input);
        const { concentrationText, injectionVolumeText, unitsText } = calculateFigures(input);
        expect(isHalfUp(concentrationText, exact.concentration, 2)).toBe(true);
        expect(isHalfUp(injectionVolumeText, exact.volume, 3)).toBe(true);
        expect(isHalfUp(unitsText, exact.units, 2)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('numbers are the nearest doubles', () => {
    fc.assert(
      fc.property(anyVolumeInput, (input) => {
        const exact = oracle(input);
        const { concentration, injectionVolume } = calculateFigures(input);
        expect(isNearestDouble(concentration, exact.concentration)).toBe(true);
        expect(isNearestDouble(injectionVolume, exact.volume)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('texts have a fixed number of decimals, and units at most two, or three in ml, without needless zeros', () => {
    fc.assert(
      fc.property(anyVolumeInput, (input) => {
        const { concentrationText, injectionVolumeText, unitsText } = calculateFigures(input);
        expect(concentrationText).toMatch(/^\d+\.\d\d$/);
        expect(injectionVolumeText).toMatch(/^\d+\.\d{3}$/);
        const isInMl = syringeOf(input.syringe).scale === 'ml';
        expect(unitsText).toMatch(isInMl ? /^\d+(\.\d{0,2}[1-9])?$/ : /^\d+(\.\d?[1-9])?$/);
      }),
    );
  });

  test('ties, where binary floating point fails, are rounded correctly', () => {
    // 0.0125 × n has a tie at the third decimal for every odd n
    for (let n = 1; n < 100; n += 2) {
      const input = volumeInput('8', `${n / 10}`, '1');
      expect(isHalfUp(calculateFigures(input).injectionVolumeText, oracle(input).volume, 3)).toBe(true);
    }
  });
});

describe('law: all functions of the calculator agree', () => {
  test('calculate, calculateFigures and calculateRow give the same to the last digit', () => {
    fc.assert(
      fc.property(anyVolumeInput, (input) => {
        const result = calculate(input);
        const row = calculateRow(input);
        expect(result).toMatchObject(calculateFigures(input));
        expect(row.problems).toBeUndefined();
        expect({ ...result, warnings: result.warnings.map(({ code }) => code) }).toMatchObject(row);
      }),
    );
  });

  test('micrograms are thousandths of a milligram, exactly', () => {
    const triple = amountText.chain((amount) => fc.tuple(fc.constant(amount), waterText, doseUpTo(amount)));
    fc.assert(
      fc.property(triple, ([amount, water, doseMg]) => {
        const [whole = '', fraction = ''] = doseMg.split('.');
        const padded = fraction.padEnd(3, '0');
        const doseMcg = `${whole}${padded.slice(0, 3)}${padded.length > 3 ? `.${padded.slice(3)}` : ''}`;
        const inMg = calculateFigures(volumeInput(amount, water, doseMg));
        const inMcg = calculateFigures(volumeInput(amount, water, doseMcg, { desiredDoseUnit: 'mcg' }));
        expect(inMcg).toEqual(inMg);
      }),
    );
  });

  test('a result is plain data and goes through JSON unchanged', () => {
    fc.assert(
      fc.property(anyVolumeInput, (input) => {
        const result = calculate({ ...input, peptideName: 'TB-500', notes: 'two\nlines' });
        expect(JSON.parse(JSON.stringify(result))).toEqual(result);
      }),
    );
  });
});
