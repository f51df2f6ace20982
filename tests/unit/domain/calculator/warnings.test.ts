import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { calculate } from '#app/domain/calculator/calculate.ts';
import { solve } from '#app/domain/calculator/solve.ts';
import { syringeOf, type CalculationInput, type WarningCode } from '#app/domain/calculator/calculation.ts';
import { anyVolumeInput, volumeInput } from '#tests/support/calculator-arbitraries.ts';
import { order, rational } from '#tests/support/rational.ts';

const codesOf = (input: CalculationInput): WarningCode[] => calculate(input).warnings.map(({ code }) => code);

describe('law: warnings compare exact values', () => {
  test('a warning appears exactly when the exact value passes its threshold', () => {
    fc.assert(
      fc.property(anyVolumeInput, (input) => {
        const { volume, concentration, water } = solve(input);
        const codes = codesOf(input);
        const takesMore = order(water, rational('10')) < 0;
        const takesLess = order(water, rational('0.5')) > 0;
        expect(codes.includes('SMALL_VOLUME')).toBe(order(volume, rational('0.1')) < 0 && takesMore);
        expect(codes.includes('LARGE_VOLUME')).toBe(order(volume, rational('1')) > 0 && takesLess);
        expect(codes.includes('HIGH_CONCENTRATION')).toBe(order(concentration, rational('10')) > 0);
        expect(codes.includes('SEVERAL_DRAWS')).toBe(
          order(volume, rational(syringeOf(input.syringe).barrelMl)) > 0,
        );
      }),
      { numRuns: 500 },
    );
  });

  test('there is at most one warning about the mark', () => {
    fc.assert(
      fc.property(anyVolumeInput, (input) => {
        const { nearestMark, warnings } = calculate(input);
        const codes = warnings.map(({ code }) => code);
        expect(codes.includes('BELOW_FIRST_MARK')).toBe(nearestMark.units === 0);
        expect(codes.includes('MARK_ERROR')).toBe(nearestMark.units > 0 && nearestMark.exceedsFivePercent);
      }),
    );
  });
});

describe('warnings at and near their thresholds', () => {
  // 10 mg in 1 ml: a dose of n mg is n/10 ml.
  test.each([
    ['1', []],
    ['0.999999999999', ['SMALL_VOLUME']],
    ['1.000000000001', []],
    ['10', []],
  ])('%s mg of 10 mg in 1 ml', (dose, codes) => {
    expect(codesOf(volumeInput('10', '1', dose))).toEqual(codes);
  });

  test('0.0995 ml is shown as 0.100 and is still a small volume', () => {
    const result = calculate(volumeInput('2.01', '2', '0.1'));
    expect(result.injectionVolumeText).toBe('0.100');
    expect(result.warnings.map(({ code }) => code)).toEqual(['SMALL_VOLUME']);
  });

  test('1.0004 ml is shown as 1.000 and is still a large volume', () => {
    const result = calculate(volumeInput('10', '10', '1.0004'));
    expect(result.injectionVolumeText).toBe('1.000');
    expect(result.warnings.map(({ code }) => code)).toEqual(['LARGE_VOLUME', 'SEVERAL_DRAWS']);
  });

  test('10.001 mg/ml is shown as 10.00 and is still a high concentration', () => {
    const result = calculate(volumeInput('10.001', '1', '5'));
    expect(result.concentrationText).toBe('10.00');
    expect(result.warnings.map(({ code }) => code)).toEqual(['HIGH_CONCENTRATION']);
  });

  test('a mark 5% off is tolerated, slightly more is not', () => {
    // 0.2 mg of 2.1 mg in 1 ml are 200/21 units, and the mark at 10 is exactly 5 % more.
    expect(codesOf(volumeInput('2.1', '1', '0.2'))).not.toContain('MARK_ERROR');
    expect(codesOf(volumeInput('2.1', '1', '0.1999999999'))).toContain('MARK_ERROR');
    expect(codesOf(volumeInput('10', '1', '0.95'))).toContain('MARK_ERROR');
  });
});

test('following the advice of a warning fixes the draw', () => {
  fc.assert(
    fc.property(anyVolumeInput, (input) => {
      const { warnings, injectionVolume } = calculate(input);
      for (const { message } of warnings.filter(({ code }) => code.endsWith('_VOLUME'))) {
        const water = message.includes('more water') ? '10' : '0.5';
        const followed = calculate({ ...input, waterVolume: water }).injectionVolume;
        if (message.startsWith('Very small')) expect(followed).toBeGreaterThan(injectionVolume);
        else expect(followed).toBeLessThan(injectionVolume);
      }
    }),
  );
});

test('no warning advises more water at 10 ml or less water at 0.5 ml', () => {
  expect(codesOf(volumeInput('100', '10', '0.5'))).not.toContain('SMALL_VOLUME');
  expect(codesOf(volumeInput('100', '9.99', '0.5'))).toContain('SMALL_VOLUME');
  // 100 mg at 10 µl per mg add 1 ml to the 0.5 ml of water.
  const powder = { ...volumeInput('100', '0.5', '80'), displacement: '10' };
  expect(codesOf(powder)).not.toContain('LARGE_VOLUME');
  expect(codesOf({ ...powder, waterVolume: '0.6' })).toContain('LARGE_VOLUME');
});

test('the warnings have their expected texts', () => {
  const messages = (input: CalculationInput) => calculate(input).warnings.map(({ message }) => message);
  expect(messages(volumeInput('100', '0.5', '2.5'))).toEqual([
    'Very small injection volume - consider using more water for reconstitution',
    'High concentration - ensure proper mixing and sterility',
    'The nearest mark of a U-100 1 ml syringe is more than 5% off the desired dose',
  ]);
  expect(messages(volumeInput('0.1', '10', '0.05'))).toEqual([
    'Large injection volume - consider using less water for reconstitution',
    'This draw does not fit a U-100 1 ml syringe: it takes 5 draws',
  ]);
  expect(messages(volumeInput('10', '1', '0.05'))).toContain(
    'This draw is half a mark or less on a U-100 1 ml syringe and cannot be measured with it',
  );
});
