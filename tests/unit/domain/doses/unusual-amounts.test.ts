import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal, ratio } from '#app/domain/decimal/decimal.ts';
import { changedCeiling, ceilingText } from '#app/domain/doses/ceiling-schema.ts';
import {
  confirmedCodes,
  amountKey,
  amountWarnings,
  medianAmount,
  rampWarnings,
  takenNearby,
  type Amount,
  type AmountSetting,
} from '#app/domain/doses/dose-warnings.ts';
import { figureText } from '#app/domain/decimal/figure-text.ts';
import { unitsText } from '#app/domain/units/quantity.ts';

const NOTHING: AmountSetting = {
  usual: null,
  ceiling: null,
  taken: { sameDayMg: '0', weekMg: '0' },
  leftMg: null,
  strength: null,
  syringe: 'u100-1ml',
};
const mg = (text: string): Amount => ({ text, unit: 'mg' });
const mcg = (text: string): Amount => ({ text, unit: 'mcg' });
const planned = (...amounts: Amount[]): AmountSetting => ({ ...NOTHING, usual: { kind: 'plan', amounts } });
const earlier = (...amounts: Amount[]): AmountSetting => ({
  ...NOTHING,
  usual: { kind: 'earlier', amounts },
});
const messages = (amount: Amount, setting: AmountSetting) =>
  amountWarnings(amount, setting).map(({ code, message }) => `${code}: ${message}`);

describe('an unusual amount', () => {
  it('is described in words and figures, with the units of the vial', () => {
    const setting = { ...planned(mg('0.25')), strength: ratio<'mg/ml'>(new Decimal('2.5')) };
    expect(messages(mg('2.5'), setting)).toEqual([
      'ABOVE_PLAN: 2.5 mg is 10 × your planned 0.25 mg: 100 units instead of 10.',
    ]);
    expect(messages(mg('0.025'), setting)).toEqual([
      'BELOW_PLAN: 0.025 mg is 1/10 of your planned 0.25 mg: 1 unit instead of 10.',
    ]);
    expect(messages(mg('0.1'), setting)).toEqual([
      'BELOW_PLAN: 0.1 mg is 0.4 × your planned 0.25 mg: 4 units instead of 10.',
    ]);
  });

  it('is shown in both units if the unit was mixed up, with thousands separated', () => {
    expect(messages(mg('250'), planned(mcg('250')))).toEqual([
      'ABOVE_PLAN: 250 mg (250,000 mcg) is 1,000 × your planned 250 mcg.',
    ]);
  });

  it('starts at exactly twice or half of the usual amount', () => {
    const setting = planned(mcg('250'));
    expect(messages(mcg('499.9'), setting)).toEqual([]);
    expect(messages(mcg('500'), setting)).toHaveLength(1);
    expect(messages(mcg('125.1'), setting)).toEqual([]);
    expect(messages(mcg('125'), setting)).toHaveLength(1);
  });

  it('is not one that any schedule of the compound has planned', () => {
    expect(messages(mcg('100'), planned(mcg('300'), mcg('100')))).toEqual([]);
    expect(messages(mcg('3000'), planned(mcg('100'), mcg('300')))[0]).toContain('10 × your planned 300 mcg');
  });

  it('without a plan is compared with the median of the last three doses, so that one slip doesn’t become the norm', () => {
    expect(medianAmount([mcg('2500'), mcg('250'), mcg('250')])).toEqual(mcg('250'));
    expect(messages(mcg('250'), earlier(mcg('2500'), mcg('250'), mcg('250')))).toEqual([]);
    expect(messages(mcg('2500'), earlier(mcg('250'), mcg('250'), mcg('250')))).toHaveLength(1);
    expect(messages(mcg('2500'), earlier())).toEqual([]);
    expect(messages(mcg('2500'), earlier(mcg('250')))).toHaveLength(1);
  });

  it('includes one above any of the owner’s ceilings, alone or together with other doses', () => {
    const ceiling = { unit: 'mcg' as const, perDose: '500', perDay: '600', per7Days: '1000' };
    const taken = { sameDayMg: '0.25', weekMg: '0.75' };
    expect(messages(mcg('501'), { ...NOTHING, ceiling, taken })).toEqual([
      'ABOVE_CEILING: 501 mcg is more than your limit of 500 mcg a dose.',
      'ABOVE_CEILING: This dose brings that day’s total to 751 mcg, more than your limit of 600 mcg a day.',
      'ABOVE_CEILING: This dose brings the 7-day total to 1,251 mcg, more than your limit of 1,000 mcg in 7 days.',
    ]);
    expect(messages(mcg('250'), { ...NOTHING, ceiling, taken })).toEqual([]);
  });

  it('includes one of at least ten times what the vial holds', () => {
    expect(messages(mg('50'), { ...NOTHING, leftMg: '5' })).toEqual([
      'ABOVE_VIAL: 50 mg is 10 × the 5 mg left in the vial.',
    ]);
    expect(messages(mg('49'), { ...NOTHING, leftMg: '5' })).toEqual([]);
    expect(messages(mg('50'), { ...NOTHING, leftMg: '0' })).toEqual([]);
  });
});

describe('a ramp', () => {
  const ramp = (start: string, step: string, target: string) =>
    rampWarnings({ doseAmount: start, doseUnit: 'mg', ramp: { start, step, target } });

  it('is not unusual as on approved labels', () => {
    expect(ramp('0.25', '0.25', '2.4')).toEqual([]);
    expect(ramp('2.5', '2.5', '15')).toEqual([]);
  });

  it('is unusual when a step or the last dose has a misplaced decimal point', () => {
    expect(ramp('0.25', '2.5', '2.4')[0]?.message).toBe(
      'The first change goes from 0.25 mg to 2.4 mg, which is 9.6 × the first dose.',
    );
    expect(ramp('0.25', '0.25', '24')[0]?.message).toBe(
      'The last dose of 24 mg is 96 × the first dose of 0.25 mg.',
    );
  });
});

describe('confirming an unusual amount', () => {
  it('counts only for the amount that was asked about', () => {
    const key = amountKey('BPC-157', mg('2.50'));
    expect(key).toBe('BPC-157 2.5 mg');
    const answer = { confirmed: ['ABOVE_PLAN', 'TOO_SOON'] as const, confirmedAmount: key };
    expect(confirmedCodes(answer, key)).toEqual(['ABOVE_PLAN', 'TOO_SOON']);
    expect(confirmedCodes(answer, amountKey('BPC-157', mg('25')))).toEqual(['TOO_SOON']);
    expect(confirmedCodes({ confirmed: ['ABOVE_PLAN'] }, key)).toEqual(['ABOVE_PLAN']);
  });
});

describe('ceilings', () => {
  it('keep limits that were not sent, converted to a new unit, and are removed when none is left', () => {
    const before = { unit: 'mg' as const, perDose: '0.5', perDay: '1', per7Days: null };
    expect(changedCeiling(before, { unit: 'mcg', perDay: '900' })).toEqual({
      unit: 'mcg',
      perDose: '500',
      perDay: '900',
      per7Days: null,
    });
    expect(changedCeiling(before, { perDose: null, perDay: null })).toBeNull();
    expect(ceilingText({ ...before, per7Days: '1000' })).toBe(
      'at most 0.5 mg a dose, 1 mg a day, 1,000 mg in 7 days',
    );
  });

  it('apply to the day’s total and to the fullest week around it', () => {
    const doses = ['2026-03-04', '2026-03-10', '2026-03-10', '2026-03-16', '2026-03-17'].map((day) => ({
      ...mg('1'),
      day,
    }));
    expect(takenNearby('2026-03-10', 'mg', doses)).toEqual({ sameDayMg: '2', weekMg: '3' });
    // IU are never added to mg.
    expect(takenNearby('2026-03-10', 'IU', doses)).toEqual({ sameDayMg: '0', weekMg: '0' });
    expect(takenNearby('2026-01-01', 'mg', doses)).toEqual({ sameDayMg: '0', weekMg: '0' });
  });
});

describe('figures in warnings', () => {
  it('have separated thousands, no trailing zeros and a zero before the decimal point', () => {
    expect(['2500', '2.50', '.5', '1234567.1', '0.0001', '10', '100'].map(figureText)).toEqual([
      '2,500',
      '2.5',
      '0.5',
      '1,234,567.1',
      '0.0001',
      '10',
      '100',
    ]);
    expect([unitsText('1'), unitsText('1.0'), unitsText('12.5')]).toEqual(['1 unit', '1 unit', '12.5 units']);
  });

  it('keep their value', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), fc.integer({ min: 0, max: 9 }), (n, shift) => {
        const text = new Decimal(String(n)).times(new Decimal(10).pow(-shift)).toFixed();
        const figure = figureText(text);
        expect(new Decimal(figure.replaceAll(',', '')).eq(text)).toBe(true);
        expect(figure).not.toMatch(/\.\d*0$|^\.|^\d{4}/);
      }),
    );
  });
});
