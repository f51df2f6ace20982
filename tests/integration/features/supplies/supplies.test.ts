import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOSE_WARNINGS } from '#app/domain/doses/dose-warnings.ts';
import { logDose, skipDose, takeDose, undoDose } from '#app/features/doses/doses.server.ts';
import { getDaySummary, getStockForecasts } from '#app/features/doses/today.server.ts';
import { prepareExport } from '#app/features/export/export.server.ts';
import { runImport, undoImport } from '#app/features/import/import.server.ts';
import { createSchedule } from '#app/features/schedules/schedules.server.ts';
import {
  addSupply,
  deleteSupply,
  getSupply,
  listSupplies,
  updateSupply,
} from '#app/features/supplies/supplies.server.ts';
import { stockAlerts } from '#app/features/vials/stock-forecast.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { newPerson } from '#tests/support/people.ts';
import { BODY, ownerIdOf } from '#tests/support/schedule-people.ts';
import { bytesOf } from '#tests/support/streams.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

let people = 0;
const someone = async (): Promise<Ctx> =>
  (await newPerson(db, `supplies-${(people += 1)}@example.org`, { plan: 'trial' })).ctx;

const SYRINGES = { kind: 'syringe', name: 'Syringes', count: '100' } as const;
const leftOf = async (ctx: Ctx, id: string) => (await getSupply(ctx, id)).supply.left;

async function take(ctx: Ctx, takenAt?: string): Promise<string> {
  const dose = {
    name: 'BPC-157',
    actualDose: '0.25',
    confirmed: [...DOSE_WARNINGS],
    ...(takenAt && { takenAt }),
  };
  const outcome = await logDose(ctx, dose);
  return outcome.done ? outcome.dose.id : expect.unreachable('it was not logged');
}

describe('a supply', () => {
  it('is used by a logged dose, and returned when the dose is undone', async () => {
    const ctx = await someone();
    const { supply } = await addSupply(ctx, SYRINGES);
    const swabs = await addSupply(ctx, { kind: 'swab', name: 'Swabs', count: '50', perInjection: '2' });
    db.clock.advance(60_000);
    const dose = await take(ctx);
    expect([await leftOf(ctx, supply.id), await leftOf(ctx, swabs.supply.id)]).toEqual([99, 48]);
    await undoDose(ctx, dose);
    expect([await leftOf(ctx, supply.id), await leftOf(ctx, swabs.supply.id)]).toEqual([100, 50]);
  });

  it('is not used by doses taken before the count or by skipped doses', async () => {
    const ctx = await someone();
    await createSchedule(ctx, BODY);
    const { supply } = await addSupply(ctx, SYRINGES);
    db.clock.advance(60_000);
    await take(ctx, '2090-03-01T08:00');
    const [dose] = await db.repos.doses.list(ownerIdOf(ctx), { status: 'pending' });
    await skipDose(ctx, dose?.id ?? '');
    expect(await leftOf(ctx, supply.id)).toBe(100);
    await undoDose(ctx, dose?.id ?? '');
    await takeDose(ctx, dose?.id ?? '', { confirmed: [...DOSE_WARNINGS] });
    expect(await leftOf(ctx, supply.id)).toBe(99);
    expect(await codeOf(takeDose(ctx, dose?.id ?? '', {}))).toBe('DOSE_ALREADY_LOGGED');
    expect(await leftOf(ctx, supply.id)).toBe(99);
  });

  it('adds pieces once, can be recounted, and changes the number per injection from then on', async () => {
    const ctx = await someone();
    const { supply } = await addSupply(ctx, SYRINGES);
    db.clock.advance(60_000);
    await take(ctx);
    expect((await updateSupply(ctx, supply.id, { received: '50', version: 0 })).supply.left).toBe(149);
    // The same stale form again.
    expect(await codeOf(updateSupply(ctx, supply.id, { received: '50', version: 0 }))).toBe(
      'CHANGED_MEANWHILE',
    );
    db.clock.advance(60_000);
    expect((await updateSupply(ctx, supply.id, { perInjection: '2' })).supply.left).toBe(149);
    db.clock.advance(60_000);
    await take(ctx);
    expect(await leftOf(ctx, supply.id)).toBe(147);
    db.clock.advance(60_000);
    expect((await updateSupply(ctx, supply.id, { counted: '10', received: '5' })).supply.left).toBe(15);
    expect((await updateSupply(ctx, supply.id, { name: 'Other' })).supply).toMatchObject({
      left: 15,
      name: 'Other',
    });
    for (const wrong of [
      { counted: '-1' },
      { counted: '1.5' },
      { received: '0' },
      { received: '99999' },
      { perInjection: '11' },
      { name: ' ' },
    ])
      expect(await codeOf(updateSupply(ctx, supply.id, wrong)), JSON.stringify(wrong)).toBe('INVALID_INPUT');
  });

  it('adds both of two boxes entered at the same time, or reports a conflict', async () => {
    const ctx = await someone();
    const { supply } = await addSupply(ctx, SYRINGES);
    const came = await Promise.allSettled(
      [1, 2, 3].map(() => updateSupply(ctx, supply.id, { received: '10' })),
    );
    const added = came.filter(({ status }) => status === 'fulfilled').length;
    expect(added).toBeGreaterThan(0);
    expect(await leftOf(ctx, supply.id)).toBe(100 + 10 * added);
  });

  it('is added once per form, belongs only to its owner, and can be deleted', async () => {
    const [ctx, other] = [await someone(), await someone()];
    const { supply } = await addSupply(ctx, SYRINGES, 'key');
    expect((await addSupply(ctx, SYRINGES, 'key')).supply.id).toBe(supply.id);
    expect(await listSupplies(other)).toEqual([]);
    for (const act of [
      () => getSupply(other, supply.id),
      () => updateSupply(other, supply.id, { counted: '1' }),
      () => deleteSupply(other, supply.id),
    ])
      expect(await codeOf(act())).toBe('NOT_FOUND');
    await deleteSupply(ctx, supply.id);
    expect(await listSupplies(ctx)).toEqual([]);
    for (let count = 0; count < 20; count += 1) await addSupply(ctx, SYRINGES);
    expect(await codeOf(addSupply(ctx, SYRINGES))).toBe('LIMIT_REACHED');
  });

  it('runs out by the rules of vials, and appears on Today, in low stock and in reminders', async () => {
    const ctx = await someone();
    await createSchedule(ctx, BODY);
    await addSupply(ctx, { ...SYRINGES, count: '20' });
    const [forecast] = await listSupplies(ctx);
    // Two a day, starting this evening.
    const days = forecast?.daysOfSupply ?? 0;
    expect(forecast).toMatchObject({ level: 'amber', supply: { left: 20 } });
    expect([9, 10]).toContain(days);
    const { supplies } = await getStockForecasts(ctx);
    expect(supplies).toMatchObject([{ name: 'Syringes', level: 'amber' }]);
    expect(supplies[0]?.text).toMatch(/^20 left\. Runs out on .*: \d+ days of supply\. Reorder now\.$/);
    const { lowStock } = await getDaySummary(ctx);
    expect(lowStock).toContainEqual(expect.objectContaining({ name: 'Syringes' }));
    const [alert] = (await stockAlerts(db.ctx(TERMINAL), ownerIdOf(ctx))).filter(
      ({ name }) => name === 'Syringes',
    );
    expect(alert).toMatchObject({ kind: 'low', compoundId: null });
    await updateSupply(ctx, forecast?.supply.id ?? '', { received: '500' });
    expect((await stockAlerts(ctx, ownerIdOf(ctx))).filter(({ name }) => name === 'Syringes')).toEqual([]);
  });

  it.each(['json', 'csv'] as const)(
    'is the same after export and import as %s, is imported once, and is removed by undoing the import',
    async (format) => {
      const [ctx, other] = [await someone(), await someone()];
      await addSupply(ctx, { ...SYRINGES, name: '=Syringes', perInjection: '2' });
      db.clock.advance(60_000);
      await take(ctx);
      const file = await prepareExport(ctx, { format, types: ['doses', 'supplies'] });
      const bytes = await bytesOf(file.open());
      const { id } = await runImport(other, { bytes });
      await runImport(other, { bytes });
      const facts = async (who: Ctx) =>
        (await listSupplies(who)).map(({ supply: { id: _id, version: _version, ...rest } }) => rest);
      expect(await facts(other)).toEqual(await facts(ctx));
      expect((await facts(other)).map(({ left }) => left)).toEqual([98]);
      await undoImport(other, id);
      expect(await listSupplies(other)).toEqual([]);
    },
  );

  it('law: what is left equals the count less logged doses, after any doses, undos and additions', async () => {
    const step = fc.constantFrom('take', 'undo', 'receive', 'count');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const ctx = await someone();
        const { supply } = await addSupply(ctx, SYRINGES);
        let model = { count: 100, doses: [] as string[], before: [] as string[] };
        for (const [at, act] of steps.entries()) {
          db.clock.advance(60_000);
          if (act === 'take') model.doses.push(await take(ctx));
          else if (act === 'undo') {
            const dose = model.doses.pop() ?? model.before.pop();
            if (dose !== undefined) await undoDose(ctx, dose);
          } else if (act === 'receive') {
            await updateSupply(ctx, supply.id, { received: String(at + 1) });
            model.count += at + 1;
          } else if (act === 'count') {
            await updateSupply(ctx, supply.id, { counted: String(at) });
            model = { count: at, doses: [], before: [...model.before, ...model.doses] };
          }
          expect(await leftOf(ctx, supply.id)).toBe(model.count - model.doses.length);
        }
      }),
      { numRuns: 8 },
    );
  });
});
