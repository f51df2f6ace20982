import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  askForPasswordReset,
  checkResetLink,
  resetPassword,
} from '#app/features/accounts/password-change.server.ts';
import { resolveSession } from '#app/features/accounts/sessions.server.ts';
import { signIn } from '#app/features/accounts/sign-in.server.ts';
import { openTestDatabase, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { newPerson, PASSWORD } from '#tests/support/people.ts';

let db: TestDatabase;
const commands: string[] = [];
beforeAll(async () => {
  db = await openTestDatabase({ env: { APP_URL: 'https://vialbook.example' }, monitorCommands: true });
  const client = testConnection(db).getClient();
  client.on('commandStarted', ({ commandName, command }) =>
    commands.push(`${commandName} ${String(command[commandName])}`),
  );
});
afterAll(() => db.dispose());

const NEXT = 'green-lamp-82';
const next = { password: NEXT, confirmPassword: NEXT };
const ask = (email: string, address = '192.0.2.1') =>
  codeOf(askForPasswordReset(db.ctx(undefined, { address }), { email }));

/** The secret in the last mail to an address. */
async function mailedToken(email: string): Promise<string> {
  const mail = (await db.mails()).filter(({ to }) => to === email).at(-1);
  return /\/reset-password\/([A-Za-z0-9_-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
}

async function personWithLink(email: string) {
  const person = await newPerson(db, email);
  expect(await ask(email)).toBe('done');
  return { ...person, token: await mailedToken(email) };
}

describe('requesting a password reset link', () => {
  it('mails a link to this site’s configured address, and stores only its hash', async () => {
    const { token, email } = await personWithLink('asks@example.org');
    const mail = (await db.mails()).find(({ to }) => to === email);
    expect(mail?.text).toContain(`https://vialbook.example/reset-password/${token}`);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    const rows = await testConnection(db).collection('one_time_secrets').find().toArray();
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('does the same work for an unknown address, but sends nothing', async () => {
    await newPerson(db, 'known@example.org');
    const asked = async (email: string) => {
      // Earlier mails are on their way in the background.
      await db.mails();
      commands.length = 0;
      return [await ask(email), ...commands];
    };
    const known = await asked('known@example.org');
    expect(known.length).toBeGreaterThan(4);
    expect(await asked('unknown@example.org')).toEqual(known);
    expect((await db.mails()).filter(({ to }) => to === 'unknown@example.org')).toEqual([]);
  });

  it('is throttled: 5 per address and 30 per client an hour, known or not', async () => {
    await newPerson(db, 'flooded@example.org');
    for (const email of ['flooded@example.org', 'flooded-unknown@example.org']) {
      const answers: string[] = [];
      for (let count = 0; count < 6; count += 1) answers.push(await ask(email, `198.51.100.${count}`));
      expect(answers).toEqual([...new Array<string>(5).fill('done'), 'RATE_LIMITED']);
    }
    const answers: string[] = [];
    for (let count = 0; count < 31; count += 1)
      answers.push(await ask(`many-${count}@example.org`, '203.0.113.99'));
    expect(answers.filter((answer) => answer === 'done')).toHaveLength(30);
    db.clock.advance(3_600_000);
    expect(await ask('flooded@example.org', '203.0.113.99')).toBe('done');
  });

  it.each(['', 'nobody', 'a@b', 'a@b.cd\r\nBcc: c@d.ef', '{"$gt":""}'])('refuses %j', async (email) => {
    expect(await ask(email)).toBe('INVALID_INPUT');
  });
});

describe('a password reset link', () => {
  it('sets the password once, ends every session, and sends a mail', async () => {
    const { token, email, signedIn } = await personWithLink('resets@example.org');
    await resetPassword(db.ctx(), token, next);
    expect(await resolveSession(db.ctx(), signedIn.token)).toBeNull();
    expect(await codeOf(signIn(db.ctx(), { email, password: PASSWORD }))).toBe('INVALID_CREDENTIALS');
    expect(await codeOf(signIn(db.ctx(), { email, password: NEXT }))).toBe('done');
    expect(await codeOf(resetPassword(db.ctx(), token, next))).toBe('NOT_FOUND');
    const mails = (await db.mails()).filter(({ to }) => to === email);
    expect(mails.at(-1)?.subject).toBe('Your Vialbook password was changed');
    expect(await db.repos.audit.listAbout(signedIn.user.id, 5)).toMatchObject([
      { action: 'account.reset-password', actor: 'visitor' },
    ]);
  });

  it('works for only one of ten at once', async () => {
    const { token } = await personWithLink('race@example.org');
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () => codeOf(resetPassword(db.ctx(), token, next))),
    );
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
  });

  it('works for 30 minutes', async () => {
    const { token } = await personWithLink('late@example.org');
    db.clock.advance(30 * 60_000 - 1000);
    expect(await codeOf(checkResetLink(db.ctx(), token))).toBe('done');
    db.clock.advance(1000);
    expect(await codeOf(checkResetLink(db.ctx(), token))).toBe('NOT_FOUND');
    expect(await codeOf(resetPassword(db.ctx(), token, next))).toBe('NOT_FOUND');
  });

  it('stops working when another one was used or the password was changed', async () => {
    const { token, email } = await personWithLink('two@example.org');
    expect(await ask(email)).toBe('done');
    const second = await mailedToken(email);
    expect(second).not.toBe(token);
    await resetPassword(db.ctx(), second, next);
    expect(await codeOf(checkResetLink(db.ctx(), token))).toBe('NOT_FOUND');
  });

  it('still works after a refused password', async () => {
    const { token, email } = await personWithLink('mistyped@example.org');
    for (const [password, confirmPassword] of [
      ['12345', '12345'],
      [NEXT, 'other'],
      ['password123', 'password123'],
      ['x'.repeat(10_000), 'x'.repeat(10_000)],
    ] as const) {
      expect(await codeOf(resetPassword(db.ctx(), token, { password, confirmPassword }))).toBe(
        'INVALID_INPUT',
      );
    }
    await resetPassword(db.ctx(), token, next);
    expect(await codeOf(signIn(db.ctx(), { email, password: NEXT }))).toBe('done');
  });

  it.each(['', 'x', 'x'.repeat(43), '../../etc/passwd', '{"$gt":""}'])('is not %j', async (token) => {
    expect(await codeOf(resetPassword(db.ctx(), token, next))).toBe('NOT_FOUND');
  });

  it('does not work as a session token, nor a session token as a link', async () => {
    const { token, signedIn } = await personWithLink('foreign@example.org');
    expect(await resolveSession(db.ctx(), token)).toBeNull();
    expect(await codeOf(checkResetLink(db.ctx(), signedIn.token))).toBe('NOT_FOUND');
  });
});
