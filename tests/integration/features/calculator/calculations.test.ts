import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  deleteCalculation,
  getCalculation,
  saveCalculation,
  calculationStatistics,
  countCalculations,
  listCalculations,
} from '#app/features/calculator/calculations.server.ts';
import { signIn } from '#app/features/accounts/sign-in.server.ts';
import { signOut } from '#app/features/accounts/sessions.server.ts';
import { startTrial } from '#app/features/billing/billing.server.ts';
import { calculation, saveAll } from '#tests/support/calculations.ts';
import { openTestDatabase, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { ctxOfToken, newPerson, PASSWORD } from '#tests/support/people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
});
afterAll(() => db.dispose());

const trial = { plan: 'trial' } as const;

describe('saving a calculation', () => {
  it('stores the entered values, the exact texts and the nearest doubles', async () => {
    const { ctx } = await newPerson(db, 'save@example.org', trial);
    const saved = await saveCalculation(
      ctx,
      calculation({ peptideAmount: '2.010', peptideName: 'BPC-157', notes: 'x' }),
    );
    expect(saved.id).toMatch(/^calc_\d{13}[0-9a-f]{12}$/);
    const found = await getCalculation(ctx, saved.id);
    expect(found).toEqual(saved);
    expect(found).toMatchObject({
      peptideAmount: '2.010',
      concentration: 1.005,
      peptideName: 'BPC-157',
      notes: 'x',
    });
  });

  it('reports the calculator’s errors by field', async () => {
    const { ctx } = await newPerson(db, 'refuse@example.org');
    await expect(saveCalculation(ctx, calculation({ peptideAmount: '101' }))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      fields: { peptideAmount: ['Peptide amount must be between 0.1mg and 100mg'] },
    });
    expect(await countCalculations(ctx)).toBe(0);
  });

  it('is refused for visitors', async () => {
    await expect(saveCalculation(db.ctx(), calculation())).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('saves once per submission, even if sent twice at once', async () => {
    const { ctx } = await newPerson(db, 'twice@example.org');
    const saves = await Promise.all(
      Array.from({ length: 6 }, () => saveCalculation(ctx, calculation(), { saveKey: 'press-1' })),
    );
    expect(new Set(saves.map((entry) => entry.id)).size).toBe(1);
    await saveCalculation(ctx, calculation(), { saveKey: 'press-2' });
    expect((await calculationStatistics(ctx)).totalCalculations).toBe(2);
    expect((await listCalculations(ctx)).items).toHaveLength(2);
  });
});

describe('other users', () => {
  it('cannot see or delete a calculation, and get the same answer as for a missing one', async () => {
    const owner = await newPerson(db, 'owner@example.org', trial);
    const other = await newPerson(db, 'other@example.org', trial);
    const saved = await saveCalculation(owner.ctx, calculation());
    for (const id of [saved.id, 'calc_0']) {
      await expect(getCalculation(other.ctx, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(deleteCalculation(other.ctx, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    expect(await countCalculations(other.ctx)).toBe(0);
    expect(await countCalculations(owner.ctx)).toBe(1);
  });
});

describe('on the free plan', () => {
  it('a calculation is visible only in its own session', async () => {
    const { ctx, email } = await newPerson(db, 'two-browsers@example.org');
    const saved = await saveCalculation(ctx, calculation());
    expect(saved.isSessionOnly).toBe(true);
    const elsewhere = await ctxOfToken(db, (await signIn(db.ctx(), { email, password: PASSWORD })).token);
    expect(await countCalculations(elsewhere)).toBe(0);
    expect((await listCalculations(elsewhere)).items).toEqual([]);
    await expect(getCalculation(elsewhere, saved.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(deleteCalculation(elsewhere, saved.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await countCalculations(ctx)).toBe(1);
  });

  it('a calculation survives the rotation of its session by signing in again', async () => {
    const person = await newPerson(db, 'rotated@example.org');
    const saved = await saveCalculation(person.ctx, calculation());
    const again = await signIn(
      db.ctx(),
      { email: person.email, password: PASSWORD },
      { currentToken: person.signedIn.token },
    );
    const ctx = await ctxOfToken(db, again.token);
    expect((await getCalculation(ctx, saved.id)).id).toBe(saved.id);
  });

  it('a calculation is deleted at sign-out, even from the database', async () => {
    const { ctx, email } = await newPerson(db, 'gone@example.org');
    const saved = await saveCalculation(ctx, calculation());
    await signOut(ctx);
    const later = await ctxOfToken(db, (await signIn(db.ctx(), { email, password: PASSWORD })).token);
    expect(await countCalculations(later)).toBe(0);
    const actor = ctx.actor as { id: string; sessionId: string };
    const scope = { userId: actor.id, signInId: actor.sessionId };
    expect(await db.repos.calculations.find(scope, saved.id)).toBeNull();
    expect(await db.repos.calculations.countAll(scope)).toBe(0);
  });

  it('a calculation is refused for an ended session', async () => {
    const { ctx } = await newPerson(db, 'too-late@example.org');
    await signOut(ctx);
    await expect(saveCalculation(ctx, calculation())).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('the existing calculations become permanent when the trial starts', async () => {
    const person = await newPerson(db, 'upgraded@example.org');
    await saveAll(person.ctx, [{ peptideName: 'A' }, { peptideName: 'B' }]);
    await startTrial(person.ctx);
    await saveAll(await ctxOfToken(db, person.signedIn.token), [{ peptideName: 'b' }]);
    await signOut(await ctxOfToken(db, person.signedIn.token));
    const later = await ctxOfToken(
      db,
      (await signIn(db.ctx(), { email: person.email, password: PASSWORD })).token,
    );
    expect(await calculationStatistics(later)).toMatchObject({ totalCalculations: 3, uniqueCompounds: 2 });
    expect((await listCalculations(later)).items.every((entry) => !entry.isSessionOnly)).toBe(true);
  });
});

describe('after the trial', () => {
  it('permanent calculations are shown with those of this session, and names count once', async () => {
    const local = await openTestDatabase();
    try {
      const { ctx, email } = await newPerson(local, 'lapsed@example.org', trial);
      await saveAll(ctx, [{ peptideName: 'BPC-157' }, { peptideName: 'TB-500' }]);
      local.clock.advance(15 * 86_400_000);
      const free = await ctxOfToken(local, (await signIn(local.ctx(), { email, password: PASSWORD })).token);
      await saveAll(free, [{ peptideName: 'bpc-157' }, { peptideName: 'GHK-Cu' }]);
      expect(await calculationStatistics(free)).toMatchObject({
        totalCalculations: 4,
        uniqueCompounds: 3,
        lastSevenDays: 2,
      });
      await signOut(free);
      const next = await ctxOfToken(local, (await signIn(local.ctx(), { email, password: PASSWORD })).token);
      expect(await calculationStatistics(next)).toMatchObject({ totalCalculations: 2, uniqueCompounds: 2 });
    } finally {
      await local.dispose();
    }
  });
});

describe('the totals of calculations', () => {
  it('stay correct under parallel saves and deletions', async () => {
    const { ctx } = await newPerson(db, 'parallel@example.org', trial);
    const names = ['BPC-157', 'TB-500', 'bpc-157', undefined];
    const saved = await Promise.all(
      Array.from({ length: 24 }, (_, index) => {
        const peptideName = names[index % names.length];
        return saveCalculation(ctx, calculation({ peptideAmount: String(1 + (index % 3)), peptideName }));
      }),
    );
    const doomed = saved.slice(0, 8).flatMap((entry) => [entry, entry]);
    const removals = await Promise.allSettled(doomed.map((entry) => deleteCalculation(ctx, entry.id)));
    expect(removals.filter((result) => result.status === 'fulfilled')).toHaveLength(8);
    const left = (await listCalculations(ctx, { limit: 100 })).items;
    expect(left).toHaveLength(16);
    const mean = left.reduce((sum, entry) => sum + entry.concentration, 0) / left.length;
    expect(await calculationStatistics(ctx)).toEqual({
      totalCalculations: 16,
      uniqueCompounds: 2,
      lastSevenDays: 16,
      averageConcentration: Math.round(mean * 100) / 100,
      averageConcentrationText: mean.toFixed(2),
    });
  });

  it('return to zero when everything is deleted', async () => {
    const { ctx } = await newPerson(db, 'emptied@example.org', trial);
    for (const entry of await saveAll(ctx, [{ peptideName: 'A' }, { peptideAmount: '0.3' }])) {
      await deleteCalculation(ctx, entry.id);
    }
    expect(await calculationStatistics(ctx)).toEqual({
      totalCalculations: 0,
      uniqueCompounds: 0,
      lastSevenDays: 0,
      averageConcentration: null,
      averageConcentrationText: null,
    });
  });

  it('count the last 7 × 24 hours', async () => {
    const local = await openTestDatabase();
    try {
      const { ctx } = await newPerson(local, 'week@example.org', trial);
      const steps = [0, 24, 100, 167, 1].map((hours) => hours * 3_600_000);
      for (const step of steps) {
        local.clock.advance(step);
        await saveCalculation(ctx, calculation());
      }
      // Made 292, 268, 168, 1 and 0 hours ago; one that is exactly seven days old still counts.
      expect((await calculationStatistics(ctx)).lastSevenDays).toBe(3);
      local.clock.advance(1);
      expect((await calculationStatistics(ctx)).lastSevenDays).toBe(2);
    } finally {
      await local.dispose();
    }
  });

  /** Writes a row directly to the database, as a copy of one of the owner's with another name. */
  async function insertRow(userId: string, id: string, peptideName: string): Promise<void> {
    const rows = testConnection(db).collection<{ _id: string; userId: string }>('calculations');
    const first = await rows.findOne({ userId });
    if (first === null) throw new Error('The owner has no row to copy.');
    const named = { peptideName, nameKey: peptideName.toLowerCase() };
    await rows.insertOne({ ...first, ...named, _id: id, saveKey: id } as typeof first);
  }

  it('do not count a save that fails', async () => {
    const { ctx } = await newPerson(db, 'failed@example.org', trial);
    await saveAll(ctx, [{ peptideName: 'A' }]);
    const act = ctx.transaction(async () => {
      await saveCalculation(ctx, calculation({ peptideName: 'B' }));
      throw new Error('changed my mind');
    });
    await expect(act).rejects.toThrow('changed my mind');
    expect(await calculationStatistics(ctx)).toMatchObject({ totalCalculations: 1, uniqueCompounds: 1 });
    expect((await listCalculations(ctx)).items).toHaveLength(1);
  });

  it('are not recounted while nothing changes', async () => {
    const { ctx } = await newPerson(db, 'unchanged@example.org', trial);
    await saveAll(ctx, [{ peptideName: 'A' }]);
    const { id: userId } = ctx.actor as { id: string };
    db.clock.advance(61_000);
    expect(await countCalculations(ctx)).toBe(1);
    await insertRow(userId, 'calc_unnoted', 'B');
    expect(await countCalculations(ctx)).toBe(1);
    await saveAll(ctx, [{ peptideName: 'C' }]);
    expect(await calculationStatistics(ctx)).toMatchObject({ totalCalculations: 3, uniqueCompounds: 3 });
  });
});
