import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSchedule, toggleSchedule } from '#app/features/schedules/schedules.server.ts';
import { stockAlerts, stockForecast } from '#app/features/vials/stock-forecast.server.ts';
import { changeProfile } from '#app/features/accounts/profile.server.ts';
import { planStockDraws } from '#app/features/vials/vial-writes.server.ts';
import { correctRemaining, addVial } from '#app/features/vials/vials.server.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { newPerson } from '#tests/support/people.ts';

let db: TestDatabase;
let people = 0;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

/** It is noon on 10 March 2090: the dose at 08:00 is over, and the next one is tomorrow's. */
const DAILY = {
  name: 'BPC-157',
  doseAmount: '250',
  doseUnit: 'mcg',
  frequency: { kind: 'daily' },
  times: ['08:00'],
  timeZone: 'UTC',
  startDate: '2090-03-01',
};

async function stocked(remaining: string, schedule: object = {}) {
  people += 1;
  const { ctx, signedIn } = await newPerson(db, `person-${people}@example.org`, { plan: 'trial' });
  const far = { expirationDate: '2095-01-01', reconstitutionDate: '2090-03-01' };
  const { id } = await addVial(ctx, { name: 'bpc-157', totalAmount: '50', waterMl: '2', ...far });
  await correctRemaining(ctx, id, { remainingAmount: remaining });
  const made = await createSchedule(ctx, { ...DAILY, ...schedule });
  return { ctx, ownerId: signedIn.user.id, vialId: id, scheduleId: made.id };
}

describe('how long stock lasts', () => {
  it('follows the doses that have been created ahead', async () => {
    const { ctx, ownerId } = await stocked('2.5');
    expect(await stockForecast(ctx, ownerId)).toMatchObject([
      {
        name: 'bpc-157',
        level: 'amber',
        runOutDay: '2090-03-21',
        daysOfSupply: 11,
        reorderBy: '2090-03-07',
        stockMg: '2.5',
      },
    ]);
    const [alert] = await stockAlerts(ctx, ownerId);
    expect(alert).toMatchObject({
      kind: 'low',
      message: 'bpc-157 is running low. It lasts until 21 Mar 2090 (11 days).',
    });
    expect(await stockAlerts(db.ctx(TERMINAL), ownerId)).toEqual([alert]);
  });

  it("counts the owner's dead space, whoever asks, without changing the draws", async () => {
    const { ctx, ownerId } = await stocked('2.5');
    // Each dose of 0.25 mg loses another 25 mg/ml × 0.01 ml, so stock lasts half as many injections.
    expect(await changeProfile(ctx, { deadSpaceMl: '0,010 ml' })).toMatchObject({ deadSpaceMl: '0.01' });
    const forecasts = await stockForecast(ctx, ownerId);
    expect(forecasts).toMatchObject([
      {
        runOutDay: '2090-03-16',
        daysOfSupply: 6,
        reorderBy: '2090-03-02',
        stockMg: '2.5',
        deadSpaceMl: '0.01',
      },
    ]);
    expect(await stockForecast(db.ctx(TERMINAL), ownerId)).toEqual(forecasts);
    const { draws } = await planStockDraws(ctx, ownerId, {
      name: 'BPC-157',
      doseMg: '0.25',
      syringe: 'u100-1ml',
    });
    expect(draws).toMatchObject([{ mg: '0.25' }]);
    await changeProfile(ctx, { deadSpaceMl: '0' });
    expect(await stockForecast(ctx, ownerId)).toMatchObject([{ daysOfSupply: 11 }]);
  });

  it("continues with the schedule's rule after them, without gaps or repeats", async () => {
    const { ctx, ownerId } = await stocked('20');
    // Enough for 80 doses from 11 March; nothing is left for the 81st.
    expect(await stockForecast(ctx, ownerId)).toMatchObject([
      { level: 'ok', daysOfSupply: 81, runOutDay: '2090-05-30' },
    ]);
    expect(await stockAlerts(ctx, ownerId)).toEqual([]);
  });

  it('is unknown while the schedule is paused', async () => {
    const { ctx, ownerId, scheduleId } = await stocked('2.5');
    await toggleSchedule(ctx, scheduleId, { isActive: false });
    expect(await stockForecast(ctx, ownerId)).toMatchObject([
      { level: 'unknown', why: 'no-doses', daysOfSupply: null },
    ]);
  });

  it('follows a titration', async () => {
    const { ctx, ownerId } = await stocked('20', {
      doseUnit: 'mg',
      doseAmount: '1',
      startDate: '2090-03-11',
      ramp: { start: '1', step: '1', everyWeeks: 1, target: '4' },
    });
    // A week of 1 mg, then 2 mg a day: 7 + 6 × 2 = 19, the next one is not covered.
    expect(await stockForecast(ctx, ownerId)).toMatchObject([{ runOutDay: '2090-03-24' }]);
  });

  it('is red when nothing is left of a compound that had vials', async () => {
    const { ctx, ownerId, vialId } = await stocked('2.5');
    await correctRemaining(ctx, vialId, { remainingAmount: '0' });
    expect(await stockForecast(ctx, ownerId)).toMatchObject([
      { level: 'red', runOutDay: '2090-03-11', daysOfSupply: 1, stockMg: '0' },
    ]);
  });
});

it('only the owner can read a stock forecast', async () => {
  const { ownerId } = await stocked('1');
  const bob = await newPerson(db, 'bob@example.org', { plan: 'trial' });
  await expect(stockForecast(bob.ctx, ownerId)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(stockAlerts(bob.ctx, ownerId)).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
