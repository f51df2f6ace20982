import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getAnalytics } from '#app/features/analytics/analytics.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { logDose } from '#app/features/doses/doses.server.ts';
import { logSite } from '#app/features/tracking/sites/injection-sites.server.ts';
import { levelBand, setHalfLife } from '#app/features/analytics/levels.server.ts';
import { measuredDays } from '#app/features/tracking/health/measured-days.server.ts';
import { addMeasurement } from '#app/features/tracking/health/measurements.server.ts';
import { addSideEffect } from '#app/features/tracking/side-effects/side-effects.server.ts';
import { addVial } from '#app/features/vials/vials.server.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { newPerson } from '#tests/support/people.ts';

const DAY = 86_400_000;

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
});
afterAll(() => db.dispose());

let people = 0;
const premium = async (): Promise<Ctx> =>
  (await newPerson(db, `chart-${(people += 1)}@example.org`, { plan: 'trial' })).ctx;

const daysAgo = (days: number): string => new Date(db.clock.now().getTime() - days * DAY).toISOString();

async function dose(ctx: Ctx, name: string, days: number, actualDose = '1') {
  const takenAt = daysAgo(days);
  await logDose(ctx, { name, actualDose, doseUnit: 'mg', takenAt, confirmed: ['TOO_SOON', 'NO_OPEN_VIAL'] });
}

const MONTH = { days: 30, name: null } as const;

describe('analytics', () => {
  it('require Premium', async () => {
    const { ctx } = await newPerson(db, 'free-chart@example.org');
    await expect(getAnalytics(ctx, MONTH)).rejects.toMatchObject({ code: 'PREMIUM_REQUIRED' });
    await expect(levelBand(ctx, 'BPC-157', 30)).rejects.toMatchObject({ code: 'PREMIUM_REQUIRED' });
    await expect(setHalfLife(ctx, { name: 'X', hours: '4' })).rejects.toMatchObject({
      code: 'PREMIUM_REQUIRED',
    });
  });

  it('count only what is in the period and belongs to the user', async () => {
    const [ctx, other] = [await premium(), await premium()];
    for (const days of [1, 2, 3, 10]) await dose(ctx, 'BPC-157', days);
    await dose(ctx, 'TB-500', 5);
    await dose(ctx, 'BPC-157', 45);
    await dose(other, 'BPC-157', 1);
    const found = await getAnalytics(ctx, MONTH);
    expect(found.taken).toBe(5);
    expect(found.names).toEqual(['BPC-157', 'TB-500']);
    expect(found.compounds.map(({ key, taken, unplanned }) => [key, taken, unplanned])).toEqual([
      ['BPC-157', 0, 4],
      ['TB-500', 0, 1],
    ]);
    expect((await getAnalytics(ctx, { days: 90, name: null })).taken).toBe(6);
    const one = await getAnalytics(ctx, { days: 30, name: 'tb-500' });
    expect(one.taken).toBe(1);
    expect(one.names).toEqual(['BPC-157', 'TB-500']);
  });

  it('compare side effects on days with and without doses if there are at least five of each', async () => {
    const ctx = await premium();
    for (const days of [1, 2, 3, 4, 5, 6]) await dose(ctx, 'BPC-157', days);
    for (const [days, severity] of [
      [1, 2],
      [2, 4],
      [20, 3],
    ] as const)
      await addSideEffect(ctx, { name: 'Headache', severity, startedAt: daysAgo(days) });
    const { effects, comparison } = await getAnalytics(ctx, MONTH);
    expect(effects.reduce((sum, day) => sum + day.effects, 0)).toBe(3);
    expect(comparison.withDose).toEqual({ days: 6, events: 2 });
    expect(comparison.withoutDose).toEqual({ days: 24, events: 1 });
    expect(comparison.rates?.withDose).toBeCloseTo(1 / 3, 12);
  });

  it('show sites, spend by currency, and stock', async () => {
    const ctx = await premium();
    for (const days of [1, 3, 9]) await logSite(ctx, { site: 'abdomen-upper-left', takenAt: daysAgo(days) });
    await logSite(ctx, { site: 'deltoid-right', takenAt: daysAgo(2) });
    await addVial(ctx, { name: 'BPC-157', totalAmount: '5', cost: '29.90', currency: 'USD' });
    await addVial(ctx, { name: 'BPC-157', totalAmount: '5', cost: '10.10', currency: 'USD' });
    await addVial(ctx, { name: 'TB-500', totalAmount: '5', cost: '8', currency: 'EUR' });
    const { sites, spend, stock } = await getAnalytics(ctx, MONTH);
    expect(sites.map(({ site, count }) => [site, count])).toEqual([
      ['abdomen-upper-left', 3],
      ['deltoid-right', 1],
    ]);
    expect(
      spend.map(({ currency, total, vials }) => [currency, Number(total.n) / Number(total.d), vials]),
    ).toEqual([
      ['EUR', 8, 1],
      ['USD', 40, 2],
    ]);
    expect(stock.map(({ name, level }) => [name, level])).toEqual([
      ['BPC-157', 'unknown'],
      ['TB-500', 'unknown'],
    ]);
  });
});

describe('daily measurements', () => {
  it("are daily means with a moving average, only of the period and the owner's own", async () => {
    const [ctx, other] = [await premium(), await premium()];
    const measure = (of: Ctx, days: number, value: number, metric = 'weight') =>
      addMeasurement(of, { metric, value, measuredAt: daysAgo(days) });
    for (const [days, value] of [
      [45, 99],
      [10, 84],
      [2, 82],
      [2, 80],
      [1, 78],
    ] as const)
      await measure(ctx, days, value);
    await measure(ctx, 1, 7, 'mood');
    await measure(other, 1, 60);
    const { measured, units } = await measuredDays(ctx, 30);
    expect(units).toBe('metric');
    expect(measured.map(({ metric }) => metric.key)).toEqual(['weight', 'mood']);
    expect(measured[0]?.days.map(({ value }) => value)).toEqual([84, 81, 78]);
    // The first lies more than a week before the others.
    expect(measured[0]?.average.map(({ value }) => value)).toEqual([84, 81, 79.5]);
    expect((await measuredDays(ctx, 90)).measured[0]?.days).toHaveLength(4);
    const { ctx: free } = await newPerson(db, 'free-measured@example.org');
    await expect(measuredDays(free, 30)).rejects.toMatchObject({ code: 'PREMIUM_REQUIRED' });
  });
});

describe('relative levels', () => {
  it('peak at 100 per cent and form a band where sources disagree', async () => {
    const ctx = await premium();
    for (const days of [1, 2, 3]) await dose(ctx, 'BPC-157', days, '0.25');
    const band = await levelBand(ctx, 'BPC-157', 30);
    expect(band?.halfLife).toMatchObject({ lowHours: 4, highHours: 7, isOwn: false });
    expect(Math.max(...(band?.points ?? []).map(({ high }) => high))).toBe(100);
    for (const { low, high } of band?.points ?? []) expect(low).toBeLessThanOrEqual(high);
    expect(band?.points.some(({ low, high }) => high - low > 1)).toBe(true);
  });

  it('need a half-life, which users may set for themselves', async () => {
    const [ctx, other] = [await premium(), await premium()];
    await dose(ctx, 'Compound X', 1);
    await dose(other, 'Compound X', 1);
    expect(await levelBand(ctx, 'Compound X', 30)).toBeNull();
    await setHalfLife(ctx, { name: ' compound  x ', hours: '12,5' });
    expect((await levelBand(ctx, 'Compound X', 30))?.halfLife).toMatchObject({ lowHours: 12.5, isOwn: true });
    expect(await levelBand(other, 'Compound X', 30)).toBeNull();
    await setHalfLife(ctx, { name: 'Compound X' });
    expect(await levelBand(ctx, 'Compound X', 30)).toBeNull();
  });

  it('show an unpublished peak as unknown, and use one that the user enters with a source', async () => {
    const ctx = await premium();
    await dose(ctx, 'BPC-157', 1, '0.25');
    await dose(ctx, 'Tirzepatide', 1, '2.5');
    expect((await levelBand(ctx, 'BPC-157', 30))?.peak).toBeNull();
    expect(await levelBand(ctx, 'Tirzepatide', 30)).toMatchObject({
      peak: { lowHours: 8, highHours: 72, isOwn: false, isConfirmed: true },
      isFlipFlop: false,
    });
    await setHalfLife(ctx, { name: 'BPC-157', peakHours: '0.5', source: 'my own blood test' });
    expect(await levelBand(ctx, 'BPC-157', 30)).toMatchObject({
      halfLife: { lowHours: 4, highHours: 7, isOwn: false },
      peak: { lowHours: 0.5, isOwn: true, source: 'Set by you: my own blood test' },
    });
    await expect(setHalfLife(ctx, { name: 'BPC-157', hours: '4', peakHours: '41' })).rejects.toMatchObject({
      fields: { peakHours: [expect.stringContaining('ten half-lives')] },
    });
  });

  it('start with a period that fits the compound and contains a dose', async () => {
    const ctx = await premium();
    await dose(ctx, 'Tesamorelin', 1);
    await dose(ctx, 'Semaglutide', 1, '0.25');
    await dose(ctx, 'Sermorelin', 40, '0.2');
    expect((await levelBand(ctx, 'Tesamorelin', null))?.days).toBe(3);
    expect((await levelBand(ctx, 'Semaglutide', null))?.days).toBe(90);
    expect(await levelBand(ctx, 'Sermorelin', null)).toMatchObject({ days: 90, isFlipFlop: true });
  });

  it('add what-if doses to the chart and to nothing else', async () => {
    const ctx = await premium();
    await dose(ctx, 'Semaglutide', 1, '0.25');
    const at = db.clock.now().getTime() + 2 * DAY;
    const whatIf = [
      { name: 'semaglutide', at, mg: 2, atText: '', doseText: '' },
      { name: 'BPC-157', at, mg: 9, atText: '', doseText: '' },
    ];
    const [plain, added] = [
      await levelBand(ctx, 'Semaglutide', 30),
      await levelBand(ctx, 'Semaglutide', 30, whatIf),
    ];
    expect(plain?.whatIf).toEqual([]);
    expect(added?.whatIf[0]?.at).toBe(at);
    expect(Math.max(...(added?.whatIf ?? []).map(({ high }) => high))).toBe(100);
    expect(Math.max(...(added?.points ?? []).map(({ high }) => high))).toBeLessThan(25);
    expect(added?.doses).toBe(1);
    expect((await getAnalytics(ctx, MONTH)).taken).toBe(1);
  });

  it.each(['0', '0.01', '2001', '-3', '1e3', 'long'])('refuse a half-life of %s hours', async (hours) => {
    const ctx = await premium();
    await expect(setHalfLife(ctx, { name: 'X', hours })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      fields: { hours: [expect.stringContaining('Half-life must be')] },
    });
  });
});
