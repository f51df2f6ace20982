import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getAccount, changeProfile } from '#app/features/accounts/profile.server.ts';
import { changePassword, confirmPassword } from '#app/features/accounts/password-change.server.ts';
import { authoriseRecent } from '#app/platform/access/authorise.server.ts';
import { listSessions, resolveSession } from '#app/features/accounts/sessions.server.ts';
import { signIn } from '#app/features/accounts/sign-in.server.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { ctxOfToken, newPerson, PASSWORD } from '#tests/support/people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

const NEXT = 'green-lamp-82';
const change = (more: object = {}) => ({
  currentPassword: PASSWORD,
  newPassword: NEXT,
  confirmPassword: NEXT,
  ...more,
});

describe('the profile', () => {
  it('stores name, time zone and units, and can remove the name', async () => {
    const { ctx, signedIn } = await newPerson(db, 'profile@example.org');
    const syringe = 'u100-0.3ml' as const;
    const set = { timeZone: 'Asia/Tokyo', doseUnit: 'mcg' as const, units: 'imperial' as const, syringe };
    expect(await changeProfile(ctx, { name: ' Ada ', ...set })).toMatchObject({ name: 'Ada', ...set });
    expect((await ctxOfToken(db, signedIn.token)).timeZone).toBe('Asia/Tokyo');
    expect(await changeProfile(ctx, { name: '', ...set })).toMatchObject({ name: null });
  });

  it('changes nothing else, whatever is sent', async () => {
    const { ctx } = await newPerson(db, 'mass@example.org');
    const before = await getAccount(ctx);
    const more = {
      role: 'super_admin',
      subscription: 'premium',
      grantedAt: new Date(),
      userId: 'x',
      id: 'x',
    };
    const set = { timeZone: 'UTC', doseUnit: 'mg' as const, units: 'metric' as const };
    await changeProfile(ctx, { ...set, ...more } as typeof set);
    expect(await getAccount(ctx)).toEqual(before);
  });

  it('requires a sign-in', async () => {
    const set = { timeZone: 'UTC', doseUnit: 'mg' as const, units: 'metric' as const };
    expect(await codeOf(changeProfile(db.ctx(), set))).toBe('UNAUTHENTICATED');
    expect(await codeOf(changePassword(db.ctx(), change()))).toBe('UNAUTHENTICATED');
  });
});

describe('changing the password', () => {
  it('ends all other sessions and keeps the current one', async () => {
    const { ctx, email, signedIn } = await newPerson(db, 'change@example.org');
    const other = await signIn(db.ctx(), { email, password: PASSWORD, remember: true });
    await changePassword(ctx, change());
    expect(await resolveSession(db.ctx(), other.token)).toBeNull();
    expect(await resolveSession(db.ctx(), signedIn.token)).not.toBeNull();
    expect(await listSessions(ctx)).toHaveLength(1);
    expect(await codeOf(signIn(db.ctx(), { email, password: PASSWORD }))).toBe('INVALID_CREDENTIALS');
    expect(await codeOf(signIn(db.ctx(), { email, password: NEXT }))).toBe('done');
  });

  it('hashes the new one at full strength, and leaves an audit row without it', async () => {
    const { ctx, signedIn } = await newPerson(db, 'hash@example.org');
    await changePassword(ctx, change());
    expect(await db.repos.users.findPasswordHash(signedIn.user.id)).toMatch(
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/,
    );
    const rows = await db.repos.audit.listAbout(signedIn.user.id, 10);
    expect(rows).toMatchObject([{ action: 'account.change-password', actor: signedIn.user.id }]);
    expect(JSON.stringify(rows)).not.toContain(NEXT);
  });

  it('refuses a very common one at its own field', async () => {
    const { ctx } = await newPerson(db, 'common@example.org');
    const input = change({ newPassword: 'password123', confirmPassword: 'password123' });
    await expect(changePassword(ctx, input)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      fields: { newPassword: ['This password is one of the most common ones. Choose another.'] },
    });
  });

  it('is throttled per account: after ten wrong guesses even the correct password must wait', async () => {
    const { ctx, email } = await newPerson(db, 'guess@example.org');
    const wrong = change({ currentPassword: 'not-the-password' });
    for (let count = 0; count < 10; count += 1) {
      await expect(changePassword(ctx, wrong)).rejects.toMatchObject({
        fields: { currentPassword: ['This is not your current password'] },
      });
    }
    expect(await codeOf(changePassword(ctx, change()))).toBe('RATE_LIMITED');
    expect(await codeOf(signIn(db.ctx(), { email, password: PASSWORD }))).toBe('done');
    db.clock.advance(15 * 60_000);
    expect(
      await codeOf(
        changePassword(
          await ctxOfToken(db, (await signIn(db.ctx(), { email, password: PASSWORD })).token),
          change(),
        ),
      ),
    ).toBe('done');
  });

  it('succeeds for only one of ten at once', async () => {
    const { ctx } = await newPerson(db, 'changes@example.org');
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, index) => {
        const next = `green-lamp-${index}x`;
        return codeOf(changePassword(ctx, change({ newPassword: next, confirmPassword: next })));
      }),
    );
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
  });
});

describe('a recent sign-in', () => {
  it('is required after 15 minutes, and renewed by the password with a new secret', async () => {
    const { signedIn } = await newPerson(db, 'recent@example.org');
    expect(authoriseRecent(await ctxOfToken(db, signedIn.token), 'account.change').id).toBe(signedIn.user.id);
    db.clock.advance(15 * 60_000);
    const ctx = await ctxOfToken(db, signedIn.token);
    expect(() => authoriseRecent(ctx, 'account.change')).toThrow(
      expect.objectContaining({ code: 'RECENT_SIGN_IN_REQUIRED' }),
    );
    const { token } = await confirmPassword(ctx, { password: PASSWORD }, signedIn.token);
    expect(await resolveSession(db.ctx(), signedIn.token)).toBeNull();
    expect(authoriseRecent(await ctxOfToken(db, token), 'account.change').id).toBe(signedIn.user.id);
  });

  it('is not granted by a wrong password, nor for another user’s session', async () => {
    const mine = await newPerson(db, 'recent-mine@example.org');
    const theirs = await newPerson(db, 'recent-theirs@example.org');
    expect(await codeOf(confirmPassword(mine.ctx, { password: 'wrong-password' }, mine.signedIn.token))).toBe(
      'INVALID_INPUT',
    );
    expect(await codeOf(confirmPassword(mine.ctx, { password: PASSWORD }, theirs.signedIn.token))).toBe(
      'FORBIDDEN',
    );
    expect(await resolveSession(db.ctx(), theirs.signedIn.token)).not.toBeNull();
  });
});
