import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareDays, heatRows, movingAverage } from '#app/domain/analytics/day-figures.ts';
import { daysOf, labelDays, periodUpTo, readPeriod } from '#app/domain/analytics/periods.ts';
import { spendOf } from '#app/domain/analytics/spend.ts';
import { compare, fixedText } from '#app/domain/decimal/decimal.ts';
import { daysBefore } from '#app/domain/time/zoned-time.ts';

const day = fc.integer({ min: 0, max: 800 }).map((days) => daysBefore('2026-11-21', days));
const counts = fc
  .dictionary(day, fc.integer({ min: 0, max: 9 }))
  .map((record) => new Map(Object.entries(record)));

describe('analytics periods', () => {
  it('end today and have the stated number of days', () => {
    expect(daysOf(periodUpTo('2026-03-01', 30)).length).toBe(30);
    expect(periodUpTo('2024-03-01', 30)).toEqual({ first: '2024-02-01', last: '2024-03-01' });
    expect(daysOf({ first: '2024-02-28', last: '2024-03-01' })).toEqual([
      '2024-02-28',
      '2024-02-29',
      '2024-03-01',
    ]);
  });

  it.each([
    ['30', 30],
    ['365', 365],
    ['31', 90],
    [null, 90],
    ['1e9', 90],
    ['-30', 90],
  ])('read from %j have %i days', (text, days) => expect(readPeriod(text)).toBe(days));

  it('are labelled at both ends', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), (length) => {
        const days = daysOf({ first: daysBefore('2026-11-21', length - 1), last: '2026-11-21' });
        const labels = labelDays(days);
        expect(labels[0]).toBe(days[0]);
        expect(labels.at(-1)).toBe(length === 1 ? days[0] : '2026-11-21');
        expect(labels.length).toBe(Math.min(4, length));
        expect(labels).toEqual(labels.toSorted());
      }),
    );
  });
});

describe('the heat map', () => {
  it('has every day of the period once, under its weekday, and no other', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 400 }), counts, (last, length, counted) => {
        const period = { first: daysBefore(last, length), last };
        const rows = heatRows(period, counted);
        const all = rows.flatMap(({ days }) => days).filter((cell) => cell !== null);
        expect(all.map((cell) => cell.day).toSorted()).toEqual(daysOf(period));
        for (const [index, { days }] of rows.entries())
          for (const cell of days)
            if (cell) {
              expect((new Date(`${cell.day}T00:00:00Z`).getUTCDay() + 6) % 7).toBe(index);
              expect(cell.count).toBe(counted.get(cell.day) ?? 0);
              expect(cell.step === 0).toBe(cell.count === 0);
            }
        const most = Math.max(...all.map((cell) => cell.count));
        if (most > 0) expect(all.some((cell) => cell.count === most && cell.step === 4)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

describe('the moving average', () => {
  it('is the mean of the values of the last days', () => {
    const values = fc
      .uniqueArray(day, { maxLength: 60 })
      .chain((days) =>
        fc.tuple(
          fc.constant(days.toSorted()),
          fc.array(fc.integer({ min: 0, max: 500 }), { minLength: days.length, maxLength: days.length }),
        ),
      )
      .map(([days, numbers]) => days.map((at, index) => ({ day: at, value: numbers[index] ?? 0 })));
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 30 }), (series, window) => {
        const averaged = movingAverage(series, window);
        expect(averaged.map((one) => one.day)).toEqual(series.map((one) => one.day));
        for (const one of averaged) {
          const inside = series.filter(({ day: at }) => at <= one.day && at > daysBefore(one.day, window));
          const mean = inside.reduce((sum, { value }) => sum + value, 0) / inside.length;
          expect(one.value).toBeCloseTo(mean, 9);
        }
      }),
    );
  });
});

describe('comparing days with and without a dose', () => {
  it('counts every day on one side, and needs five on each', () => {
    fc.assert(
      fc.property(fc.uniqueArray(day, { maxLength: 40 }), counts, counts, (days, doses, events) => {
        const { withDose, withoutDose, rates } = compareDays(days, doses, events);
        expect(withDose.days + withoutDose.days).toBe(days.length);
        const all = days.reduce((sum, at) => sum + (events.get(at) ?? 0), 0);
        expect(withDose.events + withoutDose.events).toBe(all);
        expect(rates === null).toBe(withDose.days < 5 || withoutDose.days < 5);
      }),
    );
  });
});

describe('spend on vials', () => {
  const paid = fc.record({
    day,
    name: fc.constantFrom('A', 'B', 'C'),
    cost: fc.integer({ min: 0, max: 99_999 }).map((cents) => (cents / 100).toFixed(2)),
    currency: fc.constantFrom('USD', 'EUR'),
  });

  it('adds up exactly by month and by compound, separately for each currency', () => {
    fc.assert(
      fc.property(fc.array(paid, { maxLength: 40 }), (rows) => {
        const spent = spendOf(rows, { first: daysBefore('2026-11-21', 800), last: '2026-11-21' });
        for (const { currency, total, months, names, vials } of spent) {
          const mine = rows.filter((row) => row.currency === currency);
          const cents = mine.reduce((sum, { cost }) => sum + Math.round(Number(cost) * 100), 0);
          expect(compare(total, { n: BigInt(cents), d: 100n })).toBe(0);
          expect(vials).toBe(mine.length);
          const add = (parts: { total: { n: bigint; d: bigint } }[]) =>
            parts.reduce((sum, part) => sum + Number(fixedText(part.total, 2)), 0);
          expect(add(months)).toBeCloseTo(cents / 100, 6);
          expect(add(names)).toBeCloseTo(cents / 100, 6);
          expect(months.map(({ month }) => month)).toEqual(months.map(({ month }) => month).toSorted());
        }
        expect(spent.length).toBe(new Set(rows.map(({ currency }) => currency)).size);
      }),
    );
  });
});
