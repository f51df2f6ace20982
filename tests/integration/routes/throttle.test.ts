import { describe, expect, it } from 'vitest';
import { PASSWORD } from '#tests/support/people.ts';
import { visibleText } from '#tests/support/html.ts';
import type { Answer, WebClient } from './web-client.ts';
import { registerForm, signUp, useOwnWeb } from './web.ts';

/** The limit of an account as it is delivered; the wider ones at a fifth, to be quick. */
const ACCOUNT_LIMIT = 10;
const FIFTH = '0.2';
const CLIENT_LIMIT = 50 / 5;
const REGISTRATION_LIMIT = 60 / 5;
const DEMO_LIMIT = 20 / 5;

const guess = (client: WebClient, email: string, headers: Record<string, string> = {}) =>
  client.post('/login', { email, password: 'a-wrong-guess' }, headers);

function expectTooMany(answer: Answer): void {
  expect(answer.status).toBe(429);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(3600);
  expect(visibleText(answer.body)).toMatch(/Too many attempts\. Try again in \d+ (minutes|seconds)\./);
}

/** Guesses until the account is closed to strangers. */
async function closeAccount(attacker: WebClient, email: string): Promise<void> {
  for (let count = 0; count < ACCOUNT_LIMIT; count += 1)
    expect((await guess(attacker, email)).status, `guess ${count + 1}`).toBe(400);
  expectTooMany(await guess(attacker, email));
}

describe('password guesses for one account', () => {
  const web = useOwnWeb({ RATE_LIMIT_FACTOR: '1' });

  it('are blocked after ten, on the page and in its data, whatever address the client claims', async () => {
    const email = 'victim@example.org';
    await signUp(web.visitor(), email);
    const attacker = web.visitor();
    await closeAccount(attacker, email);
    expectTooMany(await guess(web.visitor(), email));
    // 15.3.4: a client that makes up where it comes from is the same client.
    expectTooMany(await guess(attacker, email, { 'x-forwarded-for': '198.51.100.7' }));
    expectTooMany(await guess(attacker, email, { forwarded: 'for=198.51.100.8' }));
    const data = await attacker.post('/login.data', { email, password: 'a-wrong-guess' });
    expect(data.status).toBe(429);
    expect(data.body).toMatch(/Too many attempts\. Try again in \d+ minutes\./);
    // Even the right password is not told apart while the account is closed to strangers.
    expectTooMany(await web.visitor().post('/login', { email, password: PASSWORD }));
  });

  it('never lock the owner out of a known browser', async () => {
    const email = 'owner@example.org';
    const owner = web.visitor();
    await signUp(owner, email);
    await owner.post('/logout');
    await closeAccount(web.visitor(), email);
    const back = await owner.post('/login', { email, password: PASSWORD });
    expect([back.status, back.location]).toEqual([302, '/dashboard']);
  });

  it('are also limited in a known browser', async () => {
    const email = 'stolen-laptop@example.org';
    const thief = web.visitor();
    await signUp(thief, email);
    await thief.post('/logout');
    await closeAccount(thief, email);
    // The owner elsewhere is not kept out by it.
    expect((await web.visitor().post('/login', { email, password: PASSWORD })).status).toBe(302);
  });

  it('are counted separately for each account, and successes do not count', async () => {
    const email = 'often@example.org';
    await signUp(web.visitor(), email);
    for (let count = 0; count < ACCOUNT_LIMIT + 3; count += 1)
      expect((await web.visitor().post('/login', { email, password: PASSWORD })).status).toBe(302);
  });
});

describe('one client', () => {
  const web = useOwnWeb({ RATE_LIMIT_FACTOR: FIFTH });

  it(`guesses passwords of ${CLIENT_LIMIT} accounts, whatever address it claims to have`, async () => {
    for (let count = 0; count < CLIENT_LIMIT; count += 1) {
      const headers = { 'x-forwarded-for': `198.51.100.${count}` };
      expect((await guess(web.visitor(), `nobody-${count}@example.org`, headers)).status).toBe(400);
    }
    expectTooMany(await guess(web.visitor(), 'one-more@example.org', { 'x-forwarded-for': '203.0.113.9' }));
  });

  it(`registers ${REGISTRATION_LIMIT} times an hour`, async () => {
    for (let count = 0; count < REGISTRATION_LIMIT; count += 1) {
      const answer = await web.visitor().post('/register', registerForm(`many-${count}@example.org`));
      expect(answer.status, `registration ${count + 1}`).toBe(302);
    }
    expectTooMany(await web.visitor().post('/register', registerForm('too-many@example.org')));
  });

  it(`leaves ${DEMO_LIMIT} addresses an hour at the demo form`, async () => {
    for (let count = 0; count < DEMO_LIMIT; count += 1)
      expect((await web.visitor().post('/?index', { email: `d${count}@example.org` })).status).toBe(200);
    expectTooMany(await web.visitor().post('/?index', { email: 'more@example.org' }));
  });
});

describe('behind a trusted proxy', () => {
  const web = useOwnWeb({ RATE_LIMIT_FACTOR: FIFTH, TRUST_PROXY: '1' });

  it('the address reported by the proxy counts, not those the client put before it', async () => {
    for (let count = 0; count < CLIENT_LIMIT; count += 1) {
      const headers = { 'x-forwarded-for': `10.0.0.${count}, 198.51.100.1` };
      expect((await guess(web.visitor(), `nobody-${count}@example.org`, headers)).status).toBe(400);
    }
    const same = { 'x-forwarded-for': '10.9.9.9, 198.51.100.1' };
    expectTooMany(await guess(web.visitor(), 'someone@example.org', same));
    const other = { 'x-forwarded-for': '198.51.100.1, 198.51.100.2' };
    expect((await guess(web.visitor(), 'someone@example.org', other)).status).toBe(400);
  });
});
