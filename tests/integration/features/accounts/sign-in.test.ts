import { createHook } from 'node:async_hooks';
import { hashSync } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askForPasswordReset } from '#app/features/accounts/password-change.server.ts';
import { warmPasswords } from '#app/features/accounts/passwords.server.ts';
import { signIn } from '#app/features/accounts/sign-in.server.ts';
import {
  listSessions,
  resolveSession,
  revokeSession,
  rotateSession,
  signOut,
} from '#app/features/accounts/sessions.server.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { ctxOfToken, newPerson, PASSWORD } from '#tests/support/people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

const HOUR = 3_600_000;
const wrong = (email: string, address = '192.0.2.1', deviceToken?: string) =>
  signIn(db.ctx(undefined, { address }), { email, password: 'wrong-password' }, { deviceToken });
const right = (email: string, address = '192.0.2.1', deviceToken?: string) =>
  signIn(db.ctx(undefined, { address }), { email, password: PASSWORD }, { deviceToken });

describe('signing in', () => {
  it('returns a token of 256 bits, which is stored only as a hash', async () => {
    const { email } = await newPerson(db, 'in@example.org');
    db.clock.advance(HOUR);
    const { token, user } = await right(' IN@example.org');
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(await db.repos.sessions.findByTokenHash(token)).toBeNull();
    expect(user).toMatchObject({ email, lastLogin: db.clock.now() });
  });

  it('changes the account even at the same instant, so that it meets any other change of it', async () => {
    const { email, signedIn } = await newPerson(db, 'counted@example.org');
    const users = testConnection(db).collection<{ _id: string; signIns?: number }>('users');
    const signIns = async () => (await users.findOne({ _id: signedIn.user.id }))?.signIns ?? 0;
    const before = await signIns();
    await right(email);
    await right(email);
    expect(await signIns()).toBe(before + 2);
  });

  it('answers a wrong password and an unknown address alike', async () => {
    await newPerson(db, 'known@example.org');
    const answers = await Promise.allSettled([wrong('known@example.org'), wrong('unknown@example.org')]);
    const errors = answers.map((answer) => (answer.status === 'rejected' ? (answer.reason as Error) : null));
    expect(errors[0]).toMatchObject({ code: 'INVALID_CREDENTIALS', message: 'Invalid email or password' });
    expect(errors[1]).toEqual(errors[0]);
  });

  it('does the same work for both, and for a reset (6.3.8: time)', async () => {
    const counted = await openTestDatabase({ monitorCommands: true });
    const commands: string[] = [];
    testConnection(counted)
      .getClient()
      .on('commandStarted', ({ commandName, command }) =>
        commands.push(`${commandName} ${String(command[commandName])}`),
      );
    // Work of native code in another thread has no name here; below, that is only hashing a password.
    let hashes = 0;
    const hook = createHook({ init: (_id, kind) => void (hashes += String(kind) === 'undefined' ? 1 : 0) });
    /** Waits for mails that are sent in the background, which is no part of the work. */
    const forget = async () => {
      await counted.mails();
      commands.length = 0;
      hashes = 0;
    };
    const workOf = async (call: Promise<unknown>) => {
      await codeOf(call);
      const work = { commands: [...commands], hashes };
      await forget();
      return work;
    };
    try {
      await newPerson(counted, 'known@example.org');
      await warmPasswords();
      await forget();
      hook.enable();
      const stranger = () => counted.ctx(undefined, { address: '203.0.113.9' });
      const guess = (email: string) => signIn(stranger(), { email, password: 'wrong-password' });
      const known = await workOf(guess('known@example.org'));
      expect(known.hashes).toBe(1);
      expect(await workOf(guess('unknown@example.org'))).toEqual(known);
      const reset = await workOf(askForPasswordReset(stranger(), { email: 'known@example.org' }));
      expect(await workOf(askForPasswordReset(stranger(), { email: 'unknown@example.org' }))).toEqual(reset);
    } finally {
      hook.disable();
      await counted.dispose();
    }
  });

  it.each([
    [{ email: '', password: '' }, ['Please fill in all fields']],
    [{ email: 'a@example.org', password: 'short' }, ['Password must be at least 6 characters']],
  ])('refuses %j without checking it', async (input, messages) => {
    const error = await signIn(db.ctx(), input).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'INVALID_INPUT' });
    expect(Object.values((error as { fields: Record<string, string[]> }).fields)[0]).toEqual(messages);
  });

  it('hashes with argon2id and rehashes weaker hashes', async () => {
    const { signedIn, email } = await newPerson(db, 'weak@example.org');
    const { users } = db.repos;
    const strong = (await users.findPasswordHash(signedIn.user.id)) ?? '';
    expect(strong).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const weak = hashSync(PASSWORD, { memoryCost: 4096, timeCost: 1, parallelism: 1 });
    await users.replacePasswordHash(signedIn.user.id, strong, weak);
    await right(email);
    expect(await users.findPasswordHash(signedIn.user.id)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('accepts the same characters typed on another system, and checks all of a long password', async () => {
    const password = `cafe\u0301-${'x'.repeat(100)}`;
    const more = { password, confirmPassword: password };
    await newPerson(db, 'long@example.org', more);
    const composed = `caf\u00e9-${'x'.repeat(100)}`;
    expect((await signIn(db.ctx(), { email: 'long@example.org', password: composed })).token).toBeTruthy();
    await expect(
      signIn(db.ctx(), { email: 'long@example.org', password: composed.slice(0, -1) }),
    ).rejects.toThrow();
  });

  it('ends the session the browser had, even one of another account', async () => {
    const first = await newPerson(db, 'first@example.org');
    const second = await newPerson(db, 'second@example.org');
    const { token } = first.signedIn;
    await signIn(db.ctx(), { email: second.email, password: PASSWORD }, { currentToken: token });
    expect(await resolveSession(db.ctx(), token)).toBeNull();
  });
});

describe('throttling', () => {
  it('blocks after 10 failures for an account, says for how long, and does not count successes', async () => {
    const { email } = await newPerson(db, 'throttled@example.org');
    for (let count = 0; count < 12; count += 1) await right(email);
    for (let count = 0; count < 10; count += 1) {
      await expect(wrong(email, `198.51.100.${count}`)).rejects.toMatchObject({
        code: 'INVALID_CREDENTIALS',
      });
    }
    const error = await right(email, '203.0.113.9').catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 900 });
    db.clock.advance(900_000);
    expect((await right(email)).token).toBeTruthy();
  });

  it('treats an unknown address no differently', async () => {
    for (let count = 0; count < 10; count += 1) {
      await expect(wrong('nobody@example.org', `198.51.100.${count}`)).rejects.toMatchObject({
        code: 'INVALID_CREDENTIALS',
      });
    }
    await expect(wrong('nobody@example.org', '203.0.113.9')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  it('blocks after 50 failures of a client across any number of accounts', async () => {
    const address = '203.0.113.50';
    const codes: string[] = [];
    for (let count = 0; count < 51; count += 1) {
      codes.push(
        await wrong(`guess-${count}@example.org`, address).then(
          String,
          (error: { code: string }) => error.code,
        ),
      );
    }
    expect(codes.slice(0, 50)).toEqual(new Array(50).fill('INVALID_CREDENTIALS'));
    expect(codes[50]).toBe('RATE_LIMITED');
  });

  it('does not lock the owner out of a browser that has signed in before', async () => {
    const { email, signedIn } = await newPerson(db, 'victim@example.org');
    for (let count = 0; count < 11; count += 1)
      await wrong(email, `198.51.100.${count}`).catch(() => undefined);
    await expect(right(email, '203.0.113.7')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect((await right(email, '203.0.113.7', signedIn.deviceToken)).token).toBeTruthy();
  });

  it('ignores a forged device token, or one of another account', async () => {
    const { email } = await newPerson(db, 'victim-2@example.org');
    const stranger = await newPerson(db, 'stranger@example.org');
    for (let count = 0; count < 11; count += 1)
      await wrong(email, `198.51.100.${count}`).catch(() => undefined);
    for (const token of [
      stranger.signedIn.deviceToken,
      'a.b',
      'a.b.c',
      '',
      `${'x'.repeat(22)}.${'y'.repeat(43)}`,
    ]) {
      await expect(right(email, '203.0.113.8', token)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    }
  });

  it('counts a known device separately', async () => {
    const { email, signedIn } = await newPerson(db, 'device@example.org');
    const { deviceToken } = signedIn;
    for (let count = 0; count < 10; count += 1)
      await wrong(email, '203.0.113.1', deviceToken).catch(() => undefined);
    await expect(right(email, '203.0.113.1', deviceToken)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect((await right(email, '203.0.113.2')).token).toBeTruthy();
  });

  it('checks at most 10 of 30 simultaneous guesses, even if a later one is correct', async () => {
    const { email } = await newPerson(db, 'burst@example.org');
    const codes = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        wrong(email, `198.51.100.${index}`).then(String, (error: { code: string }) => error.code),
      ),
    );
    expect(codes.filter((code) => code === 'INVALID_CREDENTIALS')).toHaveLength(10);
    expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(20);
    await expect(right(email, '198.51.100.200')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });
});

describe('a session', () => {
  it('ends after a day without use, however often it was used before', async () => {
    const { signedIn } = await newPerson(db, 'idle@example.org');
    for (let count = 0; count < 3; count += 1) {
      db.clock.advance(23 * HOUR);
      expect(await resolveSession(db.ctx(), signedIn.token)).not.toBeNull();
    }
    db.clock.advance(24 * HOUR);
    expect(await resolveSession(db.ctx(), signedIn.token)).toBeNull();
  });

  it('lasts 30 days with remember-me, used or not, and no longer', async () => {
    const { email } = await newPerson(db, 'remember@example.org');
    const { token, session } = await signIn(db.ctx(), { email, password: PASSWORD, remember: true });
    expect(session.expiresAt.getTime() - db.clock.now().getTime()).toBe(30 * 24 * HOUR);
    db.clock.advance(30 * 24 * HOUR - 1000);
    expect(await resolveSession(db.ctx(), token)).not.toBeNull();
    db.clock.advance(1000);
    expect(await resolveSession(db.ctx(), token)).toBeNull();
  });

  it('ends after 30 days even in daily use', async () => {
    const { signedIn } = await newPerson(db, 'absolute@example.org');
    for (let hours = 0; hours < 30 * 24; hours += 20) {
      expect(await resolveSession(db.ctx(), signedIn.token)).not.toBeNull();
      db.clock.advance(20 * HOUR);
    }
    expect(await resolveSession(db.ctx(), signedIn.token)).toBeNull();
  });

  it('records its use at most each minute', async () => {
    const { signedIn, ctx } = await newPerson(db, 'touch@example.org');
    const began = db.clock.now();
    db.clock.advance(59_000);
    await resolveSession(db.ctx(), signedIn.token);
    expect((await listSessions(ctx))[0]?.lastUsedAt).toEqual(began);
    db.clock.advance(1000);
    await resolveSession(db.ctx(), signedIn.token);
    expect((await listSessions(ctx))[0]?.lastUsedAt).toEqual(db.clock.now());
  });

  it('ends permanently at sign-out and at rotation', async () => {
    const { signedIn, ctx } = await newPerson(db, 'dies@example.org');
    const rotated = await rotateSession(ctx, signedIn.token);
    expect(await resolveSession(db.ctx(), signedIn.token)).toBeNull();
    expect((await resolveSession(db.ctx(), rotated.token))?.session.id).toBe(signedIn.session.id);
    await signOut(ctx);
    expect(await resolveSession(db.ctx(), rotated.token)).toBeNull();
  });

  it.each(['', 'x', 'x'.repeat(43), '{"$gt":""}', '../../etc/passwd'])(
    'is not opened by %j',
    async (token) => {
      expect(await resolveSession(db.ctx(), token)).toBeNull();
    },
  );
});

describe('the list of sessions', () => {
  it('shows the user’s own sessions, marks the current one, and can end another', async () => {
    const { ctx, email, signedIn } = await newPerson(db, 'list@example.org');
    const other = await right(email, '198.51.100.77');
    const sessions = await listSessions(ctx);
    expect(sessions.map(({ id, isCurrent }) => [id, isCurrent])).toEqual(
      expect.arrayContaining([
        [signedIn.session.id, true],
        [other.session.id, false],
      ]),
    );
    await revokeSession(ctx, other.session.id);
    expect(await resolveSession(db.ctx(), other.token)).toBeNull();
    expect(await listSessions(ctx)).toHaveLength(1);
  });

  it('gives no access to the sessions of others', async () => {
    const mine = await newPerson(db, 'mine@example.org');
    const theirs = await newPerson(db, 'theirs@example.org');
    await expect(revokeSession(mine.ctx, theirs.signedIn.session.id)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(rotateSession(mine.ctx, theirs.signedIn.token)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(listSessions(db.ctx())).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(listSessions(db.ctx(TERMINAL))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await ctxOfToken(db, theirs.signedIn.token)).toBeTruthy();
  });
});
