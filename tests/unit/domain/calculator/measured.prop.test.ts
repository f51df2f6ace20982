import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calculate, calculateFigures } from '#app/domain/calculator/calculate.ts';
import type { CalculationInput } from '#app/domain/calculator/calculation.ts';
import { parseCalculationForm, parseCalculationJson } from '#app/domain/calculator/calculation-schema.ts';
import { plainText } from '#app/domain/decimal/decimal.ts';
import { findLimitProblems } from '#app/domain/calculator/solve.ts';
import { measuredVial } from '#app/domain/lots/lot-texts.ts';
import { amountText, anyVolumeInput } from '#tests/support/calculator-arbitraries.ts';

const FORM = { peptideAmount: '5', measuredAmount: '4.8', waterVolume: '2', desiredDose: '250mcg' };

function resultOf(form: Readonly<Record<string, string>>) {
  const parsed = parseCalculationForm(form);
  if (!parsed.ok) return expect.unreachable(JSON.stringify(parsed.fields));
  return calculate(parsed.input);
}

describe('the measured content in a calculation', () => {
  it('is used only if given', () => {
    const { measuredAmount: _measured, ...printed } = FORM;
    expect(resultOf(printed)).toMatchObject({
      measured: undefined,
      concentrationText: '2.50',
      unitsText: '10',
    });
    expect(resultOf({ ...FORM, measuredAmount: ' ' })).toEqual(resultOf(printed));
  });

  it('determines the draw, and the result for the printed amount is shown', () => {
    const result = resultOf(FORM);
    expect(result).toMatchObject({
      peptideAmount: 5,
      peptideAmountText: '4.8',
      concentrationText: '2.40',
      injectionVolumeText: '0.104',
      unitsText: '10.42',
      dosesPerVial: 19,
      summary:
        '4.8 mg + 2 ml = 2.40 mg/ml; 0.25 mg = 0.104 ml (10.42 units) (measured content; 5 mg printed)',
    });
    expect(result.measured?.note).toBe(
      'Calculated with the measured 4.8 mg in place of the printed 5 mg (4% less). With the printed amount it would be 0.100 ml (10 units), 0.417 units less, for a true dose of 240 mcg.',
    );
    expect(result.formula.map(({ numbers }) => numbers).join(' ')).not.toContain('5 mg ÷');
  });

  it.each([
    [{ solveFor: 'dose', drawVolume: '0.1' }, { solvedText: '240 mcg' }, '250 mcg, 10 mcg more'],
    [
      { solveFor: 'water', drawVolume: '0.1' },
      { solvedText: '1.92 ml' },
      '2 ml of water, 0.08 ml more, for a true dose of 240 mcg',
    ],
    // 4.8 mg in 1.92 ml + 4.8 µl instead of 5 mg in 2 ml + 5 µl; the real powder takes up its own volume.
    [
      { solveFor: 'water', drawVolume: '0.1', displacement: '1' },
      { solvedText: '1.915 ml' },
      '1.995 ml of water, 0.0798 ml more, for a true dose of 240.024 mcg',
    ],
  ])('works in the mode of %j', (more, shown, byPrinted) => {
    const result = resultOf({ ...FORM, desiredDoseUnit: 'mcg', desiredDose: '250', ...more });
    expect(result).toMatchObject(shown);
    expect(result.measured?.byPrinted).toBe(byPrinted);
  });

  it('may equal the printed amount, or be the only one that is large enough for the dose', () => {
    expect(resultOf({ ...FORM, measuredAmount: '5.0' }).measured).toMatchObject({
      differenceText: 'as printed',
      byPrinted: undefined,
    });
    expect(resultOf({ ...FORM, measuredAmount: '5.0001' }).measured?.differenceText).toBe('under 0.1% more');
    expect(resultOf({ ...FORM, measuredAmount: '5.4', desiredDose: '5.2' }).measured).toMatchObject({
      differenceText: '8% more',
      byPrinted: undefined,
    });
  });

  it.each([
    [
      { ...FORM, measuredAmount: '101' },
      { measuredAmount: ['Measured content must be above 0 mg and at most 100 mg'] },
    ],
    [
      { ...FORM, measuredAmount: '0' },
      { measuredAmount: ['Measured content must be above 0 mg and at most 100 mg'] },
    ],
    [{ ...FORM, peptideAmount: '' }, { peptideAmount: ['Peptide amount must be between 0.1mg and 100mg'] }],
    [
      { ...FORM, desiredDose: '4.9' },
      { desiredDose: ['Desired dose must be positive and less than total peptide amount'] },
    ],
  ])('is refused in %j', (form, fields) => {
    expect(parseCalculationForm(form)).toMatchObject({ ok: false, fields });
  });

  it('is refused for a blend but accepted for a single component', () => {
    const blend = [
      { name: 'BPC-157', amount: 5 },
      { name: 'TB-500', amount: 5 },
    ];
    const body = { measuredAmount: 4.8, waterVolume: 2, desiredDose: 0.25 };
    expect(parseCalculationJson({ ...body, components: blend })).toMatchObject({
      ok: false,
      fields: { measuredAmount: ['Measured content is only for vials with one peptide'] },
    });
    const one = { ...body, components: blend.slice(0, 1) };
    expect(parseCalculationJson(one)).toMatchObject({
      ok: true,
      input: { peptideAmount: '5', measuredAmount: '4.8' },
    });
    expect(parseCalculationJson({ ...one, measuredAmount: 101 })).toMatchObject({ ok: false });
    expect(parseCalculationJson({ ...one, desiredDose: 4.9 })).toMatchObject({ ok: false });
  });

  it('law: gives the same figures as a vial with that printed amount', () => {
    fc.assert(
      fc.property(anyVolumeInput, amountText, (input, printed) => {
        const measured: CalculationInput = {
          ...input,
          peptideAmount: printed,
          measuredAmount: input.peptideAmount,
        };
        fc.pre(findLimitProblems(measured).length === 0);
        expect(calculateFigures(measured)).toEqual({
          ...calculateFigures(input),
          peptideAmount: Number(printed),
        });
        const { measured: told, summary: _summary, ...result } = calculate(measured);
        const { measured: none, summary: _plain, ...plain } = calculate(input);
        expect(result).toEqual({ ...plain, peptideAmount: Number(printed) });
        expect([told?.printedText, none]).toEqual([plainText(printed), undefined]);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a calculation started from a vial with a measured lot', () => {
  const VIAL = {
    ...{ name: 'BPC-157', totalAmount: '5', waterMl: '2', displacement: '0', components: undefined },
    ...{ form: null, amountUnit: null },
  };

  it('starts with both amounts', () => {
    expect(measuredVial({ netContentMg: '4.80' }, VIAL)).toEqual({
      name: 'BPC-157',
      unit: 'mg',
      printedMg: '5',
      measuredMg: '4.8',
      difference: '4% less than printed',
      waterMl: '2',
      displacement: null,
    });
  });

  it('is not offered without measured content, for a blend, or outside the calculator’s limits', () => {
    const components = ['BPC-157', 'TB-500'].map((name) => ({
      name,
      amount: '5',
      changedMg: '0',
      foldedMg: '0',
    }));
    expect(measuredVial({ netContentMg: null }, VIAL)).toBeNull();
    expect(measuredVial({ netContentMg: '4.8' }, { ...VIAL, components })).toBeNull();
    expect(measuredVial({ netContentMg: '4.8' }, { ...VIAL, totalAmount: '101' })).toBeNull();
    expect(measuredVial({ netContentMg: '101' }, VIAL)).toBeNull();
  });
});
