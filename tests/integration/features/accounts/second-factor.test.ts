import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneTimeCode } from '#app/integrations/one-time-codes.server.ts';
import { createAdmin } from '#app/features/admin/users/admin-accounts.server.ts';
import { adminStats } from '#app/features/admin/overview.server.ts';
import { downloadData } from '#app/features/export/data-download.server.ts';
import { changePassword, confirmPassword } from '#app/features/accounts/password-change.server.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
  getSecondFactor,
  renewRecoveryCodes,
} from '#app/features/accounts/second-factor.server.ts';
import { resolveSession } from '#app/features/accounts/sessions.server.ts';
import {
  checkChallenge,
  completeSignIn,
  beginSignIn,
  signIn,
} from '#app/features/accounts/sign-in.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { ctxOfToken, newPerson, PASSWORD } from '#tests/support/people.ts';
import { textOf } from '#tests/support/streams.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase({ env: { APP_URL: 'https://vialbook.example' } });
});
afterAll(() => db.dispose());

const STEP = 30_000;

/** Starts a setup. @returns its secret */
async function begun(ctx: Parameters<typeof getSecondFactor>[0]): Promise<string> {
  await beginSecondFactor(ctx);
  return (await getSecondFactor(ctx)).setup?.secret ?? '';
}

/** A user with a second factor, at the start of an unused step. */
async function newProtected(email: string) {
  const person = await newPerson(db, email);
  const secret = await begun(person.ctx);
  const recovery = await confirmSecondFactor(person.ctx, { code: oneTimeCode(secret, db.clock.now()) });
  db.clock.advance(STEP);
  return { ...person, secret, recovery, code: () => oneTimeCode(secret, db.clock.now()) };
}

async function challengeOf(email: string): Promise<string> {
  const step = await beginSignIn(db.ctx(), { email, password: PASSWORD, remember: true });
  return step.next === 'code' ? step.challenge : 'none was asked for';
}

const complete = (challenge: string, code: string) => completeSignIn(db.ctx(), challenge, { code });

describe('setting up a second factor', () => {
  it('requires no code until the first one was correct, and shows the secret only until then', async () => {
    const { ctx, email } = await newPerson(db, 'setup@example.org');
    const secret = await begun(ctx);
    expect(await begun(ctx)).not.toBe(secret);
    expect((await beginSignIn(db.ctx(), { email, password: PASSWORD })).next).toBe('done');
    expect(await codeOf(confirmSecondFactor(ctx, { code: oneTimeCode(secret, db.clock.now()) }))).toBe(
      'INVALID_INPUT',
    );
    const { setup } = await getSecondFactor(ctx);
    expect(setup?.uri).toContain(`secret=${setup?.secret}`);
    const codes = await confirmSecondFactor(ctx, { code: oneTimeCode(setup?.secret ?? '', db.clock.now()) });
    expect(new Set(codes).size).toBe(10);
    expect(await getSecondFactor(ctx)).toMatchObject({
      setup: null,
      recoveryCodesLeft: 10,
      isRequired: false,
    });
    expect(await codeOf(beginSecondFactor(ctx))).toBe('ALREADY_ON');
    expect((await db.mails()).at(-1)).toMatchObject({ to: email, subject: 'Two-step sign-in is on' });
  });

  it('needs a recent sign-in', async () => {
    const { signedIn } = await newPerson(db, 'setup-late@example.org');
    db.clock.advance(15 * 60_000);
    const ctx = await ctxOfToken(db, signedIn.token);
    for (const call of [getSecondFactor, beginSecondFactor, renewRecoveryCodes])
      expect(await codeOf(call(ctx)), call.name).toBe('RECENT_SIGN_IN_REQUIRED');
    expect(await codeOf(endSecondFactor(ctx, {}))).toBe('RECENT_SIGN_IN_REQUIRED');
    expect(await codeOf(confirmSecondFactor(ctx, { code: '123456' }))).toBe('RECENT_SIGN_IN_REQUIRED');
  });

  it('keeps the secret out of the full download', async () => {
    const { ctx, secret } = await newProtected('setup-secret@example.org');
    const text = await textOf((await downloadData(ctx)).open());
    expect(text).toContain('"second_factors": [\n');
    expect(text).not.toContain(secret);
    expect(text).not.toContain('recoveryHashes');
  });
});

describe('signing in with a second factor', () => {
  it('gives no access with the password alone', async () => {
    const { email, code } = await newProtected('alone@example.org');
    const challenge = await challengeOf(email);
    expect(await resolveSession(db.ctx(), challenge)).toBeNull();
    expect(await codeOf(signIn(db.ctx(), { email, password: PASSWORD }))).toBe('SECOND_FACTOR_REQUIRED');
    const { token, session } = await complete(challenge, code());
    expect(token).not.toBe(challenge);
    expect(session.remember).toBe(true);
    expect((await resolveSession(db.ctx(), token))?.actor.email).toBe(email);
    expect(await codeOf(complete(challenge, code()))).toBe('NOT_FOUND');
  });

  it('refuses a used code and any older one, even at the same moment (replay)', async () => {
    const { email, code, secret } = await newProtected('replay@example.org');
    const older = oneTimeCode(secret, new Date(db.clock.now().getTime() - STEP));
    const challenges = await Promise.all(Array.from({ length: 4 }, () => challengeOf(email)));
    const outcomes = await Promise.all(challenges.map((challenge) => codeOf(complete(challenge, code()))));
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
    expect(await codeOf(complete(await challengeOf(email), code()))).toBe('INVALID_INPUT');
    expect(await codeOf(complete(await challengeOf(email), older))).toBe('INVALID_INPUT');
    db.clock.advance(STEP);
    expect(await codeOf(complete(await challengeOf(email), code()))).toBe('done');
  });

  it('does not accept the code that confirmed the setup', async () => {
    const { ctx, email } = await newPerson(db, 'first-code@example.org');
    const secret = await begun(ctx);
    const code = oneTimeCode(secret, db.clock.now());
    await confirmSecondFactor(ctx, { code });
    expect(await codeOf(complete(await challengeOf(email), code))).toBe('INVALID_INPUT');
  });

  it('accepts each recovery code once, however it is typed, and mails how many are left', async () => {
    const { email, recovery } = await newProtected('recovery@example.org');
    const [first = '', second = ''] = recovery;
    expect(await codeOf(complete(await challengeOf(email), first.toLowerCase().replaceAll('-', ' ')))).toBe(
      'done',
    );
    expect(await codeOf(complete(await challengeOf(email), first))).toBe('INVALID_INPUT');
    const challenges = await Promise.all([challengeOf(email), challengeOf(email), challengeOf(email)]);
    const outcomes = await Promise.all(challenges.map((challenge) => codeOf(complete(challenge, second))));
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
    const mails = (await db.mails()).filter(({ subject }) => subject === 'A recovery code was used');
    expect(mails.at(-1)?.text).toContain('8 recovery codes left');
  });

  it('is throttled: five wrong codes end the attempt, ten block for 15 minutes', async () => {
    const { email, code } = await newProtected('guess@example.org');
    const outcomes: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      const challenge = await challengeOf(email);
      for (let count = 0; count < 5; count += 1) outcomes.push(await codeOf(complete(challenge, '000000')));
      expect(await codeOf(complete(challenge, code()))).toBe('NOT_FOUND');
    }
    expect(outcomes).toEqual(new Array(10).fill('INVALID_INPUT'));
    expect(await codeOf(complete(await challengeOf(email), code()))).toBe('RATE_LIMITED');
    db.clock.advance(15 * 60_000);
    expect(await codeOf(complete(await challengeOf(email), code()))).toBe('done');
  });

  it('allows ten minutes for the code, and ends when the password changes', async () => {
    const { ctx, email, code } = await newProtected('slow@example.org');
    const challenge = await challengeOf(email);
    const next = 'green-lamp-82';
    const passwords = { currentPassword: PASSWORD, newPassword: next, confirmPassword: next };
    await changePassword(ctx, { ...passwords, code: code() });
    db.clock.advance(STEP);
    expect(await codeOf(checkChallenge(db.ctx(), challenge))).toBe('NOT_FOUND');
    const step = await beginSignIn(db.ctx(), { email, password: next });
    const later = step.next === 'code' ? step.challenge : '';
    db.clock.advance(10 * 60_000);
    expect(await codeOf(complete(later, code()))).toBe('NOT_FOUND');
  });

  it('is required for a change of password, after the current one, and used up by it', async () => {
    const { ctx, email, code, recovery } = await newProtected('changes@example.org');
    const next = 'green-lamp-82';
    const change = (more: object) =>
      codeOf(
        changePassword(ctx, { currentPassword: PASSWORD, newPassword: next, confirmPassword: next, ...more }),
      );
    expect(await change({ currentPassword: 'a-wrong-guess', code: code() })).toBe('INVALID_INPUT');
    expect(await change({})).toBe('SECOND_FACTOR_REQUIRED');
    expect(await change({ code: '' })).toBe('SECOND_FACTOR_REQUIRED');
    expect(await change({ code: '000000' })).toBe('INVALID_INPUT');
    expect((await beginSignIn(db.ctx(), { email, password: PASSWORD })).next).toBe('code');
    const used = code();
    expect(await change({ code: used })).toBe('done');
    const back = { currentPassword: next, newPassword: PASSWORD, confirmPassword: PASSWORD };
    expect(await change({ ...back, code: used })).toBe('INVALID_INPUT');
    expect(await change({ ...back, code: recovery[0] })).toBe('done');
  });

  it.each(['', ' ', 'x'.repeat(10_000), '12345', '١٢٣٤٥٦', '{"$ne":null}', '0000-0000-0000-0000'])(
    'refuses %j as a code',
    async (code) => {
      const email = `odd-${db.clock.now().getTime()}-${Math.abs(code.length)}-${code.charCodeAt(0) || 0}@example.org`;
      const { signedIn } = await newProtected(email);
      expect(signedIn.user.secondFactor).toBe(false);
      expect(await codeOf(complete(await challengeOf(email), code))).toBe('INVALID_INPUT');
    },
  );

  it.each(['', 'x'.repeat(43), '{"$gt":""}'])('does not accept the challenge %j', async (challenge) => {
    expect(await codeOf(complete(challenge, '123456'))).toBe('NOT_FOUND');
  });
});

describe('confirming your password', () => {
  const confirm = (person: { ctx: Ctx; signedIn: { token: string } }, code?: string) =>
    codeOf(
      confirmPassword(
        person.ctx,
        { password: PASSWORD, ...(code !== undefined && { code }) },
        person.signedIn.token,
      ),
    );

  it('requires a code too if the account has a second factor', async () => {
    const person = await newProtected('step-up@example.org');
    expect(await confirm(person)).toBe('INVALID_INPUT');
    expect(await confirm(person, '')).toBe('INVALID_INPUT');
    expect(await confirm(person, '000000')).toBe('INVALID_INPUT');
    expect(await resolveSession(db.ctx(), person.signedIn.token)).not.toBeNull();
    const code = person.code();
    expect(await confirm(person, code)).toBe('done');
    expect(await resolveSession(db.ctx(), person.signedIn.token)).toBeNull();
    expect(await codeOf(complete(await challengeOf(person.email), code))).toBe('INVALID_INPUT');
  });

  it('accepts a recovery code, and counts wrong ones as sign-in does', async () => {
    const person = await newProtected('step-up-guess@example.org');
    for (let count = 0; count < 10; count += 1) expect(await confirm(person, '000000')).toBe('INVALID_INPUT');
    expect(await confirm(person, person.code())).toBe('RATE_LIMITED');
    db.clock.advance(15 * 60_000);
    expect(await confirm(person, person.recovery[0])).toBe('done');
  });

  it('requires no code without a second factor, not even during setup', async () => {
    const person = await newPerson(db, 'step-up-plain@example.org');
    await begun(person.ctx);
    expect(await confirm(person)).toBe('done');
  });
});

describe('turning off the second factor and replacing recovery codes', () => {
  it('requires a code, makes the password alone sufficient again, and sends a mail', async () => {
    const { ctx, email, code } = await newProtected('off@example.org');
    expect(await codeOf(endSecondFactor(ctx, {}))).toBe('INVALID_INPUT');
    expect(await codeOf(endSecondFactor(ctx, { code: '000000' }))).toBe('INVALID_INPUT');
    expect((await beginSignIn(db.ctx(), { email, password: PASSWORD })).next).toBe('code');
    await endSecondFactor(ctx, { code: code() });
    expect((await beginSignIn(db.ctx(), { email, password: PASSWORD })).next).toBe('done');
    expect(await codeOf(endSecondFactor(ctx, { code: code() }))).toBe('ALREADY_OFF');
    expect((await db.mails()).at(-1)).toMatchObject({ to: email, subject: 'Two-step sign-in is off' });
  });

  it('invalidates the old recovery codes', async () => {
    const { ctx, email, recovery } = await newProtected('renew@example.org');
    const [fresh = ''] = await renewRecoveryCodes(ctx);
    expect(await codeOf(complete(await challengeOf(email), recovery[0] ?? ''))).toBe('INVALID_INPUT');
    expect(await codeOf(complete(await challengeOf(email), fresh))).toBe('done');
  });
});

describe('administrators of an https site', () => {
  it('have no admin access without a second factor, and cannot turn it off', async () => {
    const email = 'root@example.org';
    await createAdmin(db.ctx(TERMINAL), { email, password: PASSWORD });
    const ctx = await ctxOfToken(db, (await signIn(db.ctx(), { email, password: PASSWORD })).token);
    expect(await codeOf(adminStats(ctx))).toBe('SECOND_FACTOR_SETUP_REQUIRED');
    const secret = await begun(ctx);
    await confirmSecondFactor(ctx, { code: oneTimeCode(secret, db.clock.now()) });
    db.clock.advance(STEP);
    const code = oneTimeCode(secret, db.clock.now());
    const protectedCtx = await ctxOfToken(
      db,
      (await signIn(db.ctx(), { email, password: PASSWORD, code })).token,
    );
    expect(await codeOf(adminStats(protectedCtx))).toBe('done');
    expect(await codeOf(endSecondFactor(protectedCtx, { code }))).toBe('FORBIDDEN');
  });
});
