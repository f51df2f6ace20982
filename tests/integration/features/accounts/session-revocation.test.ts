import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isCommonPassword } from '#app/features/accounts/passwords.server.ts';
import { saveCalculation, calculationStatistics } from '#app/features/calculator/calculations.server.ts';
import { clearEndedSessions, resolveSession, rotateSession } from '#app/features/accounts/sessions.server.ts';
import { signIn } from '#app/features/accounts/sign-in.server.ts';
import { calculation } from '#tests/support/calculations.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { ctxOfToken, newPerson, PASSWORD } from '#tests/support/people.ts';

const DAY = 86_400_000;

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

async function countOf(collection: string, userId: string): Promise<number> {
  return testConnection(db).collection(collection).countDocuments({ userId });
}

const COLLECTIONS = ['sessions', 'calculations', 'calculation_counters'];
const allOf = (userId: string) => Promise.all(COLLECTIONS.map((collection) => countOf(collection, userId)));

describe('clearing ended sessions', () => {
  it('removes an expired session and its data, and nothing before its time', async () => {
    const { ctx, signedIn } = await newPerson(db, 'expired@example.org');
    const userId = signedIn.user.id;
    await saveCalculation(ctx, calculation({ peptideName: 'A' }));
    db.clock.advance(DAY - 1);
    await clearEndedSessions(db.ctx(TERMINAL));
    expect(await allOf(userId)).toEqual([1, 1, 1]);
    db.clock.advance(1);
    expect(await clearEndedSessions(db.ctx(TERMINAL))).toBe(1);
    expect(await allOf(userId)).toEqual([0, 0, 0]);
  });

  it('keeps the calculations of a premium account', async () => {
    const { ctx, email, signedIn } = await newPerson(db, 'kept@example.org');
    await saveCalculation(ctx, calculation());
    await db.repos.users.startTrial(
      signedIn.user.id,
      db.clock.now(),
      new Date(db.clock.now().getTime() + 14 * DAY),
    );
    db.clock.advance(DAY);
    await clearEndedSessions(db.ctx(TERMINAL));
    const later = await ctxOfToken(db, (await signIn(db.ctx(), { email, password: PASSWORD })).token);
    expect((await calculationStatistics(later)).totalCalculations).toBe(1);
  });

  it('spares a sign-in that continues under another secret, even after an interrupted rotation', async () => {
    const { ctx, signedIn } = await newPerson(db, 'rotated@example.org');
    const userId = signedIn.user.id;
    const old = await testConnection(db).collection('sessions').findOne({ userId });
    db.clock.advance(DAY / 2);
    const { token } = await rotateSession(ctx, signedIn.token);
    // The process was killed before it removed the old row.
    await testConnection(db)
      .collection('sessions')
      .insertOne(old as never);
    await saveCalculation(await ctxOfToken(db, token), calculation());
    db.clock.advance(DAY / 2);
    await clearEndedSessions(db.ctx(TERMINAL));
    expect(await resolveSession(db.ctx(), token)).not.toBeNull();
    expect(await allOf(userId)).toEqual([1, 1, 1]);
  });

  it('can run concurrently', async () => {
    for (const name of ['p', 'q', 'r']) {
      const { ctx } = await newPerson(db, `${name}@example.org`);
      await saveCalculation(ctx, calculation());
    }
    db.clock.advance(2 * DAY);
    await Promise.all([1, 2, 3].map(() => clearEndedSessions(db.ctx(TERMINAL))));
    expect(await testConnection(db).collection('sessions').countDocuments({})).toBe(0);
    expect(
      await testConnection(db)
        .collection('calculations')
        .countDocuments({ shelf: { $ne: 'kept' } }),
    ).toBe(0);
  });
});

describe('common passwords', () => {
  it.each(['123456', 'password', 'password123', 'qwerty', 'wassup'])('%s is one', async (password) => {
    expect(await isCommonPassword(password)).toBe(true);
  });
  it.each([PASSWORD, '', 'Password', 'a sentence that nobody uses'])('%j is none', async (password) => {
    expect(await isCommonPassword(password)).toBe(false);
  });
});
