import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getAccount } from '#app/features/accounts/profile.server.ts';
import { register } from '#app/features/accounts/registration.server.ts';
import {
  askForEmailChange,
  checkEmailLink,
  confirmEmail,
} from '#app/features/accounts/email-change.server.ts';
import { askForPasswordReset, checkResetLink } from '#app/features/accounts/password-change.server.ts';
import { signIn } from '#app/features/accounts/sign-in.server.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { ctxOfToken, newPerson, PASSWORD, registration } from '#tests/support/people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

const mailsTo = async (email: string) => (await db.mails()).filter(({ to }) => to === email);
const tokenIn = (text = '') => /\/(?:confirm-email|reset-password)\/([A-Za-z0-9_-]+)/.exec(text)?.[1] ?? '';

async function asked(from: string, to: string) {
  const person = await newPerson(db, from);
  await askForEmailChange(person.ctx, { email: to });
  return { ...person, token: tokenIn((await mailsTo(to.trim().toLowerCase())).at(-1)?.text) };
}

describe('changing the address', () => {
  it('takes effect when the link to the new address is used, and not before', async () => {
    const { ctx, token } = await asked('old@example.org', ' New@Example.org ');
    expect(await codeOf(checkEmailLink(db.ctx(), token))).toBe('done');
    expect((await getAccount(ctx)).email).toBe('old@example.org');
    await confirmEmail(db.ctx(), token);
    expect((await getAccount(ctx)).email).toBe('new@example.org');
    expect(await codeOf(signIn(db.ctx(), { email: 'new@example.org', password: PASSWORD }))).toBe('done');
    expect(await codeOf(signIn(db.ctx(), { email: 'old@example.org', password: PASSWORD }))).toBe(
      'INVALID_CREDENTIALS',
    );
    expect((await mailsTo('old@example.org')).map(({ subject }) => subject)).toEqual([
      'Someone asked to change the email address of your Vialbook account',
      'The email address of your Vialbook account was changed',
    ]);
    expect(await codeOf(confirmEmail(db.ctx(), token))).toBe('NOT_FOUND');
    expect(await codeOf(register(db.ctx(), registration('old@example.org')))).toBe('done');
  });

  it('needs a recent sign-in', async () => {
    const { signedIn } = await newPerson(db, 'stale@example.org');
    db.clock.advance(15 * 60_000);
    const ctx = await ctxOfToken(db, signedIn.token);
    expect(await codeOf(askForEmailChange(ctx, { email: 'other@example.org' }))).toBe(
      'RECENT_SIGN_IN_REQUIRED',
    );
  });

  it('answers a taken address like any other, and sends it nothing', async () => {
    await newPerson(db, 'taken@example.org');
    const { ctx } = await asked('curious@example.org', 'taken@example.org');
    expect(await mailsTo('taken@example.org')).toEqual([]);
    expect((await getAccount(ctx)).email).toBe('curious@example.org');
  });

  it('fails if another account took the address meanwhile', async () => {
    const { ctx, token } = await asked('slow@example.org', 'wanted@example.org');
    const quick = await newPerson(db, 'wanted@example.org');
    expect(await codeOf(confirmEmail(db.ctx(), token))).toBe('NOT_FOUND');
    expect((await getAccount(ctx)).email).toBe('slow@example.org');
    expect((await getAccount(quick.ctx)).email).toBe('wanted@example.org');
    expect(await codeOf(signIn(db.ctx(), { email: 'slow@example.org', password: PASSWORD }))).toBe('done');
  });

  it('gives an address to only one of five accounts that confirm at once', async () => {
    const people = [];
    for (let index = 0; index < 5; index += 1)
      people.push(await asked(`five-${index}@example.org`, 'one@example.org'));
    const outcomes = await Promise.all(people.map(({ token }) => codeOf(confirmEmail(db.ctx(), token))));
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
    const emails = await Promise.all(people.map(async ({ ctx }) => (await getAccount(ctx)).email));
    expect(emails.filter((email) => email === 'one@example.org')).toHaveLength(1);
  });

  it('invalidates links sent to the old address', async () => {
    const { email, token } = await asked('lost-box@example.org', 'found-box@example.org');
    await askForPasswordReset(db.ctx(undefined, { address: '198.51.100.7' }), { email });
    const reset = tokenIn((await mailsTo(email)).at(-1)?.text);
    expect(await codeOf(checkResetLink(db.ctx(), reset))).toBe('done');
    await confirmEmail(db.ctx(), token);
    expect(await codeOf(checkResetLink(db.ctx(), reset))).toBe('NOT_FOUND');
  });

  it('must be confirmed within an hour, and is throttled', async () => {
    const { ctx, token } = await asked('hour@example.org', 'hour-2@example.org');
    const outcomes: string[] = [];
    for (let count = 0; count < 5; count += 1)
      outcomes.push(await codeOf(askForEmailChange(ctx, { email: `hour-${count}x@example.org` })));
    expect(outcomes).toEqual(['done', 'done', 'done', 'done', 'RATE_LIMITED']);
    db.clock.advance(3_600_000);
    expect(await codeOf(confirmEmail(db.ctx(), token))).toBe('NOT_FOUND');
  });

  it.each(['', 'x', 'a@b', 'same@example.org', 'a@b.cd\r\nBcc: c@d.ef'])('refuses %j', async (email) => {
    const person = await newPerson(db, 'same@example.org').catch(async () => {
      const { token } = await signIn(db.ctx(), { email: 'same@example.org', password: PASSWORD });
      return { ctx: await ctxOfToken(db, token) };
    });
    expect(await codeOf(askForEmailChange(person.ctx, { email }))).toBe('INVALID_INPUT');
  });
});
