import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAdmin } from '#app/features/admin/users/admin-accounts.server.ts';
import {
  askForEmailChange,
  checkEmailLink,
  confirmEmail,
  resendConfirmation,
} from '#app/features/accounts/email-change.server.ts';
import { askForPasswordReset, resetPassword } from '#app/features/accounts/password-change.server.ts';
import { register } from '#app/features/accounts/registration.server.ts';
import { signIn } from '#app/features/accounts/sign-in.server.ts';
import { createReferralCode, getReferrals } from '#app/features/referrals/referrals.server.ts';
import { listReportShares, shareReport } from '#app/features/reports/report-shares.server.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { ctxOfToken, PASSWORD, registration } from '#tests/support/people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

const HOUR = 3_600_000;
const APRIL = { start: '2026-04-01', end: '2026-04-30', days: '7' } as const;

/** The secrets of all confirmation links mailed to an address, newest last. */
async function linksTo(email: string): Promise<string[]> {
  const mails = (await db.mails()).filter(({ to }) => to === email);
  return mails.flatMap(({ text }) => /confirm-email\/([A-Za-z0-9_-]+)/.exec(text)?.[1] ?? []);
}

const linkTo = async (email: string) => (await linksTo(email)).at(-1) ?? '';

/** A user who has registered but not opened the mail yet. */
async function newcomer(email: string) {
  const { token, user } = await register(db.ctx(), registration(email, { plan: 'trial' }));
  const ctx = () => ctxOfToken(db, token);
  return { email, id: user.id, ctx };
}

describe('a new account', () => {
  it('gets a mail whose link confirms its address once', async () => {
    const { email, ctx } = await newcomer('new@example.org');
    expect((await db.mails()).at(-1)).toMatchObject({
      to: email,
      subject: 'Confirm your email address for Vialbook',
    });
    const link = await linkTo(email);
    expect(await checkEmailLink(db.ctx(), link)).toBe('own-address');
    expect((await ctx()).actor).toMatchObject({ hasConfirmedEmail: false });
    expect(await confirmEmail(db.ctx(), link)).toBe('own-address');
    // Its session continues.
    expect((await ctx()).actor).toMatchObject({ hasConfirmedEmail: true });
    expect(await codeOf(checkEmailLink(db.ctx(), link))).toBe('NOT_FOUND');
    expect(await codeOf(confirmEmail(db.ctx(), link))).toBe('NOT_FOUND');
  });

  it('can do everything but contact others until then', async () => {
    const { email, ctx } = await newcomer('waits@example.org');
    const before = await ctx();
    expect(await codeOf(shareReport(before, APRIL))).toBe('EMAIL_NOT_CONFIRMED');
    expect(await listReportShares(before)).toEqual([]);
    expect(await codeOf(createReferralCode(before))).toBe('EMAIL_NOT_CONFIRMED');
    expect((await getReferrals(before)).invitation).toBeNull();
    await confirmEmail(db.ctx(), await linkTo(email));
    const after = await ctx();
    expect(await codeOf(shareReport(after, APRIL))).toBe('done');
    expect((await getReferrals(after)).invitation).toEqual(await createReferralCode(after));
  });

  it('has three days, and can get the link again five times an hour', async () => {
    const { email } = await newcomer('slow@example.org');
    const first = await linkTo(email);
    db.clock.advance(72 * HOUR);
    expect(await codeOf(confirmEmail(db.ctx(), first))).toBe('NOT_FOUND');
    const { token } = await signIn(db.ctx(), { email, password: PASSWORD });
    const late = await ctxOfToken(db, token);
    for (let count = 0; count < 5; count += 1) expect(await codeOf(resendConfirmation(late))).toBe('done');
    expect(await codeOf(resendConfirmation(late))).toBe('RATE_LIMITED');
    expect(await linksTo(email)).toHaveLength(6);
    await confirmEmail(db.ctx(), await linkTo(email));
    expect(await codeOf(resendConfirmation(await ctxOfToken(db, token)))).toBe('ALREADY_CONFIRMED');
  });
});

describe('a confirmation link', () => {
  it('works only for the address it was mailed to', async () => {
    const { email, ctx } = await newcomer('moves@example.org');
    const old = await linkTo(email);
    const next = 'moved@example.org';
    await askForEmailChange(await ctx(), { email: next });
    const link = await linkTo(next);
    expect(await checkEmailLink(db.ctx(), link)).toBe('new-address');
    expect(await confirmEmail(await ctx(), link)).toBe('new-address');
    expect(await codeOf(confirmEmail(db.ctx(), old))).toBe('NOT_FOUND');
    // The same click confirmed the new address.
    expect((await ctx()).actor).toMatchObject({ email: next, hasConfirmedEmail: true });
  });

  it('confirms nobody else', async () => {
    const [mine, theirs] = [await newcomer('mine@example.org'), await newcomer('theirs@example.org')];
    await confirmEmail(await theirs.ctx(), await linkTo(mine.email));
    expect((await theirs.ctx()).actor).toMatchObject({ hasConfirmedEmail: false });
    expect((await mine.ctx()).actor).toMatchObject({ hasConfirmedEmail: true });
  });
});

it('a password reset by mail also confirms the address', async () => {
  const { email, id } = await newcomer('forgot@example.org');
  await askForPasswordReset(db.ctx(), { email });
  const mail = (await db.mails()).at(-1)?.text ?? '';
  const secret = /reset-password\/([A-Za-z0-9_-]+)/.exec(mail)?.[1] ?? '';
  const password = 'green-lamp-82';
  await resetPassword(db.ctx(), secret, { password, confirmPassword: password });
  expect((await db.repos.users.find(id))?.emailConfirmedAt).toEqual(db.clock.now());
});

it('an account created at the terminal counts as confirmed', async () => {
  const email = 'root@example.org';
  const { id } = await createAdmin(db.ctx(TERMINAL), { email, password: PASSWORD });
  expect((await db.repos.users.find(id))?.emailConfirmedAt).toEqual(db.clock.now());
  expect(await linksTo(email)).toEqual([]);
});
