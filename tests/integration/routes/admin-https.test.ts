import { expect, it } from 'vitest';
import { oneTimeCode } from '#app/integrations/one-time-codes.server.ts';
import { createAdmin } from '#app/features/admin/users/admin-accounts.server.ts';
import { openTestDatabase, TERMINAL, testConnection } from '#tests/support/database.ts';
import { PASSWORD } from '#tests/support/people.ts';
import { fieldError, visibleText } from '#tests/support/html.ts';
import type { WebClient, Answer } from './web-client.ts';
import { useOwnWeb } from './web.ts';

/** Decisions 14: on an https site administrators need a second factor. A proxy in front of the server terminates https. */
const APP_URL = 'https://vialbook.example.org';
const web = useOwnWeb({ APP_URL, BILLING: 'stripe', STRIPE_SECRET_KEY: 'sk_test_nobody' });
const SETUP = '/dashboard/profile/second-factor';
const CODE_PAGE = '/admin/login/code';
const SESSION = '__Host-vialbook_session';
let admins = 0;

/** The headers that a browser sends through the proxy. */
const from = { origin: APP_URL, host: 'vialbook.example.org' };
const post = (client: WebClient, path: string, fields: Record<string, string> = {}) =>
  client.post(path, fields, from);

/** Creates an administrator at the terminal. @param change applied to the stored account */
async function newAdmin(change?: object): Promise<string> {
  admins += 1;
  const email = `https-${admins}@example.org`;
  const database = await openTestDatabase({ directory: web.dataDir });
  try {
    const { id } = await createAdmin(database.ctx(TERMINAL), { email, password: PASSWORD, role: 'admin' });
    const users = testConnection(database).collection<{ _id: string }>('users');
    if (change) await users.updateOne({ _id: id }, change);
  } finally {
    await database.dispose();
  }
  return email;
}

/** The cookies that a response sets, with their attributes. */
function expectHttpsCookies({ setCookies }: Answer): void {
  expect(setCookies.length).toBeGreaterThan(0);
  for (const line of setCookies) {
    expect(line).toMatch(/; Secure/);
    expect(line).toMatch(/; HttpOnly/);
    expect(line).toMatch(/; SameSite=Lax/);
    expect(line).not.toMatch(/Domain=/i);
  }
}

async function setUp(client: WebClient): Promise<{ secret: string; codes: string[]; usedAt: number }> {
  expect((await post(client, SETUP, { intent: 'begin' })).location).toBe(SETUP);
  const { body } = await client.get(SETUP);
  const secret = /<code[^>]*>([A-Z2-7 ]+)<\/code>/.exec(body)?.[1]?.replaceAll(' ', '') ?? '';
  const usedAt = Date.now();
  const code = oneTimeCode(secret, new Date(usedAt));
  const confirmed = await post(client, SETUP, { intent: 'confirm', code });
  expect(confirmed.status).toBe(200);
  const codes = [...confirmed.body.matchAll(/<code>([0-9A-Z-]{19})<\/code>/g)].map(([, each = '']) => each);
  return { secret, codes, usedAt };
}

it.each([
  ['an administrator', undefined],
  ['one of an older version', { $unset: { secondFactorAt: '' } }],
])('%s without a second factor can only set one up', async (_, change) => {
  const email = await newAdmin(change);
  const client = web.visitor();
  const entered = await post(client, '/admin/login', { email, password: PASSWORD });
  expect([entered.status, entered.location]).toEqual([302, SETUP]);
  expectHttpsCookies(entered);
  expect(entered.setCookies.find((line) => line.startsWith(`${SESSION}=`))).toMatch(/; Path=\/;/);
  for (const path of ['', '/users', '/users/file', '/audit', '/subscriptions', '/system', '/system/report'])
    expect((await client.get(`/admin/dashboard${path}`)).location, path).toBe(SETUP);
  const sent = await post(client, '/admin/dashboard/system/actions?do=clear-cache', { reason: 'a try' });
  expect(sent.location).toBe(SETUP);
});

it('the admin sign-in asks for the code, and gives no session before it is correct', async () => {
  const email = await newAdmin();
  const first = web.visitor();
  await post(first, '/admin/login', { email, password: PASSWORD });
  const { secret, codes, usedAt } = await setUp(first);
  expect((await first.get('/admin/dashboard')).status).toBe(200);

  const browser = web.visitor();
  const target = '/admin/dashboard/audit?action=user.view';
  const asked = await post(browser, '/admin/login', { email, password: PASSWORD, redirectTo: target });
  expect(asked.location).toBe(`${CODE_PAGE}?redirectTo=${encodeURIComponent(target)}`);
  expectHttpsCookies(asked);
  expect(browser.cookies.has(SESSION)).toBe(false);
  expect((await browser.get('/admin/dashboard')).location).toContain('/admin/login?');
  const page = asked.location ?? '';
  expect(visibleText((await browser.get(page)).body)).toContain('code');
  for (const code of ['', '000000', oneTimeCode(secret, new Date(usedAt)), '{"$ne":""}']) {
    const refused = await post(browser, page, { code });
    expect([refused.status, browser.cookies.has(SESSION)], code).toEqual([400, false]);
    expect(fieldError(refused.body, 'code'), code).toEqual(expect.any(String));
  }
  const done = await post(browser, page, { code: codes[0] ?? '' });
  expect([done.status, done.location]).toEqual([302, target]);
  expectHttpsCookies(done);
  expect(done.setCookies.find((line) => line.startsWith(`${SESSION}=`))).toMatch(/; Path=\/;/);
  expect((await browser.get(target)).status).toBe(200);
  // The sign-in step is over: its cookie is gone, and the recovery code is used up.
  expect(browser.cookies.has('vialbook_step')).toBe(false);
  expect((await post(web.visitor(), page, { code: codes[1] ?? '' })).location).toBe('/admin/login');
});

it('the admin area accepts no session cookie without the https prefix, and none from another site', async () => {
  const email = await newAdmin();
  const client = web.visitor();
  await post(client, '/admin/login', { email, password: PASSWORD });
  await setUp(client);
  const session = client.cookies.get(SESSION) ?? '';
  const plain = web.visitor();
  plain.cookies.set('vialbook_session', session);
  expect((await plain.get('/admin/dashboard')).location).toContain('/admin/login?');
  const forged = web.visitor();
  forged.cookies.set(SESSION, `${session.slice(0, -6)}AAAAAA`);
  expect((await forged.get('/admin/dashboard')).location).toContain('/admin/login?');
  const away = await client.post('/admin/login/code', { code: '123456' }, { origin: 'https://evil.example' });
  expect(away.status).toBe(403);
});
