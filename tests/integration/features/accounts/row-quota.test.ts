import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  deleteCalculation,
  listCalculations,
  saveCalculation,
} from '#app/features/calculator/calculations.server.ts';
import { logDose } from '#app/features/doses/doses.server.ts';
import { dryRunImport, runImport } from '#app/features/import/import.server.ts';
import { createSchedule } from '#app/features/schedules/schedules.server.ts';
import {
  addQuickEntry,
  importCsv,
  addMeasurement,
} from '#app/features/tracking/health/measurements.server.ts';
import { saveNutrition } from '#app/features/tracking/nutrition/nutrition.server.ts';
import {
  addSideEffect,
  addSideEffectImage,
} from '#app/features/tracking/side-effects/side-effects.server.ts';
import { logSite } from '#app/features/tracking/sites/injection-sites.server.ts';
import { addSupply } from '#app/features/supplies/supplies.server.ts';
import { addLot } from '#app/features/lots/lots.server.ts';
import { addOrder, addOrderDocument, receiveOrder, stepOrder } from '#app/features/vendors/orders.server.ts';
import { addSupplier } from '#app/features/vendors/suppliers.server.ts';
import { addVial } from '#app/features/vials/vials.server.ts';
import { startDemoAccount } from '#app/features/accounts/registration.server.ts';
import { startTrial } from '#app/features/billing/billing.server.ts';
import { COUNTED_COLLECTIONS } from '#models/store/row-quota.server.ts';
import { contextAs, type Ctx } from '#app/platform/access/context.server.ts';
import { calculation, seedCalculations } from '#tests/support/calculations.ts';
import { openTestDatabase, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { picture } from '#tests/support/pictures.ts';
import { ctxOfToken, newPerson, type Person } from '#tests/support/people.ts';

const FREE_FULL =
  'Your account is full: the free plan holds 5,000 records. Delete records you no longer need, or upgrade to Premium for 1,000,000 records.';
const PREMIUM_FULL =
  'Your account is full: an account holds 1,000,000 records. Delete records you no longer need and try again.';

/** Collections that got a row since this was cleared. */
const filled = new Set<string>();
let db: TestDatabase;
let people = 0;
beforeAll(async () => {
  db = await openTestDatabase({ monitorCommands: true, env: { RATE_LIMIT_FACTOR: '1000' } });
  testConnection(db)
    .getClient()
    .on('commandStarted', ({ commandName, command }) => {
      const isUpsert = (command['updates'] ?? []).some(({ upsert }: { upsert?: boolean }) => upsert);
      const writes = commandName === 'insert' || isUpsert || command['upsert'] === true;
      if (writes) filled.add(String(command[commandName]));
    });
});
afterAll(() => db.dispose());

/** A user with this many calculations in their session. */
async function holderOf(rows: number, plan?: 'trial'): Promise<Person & { userId: string }> {
  const person = await newPerson(db, `holder${(people += 1)}@example.org`, plan ? { plan } : {});
  const { user, session } = person.signedIn;
  const signInId = plan === 'trial' ? null : session.id;
  if (rows > 0) await seedCalculations(db, user.id, rows, { signInId });
  return { ...person, userId: user.id };
}

const save = (ctx: Ctx, saveKey?: string) =>
  saveCalculation(ctx, calculation(), saveKey === undefined ? {} : { saveKey });
const rowsOf = (userId: string) => testConnection(db).collection('calculations').countDocuments({ userId });
const full = (message: string) => ({ code: 'PLAN_LIMIT', message });
const file = (rows: number) => {
  const calculations = Array.from({ length: rows }, (_, index) => ({
    peptideName: `Row ${index}`,
    createdAt: '2026-01-01T08:00:00Z',
    id: `calc_${people}x${String(index).padStart(12, '0')}`,
    peptideAmount: 5,
    waterVolume: 2,
    desiredDose: 0.25,
  }));
  return { bytes: new TextEncoder().encode(JSON.stringify({ calculations })) };
};

describe('a free account', () => {
  it('can have 5,000 records, is told the number, and can continue after deleting some', async () => {
    const { ctx, userId } = await holderOf(4999);
    await save(ctx, 'last');
    await expect(save(ctx)).rejects.toMatchObject(full(FREE_FULL));
    // Repeating the same submission adds no record.
    await save(ctx, 'last');
    expect(await rowsOf(userId)).toBe(5000);
    const [entry] = (await listCalculations(ctx, { limit: 1 })).items;
    await deleteCalculation(ctx, entry?.id ?? '');
    db.clock.advance(60_000);
    await save(ctx);
    await expect(save(ctx)).rejects.toMatchObject(full(FREE_FULL));
  });

  it('cannot exceed the limit with 20 requests at once', async () => {
    const { ctx, userId } = await holderOf(4990);
    const saved = await Promise.allSettled(Array.from({ length: 20 }, () => save(ctx)));
    expect(saved.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(11);
    expect(await rowsOf(userId)).toBeLessThanOrEqual(5001);
  });

  it('can have more once it is premium', async () => {
    const { ctx, signedIn } = await holderOf(5000);
    await expect(save(ctx)).rejects.toMatchObject(full(FREE_FULL));
    await startTrial(ctx);
    await save(await ctxOfToken(db, signedIn.token));
  });

  it('learns in the dry run that a file has too many records', async () => {
    const { ctx, userId } = await holderOf(4900);
    const message =
      'This file has too many new records: the free plan holds 5,000 records, and yours has room for 100 more. Delete records you no longer need, or upgrade to Premium for 1,000,000 records.';
    await expect(dryRunImport(ctx, file(101))).rejects.toMatchObject(full(message));
    await expect(runImport(ctx, file(101))).rejects.toMatchObject(full(message));
    expect(await rowsOf(userId)).toBe(4900);
    expect(await dryRunImport(ctx, file(100))).toMatchObject({ fresh: { calculations: 100 } });
    expect(await runImport(ctx, file(100))).toMatchObject({ added: { calculations: 100 } });
    // Existing records do not count again.
    expect(await runImport(ctx, file(100))).toMatchObject({ fresh: { calculations: 0 } });
    await expect(save(ctx)).rejects.toMatchObject(full(FREE_FULL));
  });
});

/** Every operation that adds records, and what it needs first. */
const takenAt = '2026-01-01T08:00:00Z';
const line = { name: 'BPC-157', mgPerVial: '5', price: '30', currency: 'USD', quantity: '1' };
const effect = { name: 'Nausea', severity: 2, startedAt: '2026-01-01T08:00' };
const plan = { doseAmount: '250', doseUnit: 'mcg', frequency: { kind: 'daily' }, times: ['08:00'] };
const confirmed = ['TOO_SOON', 'NO_OPEN_VIAL', 'OVER_DRAWN', 'PAST_DATE', 'NOT_RECONSTITUTED'] as const;
const DOORS: Readonly<Record<string, (ctx: Ctx, supplierId: string) => Promise<unknown>>> = {
  saveCalculation: (ctx) => save(ctx),
  addVial: (ctx) => addVial(ctx, { name: 'BPC-157', amountMg: '5' }),
  createSchedule: (ctx) => createSchedule(ctx, { name: 'A', ...plan, startDate: '2090-03-10' }),
  logDose: (ctx) =>
    logDose(ctx, { name: 'BPC-157', actualDose: '0.25', doseUnit: 'mg', takenAt, confirmed: [...confirmed] }),
  addSideEffect: (ctx) => addSideEffect(ctx, effect),
  logSite: (ctx) => logSite(ctx, { site: 'deltoid-left', takenAt: '2026-01-01T08:00' }),
  addMeasurement: (ctx) =>
    addMeasurement(ctx, { metric: 'weight', value: '80', measuredAt: '2026-01-01T08:00' }),
  addQuickEntry: (ctx) => addQuickEntry(ctx, { measuredAt: '2026-01-01T08:00', values: { weight: '80' } }),
  importCsv: (ctx) => importCsv(ctx, { text: 'date,weight\n2026-01-02,81' }),
  addSupply: (ctx) => addSupply(ctx, { kind: 'swab', name: 'Swabs', count: '100' }),
  addLot: (ctx) => addLot(ctx, { number: 'L-1', product: 'BPC-157' }),
  saveNutrition: (ctx) => saveNutrition(ctx, { date: '2026-01-01', calories: 2000 }),
  addOrder: (ctx, supplierId) => addOrder(ctx, { supplierId, lines: [line] }),
  runImport: (ctx) => runImport(ctx, file(1)),
};

/** A new account with everything, as if it had paid, as if in its trial, or in a demo. */
async function someoneWith(plan: 'premium' | 'trial' | 'demo'): Promise<{ ctx: Ctx; userId: string }> {
  if (plan === 'demo') {
    const visitor = db.ctx(undefined, { address: `192.0.2.${(people += 1)}` });
    const { user, token } = await startDemoAccount(visitor, {
      timeZone: 'UTC',
      fill: () => Promise.resolve(),
    });
    return { ctx: await ctxOfToken(db, token), userId: user.id };
  }
  const { ctx, userId } = await holderOf(0, 'trial');
  if (plan === 'trial' || ctx.actor.kind !== 'user') return { ctx, userId };
  const entitlement = { ...ctx.actor.entitlement, source: 'subscription', status: 'active' } as const;
  return { ctx: contextAs(ctx, { ...ctx.actor, entitlement }), userId };
}

const FULL = {
  premium: { rows: 1_000_000, message: PREMIUM_FULL },
  trial: {
    rows: 100_000,
    message:
      'Your account is full: a trial holds 100,000 records. Delete records you no longer need, or upgrade to Premium for 1,000,000 records.',
  },
  demo: {
    rows: 20_000,
    message:
      'Your account is full: a demo holds 20,000 records. Delete records you no longer need and try again.',
  },
};

describe('a premium account, a trial and a demo', () => {
  it.each(['premium', 'trial', 'demo'] as const)(
    '%s: has a limit, whichever way records are added',
    async (plan) => {
      const { rows, message } = FULL[plan];
      const { ctx, userId } = await someoneWith(plan);
      const { id: supplierId } = await addSupplier(ctx, { name: 'Acme' });
      const order = await addOrder(ctx, { supplierId, lines: [line] });
      await stepOrder(ctx, order.id, 'sent');
      await testConnection(db)
        .collection<{ _id: string }>('row_counts')
        .updateOne({ _id: userId }, { $set: { count: rows, recountAfter: new Date('2190-01-01') } });
      for (const [name, add] of Object.entries(DOORS)) {
        const told = name === 'runImport' ? expect.stringContaining('room for 0 more') : message;
        await expect(add(ctx, supplierId), name).rejects.toMatchObject({ code: 'PLAN_LIMIT', message: told });
      }
      await expect(receiveOrder(ctx, order.id, [])).rejects.toMatchObject(full(message));
      const counts = await Promise.all(
        COUNTED_COLLECTIONS.map((name) => testConnection(db).collection(name).countDocuments({ userId })),
      );
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
    },
  );

  it.each([
    ['premium', 100],
    ['trial', 50],
    ['demo', 10],
  ] as const)(
    '%s: holds at most %i MB of pictures, and no more documents than that allows',
    async (plan, most) => {
      const { ctx, userId } = await someoneWith(plan);
      const shot = await picture('png');
      const { id } = await addSideEffect(ctx, effect);
      await addSideEffectImage(ctx, id, shot);
      const { id: supplierId } = await addSupplier(ctx, { name: 'Acme' });
      const order = await addOrder(ctx, { supplierId, lines: [line] });
      await addOrderDocument(ctx, order.id, { fileName: 'a.png', bytes: shot });
      // The files themselves say how much there is, so they must be as large as the usage claims.
      const nearly = { count: 1, bytes: most * 1024 * 1024 - 10 };
      for (const [files, quota] of [
        ['pictures', 'pictureQuota'],
        ['documentFiles', 'documentQuota'],
      ] as const) {
        await db.repos[quota].correct(userId, await db.repos[quota].get(userId), nearly);
        const held = { ...db.repos[files], usage: () => Promise.resolve(nearly) };
        const fuller = { ...ctx, repos: ctx.repos.with({ [files]: held }) };
        const add = () =>
          files === 'pictures'
            ? addSideEffectImage(fuller, id, shot)
            : addOrderDocument(fuller, order.id, { fileName: 'b.png', bytes: shot });
        const isFull = plan !== 'premium' || files === 'pictures';
        expect(await codeOf(add()), files).toBe(isFull ? 'LIMIT_REACHED' : 'done');
      }
    },
  );

  it('counts every collection filled in these ways; no other is unlimited', async () => {
    const { ctx } = await holderOf(0, 'trial');
    const { id: supplierId } = await addSupplier(ctx, { name: 'Acme' });
    filled.clear();
    for (const add of Object.values(DOORS)) await add(ctx, supplierId);
    const beside = [
      ...['row_counts', 'calculation_counters', 'imports', 'import_pieces', 'throttles'],
      ...['account_standings', 'id_claims', 'stock_checks'],
    ];
    expect([...filled].filter((name) => !beside.includes(name)).toSorted()).toEqual(
      [...COUNTED_COLLECTIONS].toSorted(),
    );
  });
});
