import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { purgeDueAccounts, scheduleDeletion } from '#app/features/accounts/account-deletion.server.ts';
import { findCeiling, listCeilings, setCeiling } from '#app/features/amounts/amounts.server.ts';
import { logDose } from '#app/features/doses/doses.server.ts';
import { downloadData } from '#app/features/export/data-download.server.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { newPerson } from '#tests/support/people.ts';
import { textOf } from '#tests/support/streams.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
});
afterAll(() => db.dispose());

let people = 0;
const someone = () => newPerson(db, `ceiling-${(people += 1)}@example.org`, { plan: 'trial' });

describe('ceilings', () => {
  it('belong to one compound, however its name is written, and to their owner only', async () => {
    const [{ ctx }, { ctx: other }] = [await someone(), await someone()];
    await setCeiling(ctx, { name: 'BPC-157', unit: 'mcg', perDose: '500', per7Days: '3500' });
    expect(await findCeiling(ctx, ' bpc-157 ')).toEqual({
      name: 'BPC-157',
      unit: 'mcg',
      perDose: '500',
      perDay: null,
      per7Days: '3500',
    });
    expect(await listCeilings(other)).toEqual([]);
    expect(await findCeiling(other, 'BPC-157')).toBeNull();
  });

  it('keep limits that were not sent, converted to the new unit, and are removed when none is left', async () => {
    const { ctx } = await someone();
    await setCeiling(ctx, { name: 'TB-500', unit: 'mg', perDose: '2.5' });
    expect(await setCeiling(ctx, { name: 'tb-500', unit: 'mcg', perDay: '5000' })).toMatchObject({
      name: 'TB-500',
      unit: 'mcg',
      perDose: '2500',
      perDay: '5000',
    });
    expect(await setCeiling(ctx, { name: 'TB-500', perDose: null, perDay: '' })).toBeNull();
    expect(await listCeilings(ctx)).toEqual([]);
  });

  it.each([
    { perDose: '0' },
    { perDose: '-1' },
    { perDay: 'a lot' },
    { per7Days: '1e3' },
    { unit: 'g', perDose: '1' },
    { name: ' ', perDose: '1' },
  ])('can’t be %j', async (wrong) => {
    const { ctx } = await someone();
    await expect(setCeiling(ctx, { name: 'X', ...wrong } as never)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      fields: { [Object.keys(wrong)[0] ?? '']: [expect.any(String)] },
    });
    expect(await listCeilings(ctx)).toEqual([]);
  });

  it('apply to any seven consecutive days, including those after a dose that is logged late', async () => {
    const { ctx } = await someone();
    await setCeiling(ctx, { name: 'Semaglutide', per7Days: '1' });
    const at = (daysAgo: number) => new Date(db.clock.now().getTime() - daysAgo * 86_400_000).toISOString();
    const log = (daysAgo: number) =>
      logDose(ctx, {
        name: 'Semaglutide',
        actualDose: '0.6',
        doseUnit: 'mg',
        takenAt: at(daysAgo),
        confirmed: ['NO_OPEN_VIAL', 'TOO_SOON'],
      });
    expect((await log(1)).done).toBe(true);
    const late = await log(6);
    expect(late.done).toBe(false);
    expect(late.warnings.map(({ code }) => code)).toContain('ABOVE_CEILING');
    expect((await log(9)).done).toBe(true);
  });

  it('are in the full download and are deleted with the account', async () => {
    const [leaves, stays] = [await someone(), await someone()];
    for (const { ctx } of [leaves, stays]) await setCeiling(ctx, { name: 'BPC-157', perDose: '0.5' });
    const text = await textOf((await downloadData(leaves.ctx)).open());
    const { collections } = JSON.parse(text) as { collections: Record<string, object[]> };
    expect(collections['dose_ceilings']).toMatchObject([{ name: 'BPC-157', perDose: '0.5' }]);
    await scheduleDeletion(leaves.ctx, { email: leaves.email });
    db.clock.advance(48 * 3_600_000);
    expect(await purgeDueAccounts(db.ctx(TERMINAL))).toBe(1);
    const left = (userId: string) =>
      testConnection(db).collection('dose_ceilings').countDocuments({ userId });
    expect(await left(leaves.signedIn.user.id)).toBe(0);
    expect(await left(stays.signedIn.user.id)).toBe(1);
  });
});
