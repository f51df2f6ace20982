import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { register } from '#app/features/accounts/registration.server.ts';
import { resolveSession } from '#app/features/accounts/sessions.server.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { registration } from '#tests/support/people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

describe('registration', () => {
  it('creates an account and signs it in', async () => {
    const made = await register(db.ctx(), registration(' Ada@Example.org '));
    expect(made.user).toMatchObject({
      email: 'ada@example.org',
      role: 'user',
      subscription: 'free',
      subscriptionStatus: 'active',
    });
    expect(made.user.lastLogin).toEqual(db.clock.now());
    const session = await resolveSession(db.ctx(), made.token);
    expect(session?.actor).toMatchObject({ id: made.user.id, email: 'ada@example.org' });
  });

  it('refuses a taken address with the specified message, in any letter case', async () => {
    await expect(register(db.ctx(), registration('ADA@example.org'))).rejects.toMatchObject({
      code: 'REGISTRATION_FAILED',
      message: 'Registration failed. Please try again.',
    });
  });

  it('creates one account from 20 registrations at once', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => register(db.ctx(), registration('race@example.org'))),
    );
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    const refused = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as { code: string }] : [],
    );
    expect(new Set(refused.map((error) => error.code))).toEqual(new Set(['REGISTRATION_FAILED']));
  });
});
