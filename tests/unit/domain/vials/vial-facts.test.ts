import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concentrationMatches, costOfDose, drawOf, strengthOf } from '#app/domain/vials/contents.ts';
import {
  isLow,
  vialNameKey,
  beyondUseDay,
  beyondUseDayAfter,
  expiryOf,
  isPastDate,
} from '#app/domain/vials/vial.ts';
import { fixedText } from '#app/domain/decimal/decimal.ts';
import { calendarDay, dayAfter, daysBetween } from '#app/domain/time/zoned-time.ts';
import { vial, vialWith } from '#tests/support/vials.ts';

describe('the last day of use', () => {
  it('is the one stored, else 28 days after reconstitution, else unknown', () => {
    expect(beyondUseDay(vial())).toBe('2026-03-29');
    expect(beyondUseDay(vial({ reconstitutionDate: '2026-02-01' }))).toBe('2026-03-01');
    expect(beyondUseDay(vial({ reconstitutionDate: '2028-02-01' }))).toBe('2028-02-29');
    expect(beyondUseDay(vial({ expirationDate: '2026-12-24' }))).toBe('2026-12-24');
    expect(beyondUseDay(vial({ reconstitutionDate: null }))).toBeNull();
  });

  it('of a vial still to be opened is 28 days after opening, or the date on it if earlier', () => {
    expect(beyondUseDayAfter('2026-03-01', null)).toBe('2026-03-29');
    expect(beyondUseDayAfter('2026-03-01', '2027-01-01')).toBe('2026-03-29');
    expect(beyondUseDayAfter('2026-03-01', '2026-03-10')).toBe('2026-03-10');
  });

  it.each([
    ['2026-03-21', 'good', 8],
    ['2026-03-22', 'soon', 7],
    ['2026-03-29', 'soon', 0],
    ['2026-03-30', 'past', -1],
  ])('seen on %s is %s', (day, state, daysLeft) => {
    expect(expiryOf(vial(), day)).toEqual({ state, lastDay: '2026-03-29', daysLeft });
    expect(isPastDate(vial(), day)).toBe(state === 'past');
  });

  it('is unknown and never past without a date', () => {
    expect(expiryOf(vial({ reconstitutionDate: null }), '2099-01-01')).toEqual({
      state: 'unknown',
      lastDay: null,
      daysLeft: null,
    });
  });

  it("counts to its end in the owner's zone, at every hour of a day with a clock change", () => {
    // 29 March 2026: clocks in Berlin go forward.
    const states = [
      '2026-03-28T23:00:00Z',
      '2026-03-29T12:00:00Z',
      '2026-03-29T21:59:59Z',
      '2026-03-29T22:00:00Z',
    ].map((instant) => expiryOf(vial(), calendarDay(new Date(instant), 'Europe/Berlin')).state);
    expect(states).toEqual(['soon', 'soon', 'soon', 'past']);
  });

  it('law: the badge only ever goes from good to soon to past', () => {
    fc.assert(
      fc.property(fc.integer({ min: -400, max: 400 }), (offset) => {
        const day = dayAfter('2026-03-29', offset);
        const { state, daysLeft } = expiryOf(vial(), day);
        expect(daysLeft).toBe(daysBetween(day, '2026-03-29'));
        expect(state).toBe(offset > 0 ? 'past' : offset >= -7 ? 'soon' : 'good');
      }),
    );
  });
});

describe('the strength of a vial', () => {
  it('is exactly amount ÷ volume, including powder displacement', () => {
    const text = (more: object) => fixedText(strengthOf(vial(more)) ?? { n: 0n, d: 1n }, 6);
    expect(text({})).toBe('2.500000');
    expect(text({ waterMl: '3' })).toBe('1.666667');
    expect(text({ displacement: '100' })).toBe('2.000000');
    expect(text({ waterMl: null, concentration: '0.1' })).toBe('0.100000');
    expect(strengthOf(vial({ waterMl: null }))).toBeNull();
  });

  it('gives the draw as the calculator does (2.01 mg in 2 ml is no binary fraction)', () => {
    expect(drawOf(vial({ totalAmount: '2.01' }), '0.1')).toMatchObject({
      volumeText: '0.100',
      unitsText: '9.95',
      nearestMark: { drawsText: '10', isExact: false, errorPercentText: '0.5' },
    });
    expect(drawOf(vial({ waterMl: '3' }), '0.333')).toMatchObject({
      volumeText: '0.200',
      unitsText: '19.98',
    });
    expect(drawOf(vial(), '0.25', 'u40-1ml')).toMatchObject({
      volumeText: '0.100',
      unitsText: '4',
      nearestMark: { drawsText: '4', isExact: true },
    });
    expect(drawOf(vial({ waterMl: null }), '1')).toBeNull();
  });

  it.each([
    ['1.67', true],
    ['1.667', true],
    ['1.6666666666666667', true],
    ['1.7', false],
    ['1.66', false],
    ['2', false],
  ])('5 mg in 3 ml agrees with %s: %s', (concentration, expected) => {
    expect(concentrationMatches(concentration, { totalAmount: '5', waterMl: '3', displacement: '0' })).toBe(
      expected,
    );
  });

  it('does not accept a factor of two as rounding', () => {
    expect(concentrationMatches('0.01', { totalAmount: '0.05', waterMl: '10', displacement: '0' })).toBe(
      false,
    );
    expect(concentrationMatches('0.005', { totalAmount: '0.05', waterMl: '10', displacement: '0' })).toBe(
      true,
    );
  });
});

describe('other figures of a vial', () => {
  it.each([
    ['40', '0.25', '2.00'],
    ['39.99', '0.25', '2.00'],
    ['1', '0.333', '0.07'],
    ['1', '0.001', '0.0002'],
    ['0', '1', '0.00'],
  ])('a vial of 5 mg for %s: %s mg cost %s', (cost, dose, expected) => {
    expect(costOfDose(vial({ cost }), dose)).toBe(expected);
  });

  it('the cost of a dose is unknown without a price', () => expect(costOfDose(vial(), '1')).toBeNull());

  it.each([
    ['1', true],
    ['1.001', false],
    ['0.3', true],
  ])('%s of 5 mg is low: %s', (remaining, expected) => expect(isLow(vialWith(remaining))).toBe(expected));

  it('a sealed or empty vial is not low', () => {
    expect(isLow(vialWith('1', { reconstitutionDate: null }))).toBe(false);
    expect(isLow(vialWith('0'))).toBe(false);
  });

  it.each(['BPC-157', ' bpc-157 ', 'ＢＰＣ-157', 'bpc-157\n'])('%j is one compound', (name) =>
    expect(vialNameKey(name)).toBe('bpc-157'),
  );
});
