import { describe, expect, it } from 'vitest';
import { countedSupply, forecastSupply, supplyAlerts, supplyText } from '#app/domain/supplies/supply.ts';
import { dayAfter } from '#app/domain/time/zoned-time.ts';
import type { FutureDose } from '#app/domain/vials/vial.ts';

const TODAY = '2026-03-01';
const SUPPLY = {
  id: 'supply_1',
  kind: 'needle',
  name: 'Needles',
  count: 20,
  countedAt: new Date('2026-02-01T08:00:00Z'),
  perInjection: 2,
  version: 0,
  createdAt: new Date('2026-02-01T08:00:00Z'),
} as const;

const daily = (count: number, more: Partial<FutureDose> = {}): FutureDose[] =>
  Array.from({ length: count }, (_, index) => ({
    name: 'BPC-157',
    mg: '0.25',
    day: dayAfter(TODAY, index),
    ...more,
  }));
const forecast = (taken: number, doses: readonly FutureDose[]) =>
  forecastSupply(countedSupply(SUPPLY, taken), doses, { day: TODAY, until: '2026-06-29' });

describe('a supply', () => {
  it.each([
    // 20 needles, two for each injection.
    [0, 10, 10, '2026-03-11', 'amber', '20 left. Runs out on 11 Mar 2026: 10 days of supply. Reorder now.'],
    [4, 6, 6, '2026-03-07', 'red', '12 left. Runs out on 7 Mar 2026: 6 days of supply. Reorder now.'],
    [9, 1, 1, '2026-03-02', 'red', '2 left. Runs out on 2 Mar 2026: 1 day of supply. Reorder now.'],
    [10, 0, 0, '2026-03-01', 'red', 'None left. Not enough for the doses planned today. Reorder now.'],
    [11, 0, 0, '2026-03-01', 'red', 'None left. Not enough for the doses planned today. Reorder now.'],
  ])('lasts after %i doses for %i more', (taken, _covered, days, runOutDay, level, text) => {
    const found = forecast(taken, daily(60));
    expect(found).toMatchObject({ daysOfSupply: days, runOutDay, level });
    expect(supplyText(found, TODAY)).toBe(text);
    expect(supplyAlerts(found)).toHaveLength(1);
  });

  it('is enough if it covers all doses, and without planned doses causes an alert when nearly used up', () => {
    const enough = forecast(0, daily(10));
    expect(enough).toMatchObject({ level: 'ok', runOutDay: null, reorderBy: null });
    expect(supplyText(enough, TODAY)).toBe('20 left. Enough for every planned dose until 29 Jun 2026.');
    expect(supplyAlerts(enough)).toEqual([]);
    expect(supplyAlerts(forecast(5, []))).toEqual([]);
    expect(supplyAlerts(forecast(6, []))).toMatchObject([
      { kind: 'low', name: 'Needles', message: 'Needles: running low. 8 left.' },
    ]);
    expect(supplyText(forecast(6, []), TODAY)).toBe('8 left. No doses are planned.');
  });

  it('is used once for each injection that an average dose stands for', () => {
    expect(forecast(0, daily(60, { injections: '2.5' }))).toMatchObject({ daysOfSupply: 4 });
  });
});
