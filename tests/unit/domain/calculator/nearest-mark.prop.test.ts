import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { calculate } from '#app/domain/calculator/calculate.ts';
import { drawToText, markErrorText } from '#app/domain/calculator/draw-words.ts';
import { solve } from '#app/domain/calculator/solve.ts';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { SYRINGES, type CalculationInput } from '#app/domain/calculator/calculation.ts';
import { anyVolumeInput, volumeInput } from '#tests/support/calculator-arbitraries.ts';
import {
  isHalfUp,
  isNearestDouble,
  minus,
  order,
  over,
  plus,
  rational,
  size,
  times,
} from '#tests/support/rational.ts';

/** The exact draw on the scale, and the mark chosen for it. */
function drawnAndMark(input: CalculationInput) {
  const { volume, concentration, dose } = solve(input);
  const { mark, nearestMark, syringe } = calculate(input);
  const perMl = rational(String(syringe.unitsPerMl));
  return {
    drawn: times(volume, perMl),
    chosen: rational(nearestMark.unitsText),
    mark: rational(mark),
    nearestMark,
    concentration,
    dose,
    perMl,
  };
}

describe('law: the nearest mark', () => {
  test('is a mark of the barrel, a whole multiple of the mark spacing', () => {
    fc.assert(
      fc.property(anyVolumeInput, (input) => {
        const { chosen, mark } = drawnAndMark(input);
        const marks = over(chosen, mark);
        expect(marks.n % marks.d).toBe(0n);
      }),
    );
  });

  test('is nearer than any other mark, and a tie goes to the lower one', () => {
    fc.assert(
      fc.property(anyVolumeInput, (input) => {
        const { drawn, chosen, mark } = drawnAndMark(input);
        const off = size(minus(chosen, drawn));
        expect(order(off, size(minus(plus(chosen, mark), drawn)))).toBeLessThanOrEqual(0);
        // Strictly nearer than the mark below, which would win a tie.
        if (chosen.n > 0n) expect(order(off, size(minus(minus(chosen, mark), drawn)))).toBeLessThan(0);
      }),
      { numRuns: 500 },
    );
  });

  test('is drawn in whole barrels and a rest that end on printed marks and make up the mark', () => {
    fc.assert(
      fc.property(anyVolumeInput, (input) => {
        const { mark, nearestMark, syringe } = calculate(input);
        const [, times = '0', barrel = '0', rest = '0'] =
          /^(?:(?:(\d+) × )?(\d+) \+ )?([\d.]+)$/.exec(
            nearestMark.drawsText.replace(/^(\d+ × \d+)$/, '$1 + 0'),
          ) ?? [];
        const full = Number(barrel) === 0 ? 0 : Number(times) || 1;
        expect(full === 0 || Number(barrel) === syringe.barrelUnits).toBe(true);
        expect(Number(rest)).toBeLessThanOrEqual(syringe.barrelUnits);
        const marks = new Decimal(rest).div(mark);
        expect(marks.eq(marks.round(0))).toBe(true);
        expect(new Decimal(full).times(syringe.barrelUnits).plus(rest).toNumber()).toBe(nearestMark.units);
      }),
    );
  });

  test('is the exact draw only if nothing is rounded, and its error is none only then', () => {
    fc.assert(
      fc.property(anyVolumeInput, (input) => {
        const { drawn, chosen, nearestMark } = drawnAndMark(input);
        expect(nearestMark.isExact).toBe(order(drawn, chosen) === 0);
        expect(markErrorText(nearestMark) === null).toBe(nearestMark.isExact || nearestMark.units === 0);
      }),
    );
  });

  test.each([
    // peptide mg, water ml, dose mg, more; to draw, error
    ['5', '0.5', '0.137', {}, '1 unit', '27.01% less'],
    ['5', '2', '0.137', {}, '5 units', '8.76% less'],
    ['5', '2', '4.9', {}, '100 + 96 units', null],
    ['5', '2', '2.5', {}, '100 units', null],
    ['5', '2', '2.501', {}, '100 units', '0.04% less'],
    ['5', '10', '2.165', {}, '4 × 100 + 33 units', null],
    ['5', '10', '5', { syringe: 'u100-0.3ml' }, '33 × 30 + 10 units', null],
    ['100', '1', '0.1', {}, 'Too small to measure', null],
    ['100', '1', '99.9999', {}, '100 units', 'within 0.01%'],
  ] as const)(
    'of %s mg in %s ml for %s mg is said as the hand needs it',
    (amount, water, dose, more, draw, error) => {
      const { nearestMark } = calculate(volumeInput(amount, water, dose, more));
      expect([drawToText(nearestMark), markErrorText(nearestMark)]).toEqual([draw, error]);
    },
  );

  test('delivers the stated dose, with the stated error in percent', () => {
    fc.assert(
      fc.property(anyVolumeInput, (input) => {
        const { chosen, nearestMark, concentration, dose, perMl } = drawnAndMark(input);
        const delivered = times(over(chosen, perMl), concentration);
        const error = times(over(minus(delivered, dose), dose), rational('100'));
        const percent = nearestMark.errorPercentText;
        expect(isHalfUp(percent.replace('-', ''), size(error), 2)).toBe(true);
        expect(percent.startsWith('-') && order(error, rational('0')) >= 0).toBe(false);
        expect(nearestMark.exceedsFivePercent).toBe(order(size(error), rational('5')) > 0);
        if (chosen.n > 0n) expect(isNearestDouble(nearestMark.deliveredDose, delivered)).toBe(true);
        else expect(nearestMark.deliveredDose).toBe(0);
      }),
    );
  });
});

describe('the nearest mark', () => {
  const markOf = (dose: string, more: Partial<CalculationInput> = {}) =>
    calculate(volumeInput('10', '1', dose, more)).nearestMark;

  test('is the lower one for 10.5 units', () => {
    expect(markOf('1.05')).toMatchObject({
      units: 10,
      unitsText: '10',
      errorPercentText: '-4.76',
      exceedsFivePercent: false,
    });
    expect(markOf('1.0500001').units).toBe(11);
  });

  test('works with 2-unit marks on the 1 ml barrel', () => {
    expect(markOf('1.1', { mark: '2' }).units).toBe(10);
    expect(markOf('1.11', { mark: '2' }).units).toBe(12);
  });

  test('works with half-unit marks, the default of the 0.3 ml barrel', () => {
    expect(SYRINGES['u100-0.3ml'].marks[0]).toBe('0.5');
    expect(markOf('0.15', { syringe: 'u100-0.3ml' })).toMatchObject({
      units: 1.5,
      unitsText: '1.5',
      errorPercentText: '0',
    });
    expect(markOf('0.15', { syringe: 'u100-0.3ml', mark: '1' }).units).toBe(1);
  });

  test('uses 40 units per ml on the U-40 scale', () => {
    const result = calculate(volumeInput('10', '1', '2.5', { syringe: 'u40-1ml' }));
    expect(result.unitsText).toBe('10');
    expect(result.nearestMark).toMatchObject({ units: 10, volumeText: '0.250', deliveredDoseText: '2.5' });
  });

  test('is zero for half a mark or less, with a warning', () => {
    const result = calculate(volumeInput('10', '1', '0.05'));
    expect(result.unitsText).toBe('0.5');
    expect(result.nearestMark).toMatchObject({
      units: 0,
      unitsText: '0',
      volumeText: '0.000',
      deliveredDose: 0,
      deliveredDoseText: '0',
      deliveredDoseWithUnit: '0 mg',
      errorPercentText: '-100',
      exceedsFivePercent: true,
    });
    expect(result.fillFraction).toBe(0);
    expect(result.warnings.map(({ code }) => code)).toContain('BELOW_FIRST_MARK');
    expect(result.warnings.map(({ code }) => code)).not.toContain('MARK_ERROR');
  });

  test('states the delivered dose in the unit of the entered dose', () => {
    const result = calculate(volumeInput('5', '3', '333', { desiredDoseUnit: 'mcg' }));
    expect(result.nearestMark.deliveredDoseWithUnit).toBe('333.333 mcg');
    expect(result.nearestMark.deliveredDoseText).toBe('0.333');
    expect(result.desiredDoseWithUnit).toBe('333 mcg');
  });
});

describe('the syringe barrel', () => {
  test('is filled to the mark', () => {
    expect(calculate(volumeInput('5', '2', '0.25')).fillFraction).toBe(0.1);
    expect(calculate(volumeInput('5', '2', '0.25', { syringe: 'u100-0.5ml' })).fillFraction).toBe(0.2);
    expect(calculate(volumeInput('5', '2', '0.25', { syringe: 'u40-1ml' })).fillFraction).toBe(0.1);
  });

  test('is full if several draws are needed, and never more than full', () => {
    expect(calculate(volumeInput('5', '2', '5'))).toMatchObject({ fillFraction: 1, drawsNeeded: 2 });
    expect(calculate(volumeInput('5', '1', '5'))).toMatchObject({ fillFraction: 1, drawsNeeded: 1 });
    fc.assert(
      fc.property(anyVolumeInput, (input) => {
        const { fillFraction } = calculate(input);
        expect(fillFraction).toBeGreaterThanOrEqual(0);
        expect(fillFraction).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('law: needs exactly enough draws for the volume', () => {
    fc.assert(
      fc.property(anyVolumeInput, (input) => {
        const { drawsNeeded, syringe } = calculate(input);
        const { volume } = solve(input);
        const held = (draws: number) => times(rational(String(draws)), rational(syringe.barrelMl));
        expect(order(volume, held(drawsNeeded))).toBeLessThanOrEqual(0);
        expect(order(held(drawsNeeded - 1), volume)).toBeLessThan(0);
      }),
    );
  });
});
