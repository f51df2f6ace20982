import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { calculate, calculateFigures } from '#app/domain/calculator/calculate.ts';
import { solve, findLimitProblems } from '#app/domain/calculator/solve.ts';
import type { CalculationInput } from '#app/domain/calculator/calculation.ts';
import { compare, exactText } from '#app/domain/decimal/decimal.ts';
import {
  amountText,
  anyVolumeInput,
  doseUpTo,
  volumeInput,
  waterText,
} from '#tests/support/calculator-arbitraries.ts';

/** Amounts that divide any decimal without a remainder, so that the volume is finite and can be typed as a draw. */
const dividingAmount = fc.constantFrom(
  '0.1',
  '1',
  '1.25',
  '2',
  '2.5',
  '4',
  '5',
  '8',
  '10',
  '12.5',
  '16',
  '20',
  '50',
  '100',
);

const solvable = dividingAmount.chain((amount) =>
  fc
    .record({ water: waterText, dose: doseUpTo(amount), displacement: fc.constantFrom('0', '0.7', '40') })
    .map(({ water, dose, displacement }) => volumeInput(amount, water, dose, { displacement })),
);

/** The draw of a calculation, as typed in the other two modes. Its denominator is the amount: only 2s and 5s. */
function drawText(input: CalculationInput): string {
  const { n, d } = solve(input).volume;
  let places = 0n;
  while ((n * 10n ** places) % d !== 0n) places += 1n;
  return exactText({ n: (n * 10n ** places) / d, d: 10n ** places });
}

describe('law: the three modes agree', () => {
  test('the draw from volume mode leads back to the water', () => {
    fc.assert(
      fc.property(solvable, (input) => {
        const back: CalculationInput = {
          ...input,
          solveFor: 'water',
          waterVolume: undefined,
          drawVolume: drawText(input),
        };
        expect(findLimitProblems(back)).toEqual([]);
        expect(compare(solve(back).water, solve(input).water)).toBe(0);
        expect(calculateFigures(back)).toEqual(calculateFigures(input));
      }),
    );
  });

  test('the draw from volume mode leads back to the dose', () => {
    fc.assert(
      fc.property(solvable, (input) => {
        const back: CalculationInput = {
          ...input,
          solveFor: 'dose',
          desiredDose: undefined,
          drawVolume: drawText(input),
        };
        expect(findLimitProblems(back)).toEqual([]);
        expect(compare(solve(back).dose, solve(input).dose)).toBe(0);
        expect(calculateFigures(back)).toEqual(calculateFigures(input));
      }),
    );
  });

  test('the rest of a result is the same in all three modes', () => {
    fc.assert(
      fc.property(solvable, (input) => {
        const direct = calculate(input);
        const back = calculate({
          ...input,
          solveFor: 'dose',
          desiredDose: undefined,
          drawVolume: drawText(input),
        });
        expect(back.nearestMark).toEqual(direct.nearestMark);
        expect(back.warnings).toEqual(direct.warnings);
        expect(back.dosesPerVial).toBe(direct.dosesPerVial);
        expect(back.fillFraction).toBe(direct.fillFraction);
      }),
    );
  });
});

describe('law: monotonicity', () => {
  const twoDoses = amountText.chain((amount) =>
    fc.tuple(fc.constant(amount), waterText, doseUpTo(amount), doseUpTo(amount)),
  );

  test('a larger dose never has a smaller draw', () => {
    fc.assert(
      fc.property(twoDoses, ([amount, water, one, other]) => {
        const a = solve(volumeInput(amount, water, one));
        const b = solve(volumeInput(amount, water, other));
        expect(compare(a.volume, b.volume)).toBe(compare(a.dose, b.dose));
      }),
    );
  });

  test('more water means a lower concentration and a larger draw', () => {
    fc.assert(
      fc.property(anyVolumeInput, waterText, (input, water) => {
        const a = solve(input);
        const b = solve({ ...input, waterVolume: water });
        const byWater = compare(a.water, b.water);
        expect(compare(a.volume, b.volume)).toBe(byWater);
        expect(compare(b.concentration, a.concentration)).toBe(byWater);
      }),
    );
  });

  test('displacement never increases the concentration', () => {
    fc.assert(
      fc.property(anyVolumeInput, (input) => {
        const plain = solve({ ...input, displacement: '0' });
        expect(compare(solve(input).concentration, plain.concentration)).toBeLessThanOrEqual(0);
        expect(compare(solve(input).volume, plain.volume)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('powder displacement', () => {
  test('adds amount × displacement ÷ 1000 to the water', () => {
    const result = calculate(volumeInput('100', '2', '10', { displacement: '5' }));
    expect(result.solutionVolumeText).toBe('2.5');
    expect(result.waterVolumeText).toBe('2');
    expect(result.concentrationText).toBe('40.00');
    expect(result.injectionVolumeText).toBe('0.250');
    expect(result.displacementText).toBe('5');
  });

  test('is subtracted when solving for water', () => {
    const result = calculate({
      ...volumeInput('100', '', '10', { displacement: '5' }),
      solveFor: 'water',
      waterVolume: undefined,
      drawVolume: '0.25',
    });
    expect(result.waterVolumeText).toBe('2');
    expect(result.solutionVolumeText).toBe('2.5');
    expect(result.solvedText).toBe('2 ml');
  });
});
