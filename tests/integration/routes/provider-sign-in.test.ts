import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { elements, htmlFaults, visibleText } from '#tests/support/html.ts';
import { CLIENT_SECRET, startProvider, type TestProvider } from '#tests/support/identity-provider.ts';
import { PASSWORD } from '#tests/support/people.ts';
import { storedIn } from './stored.ts';
import type { Answer, WebClient } from './web-client.ts';
import { signUp, useOwnWeb } from './web.ts';

const SITE = 'http://localhost:3000';
const AGREED = { ageVerification: 'on', agreeToTerms: 'on' };

let house: TestProvider;
beforeAll(async () => {
  house = await startProvider({ redirectUris: [`${SITE}/sign-in/oidc`] });
});
afterAll(() => house.stop());

const web = useOwnWeb(() => ({
  APP_URL: SITE,
  LOG_LEVEL: 'info',
  OIDC_ISSUER: house.issuer,
  OIDC_CLIENT_ID: 'vialbook',
  OIDC_CLIENT_SECRET: CLIENT_SECRET,
  OIDC_NAME: 'Our house',
  OIDC_ISSUER_2: 'http://127.0.0.1:9',
  OIDC_CLIENT_ID_2: 'vialbook',
  OIDC_NAME_2: '__proto__',
}));

/** The hidden fields of the form behind a button. */
function fieldsOf(html: string, action: string): Record<string, string> {
  const [form] = elements(html, `form[action="${action}"]`);
  const inputs = [...(form?.querySelectorAll('input[type=hidden]') ?? [])];
  return Object.fromEntries(
    inputs.map((input) => [input.getAttribute('name') ?? '', input.getAttribute('value') ?? '']),
  );
}

/** Presses the provider's button on a page, and opens the page that it leads to. */
async function press(client: WebClient, at: string, more: Record<string, string> = {}): Promise<Answer> {
  const fields = fieldsOf((await client.get(at)).body, '/sign-in/oidc');
  expect(Object.keys(fields), at).toContain('use');
  const answer = await client.post('/sign-in/oidc', { ...fields, ...more });
  expect([answer.status, answer.location]).toEqual([302, '/sign-in/oidc']);
  return client.get('/sign-in/oidc');
}

/** The address that a page sends the browser on to. */
function refreshOf(html: string): string {
  const [meta] = elements(html, 'meta[http-equiv=refresh]');
  const address = /^0;url=(.*)$/.exec(meta?.getAttribute('content') ?? '')?.[1] ?? '';
  // For browsers that do not go by themselves.
  expect(elements(html, 'main a').map((link) => link.getAttribute('href'))).toContain(address);
  return address;
}

/** The same up to the address that the provider sends the browser back to. */
async function pressAndVisit(client: WebClient, at: string): Promise<string> {
  const { pathname, search } = await house.visit(refreshOf((await press(client, at)).body));
  return `${pathname}${search}`;
}

/** Opens where a redirect leads. */
async function follow(client: WebClient, answer: Answer): Promise<Answer> {
  expect(answer.status, answer.body.slice(0, 200)).toBe(302);
  return client.get(answer.location ?? '');
}

/** Somebody new with an account that was created with the provider. */
async function newcomer(name: string): Promise<WebClient & { email: string }> {
  const email = `${name}@example.org`;
  await house.be(name, email);
  const client = web.visitor();
  const back = await client.get(await pressAndVisit(client, '/register'));
  const page = await follow(client, back);
  const fields = fieldsOf(page.body, '/sign-in/oidc');
  const created = await client.post('/sign-in/oidc', { ...fields, use: 'register', ...AGREED });
  expect([created.status, created.location]).toEqual([302, '/dashboard']);
  return Object.assign(client, { email });
}

describe('signing in with a provider, without scripts', () => {
  it('asks somebody new to agree, then opens the page they wanted', async () => {
    await house.be('nina', 'nina@example.org');
    const client = web.visitor();
    const back = await client.get(await pressAndVisit(client, '/login?redirectTo=%2Fdashboard%2Fvials'));
    const page = await follow(client, back);
    expect(back.location).toBe('/sign-in/oidc');
    expect(page.status).toBe(200);
    expect(htmlFaults(page.body)).toEqual([]);
    expect(visibleText(page.body)).toContain('nina@example.org');
    const fields = { use: 'register', redirectTo: '/dashboard/vials' };
    const refused = await client.post('/sign-in/oidc', fields);
    expect(refused.status).toBe(400);
    expect(visibleText(refused.body)).toContain('You must be 18 or older');
    expect(await storedIn(web.dataDir, 'users', { email: 'nina@example.org' })).toEqual([]);
    const created = await client.post('/sign-in/oidc', { ...fields, ...AGREED });
    expect([created.status, created.location]).toEqual([302, '/dashboard/vials']);
    expect((await client.get('/dashboard/vials')).status).toBe(200);
    const [user] = await storedIn(web.dataDir, 'users', { email: 'nina@example.org' });
    expect(user).toMatchObject({ emailConfirmedAt: expect.anything(), termsAcceptedAt: expect.anything() });
  });

  it('opens the account in another browser, and offers to sign out of the provider after signing out here', async () => {
    const { email } = await newcomer('otto');
    const client = web.visitor();
    const entered = await client.get(await pressAndVisit(client, '/login'));
    expect(entered.location).toBe('/dashboard');
    expect(visibleText((await client.get('/dashboard/profile')).body)).toContain(email);
    const login = await follow(client, await client.post('/logout'));
    expect((await client.get('/dashboard')).location).toContain('/login');
    expect(visibleText(login.body)).toContain('You may still be signed in at Our house.');
    await client.post('/sign-in/oidc', { use: 'sign-out' });
    const leaving = new URL(refreshOf((await client.get('/sign-in/oidc')).body));
    expect(leaving.origin).toBe(house.issuer);
    expect(leaving.searchParams.get('post_logout_redirect_uri')).toBe(`${SITE}/login`);
    expect(visibleText((await client.get('/login')).body)).not.toContain('You may still be signed in');
  });

  it('leads away only by a page, because browsers apply form-action to what follows a form', async () => {
    const client = web.visitor();
    const page = await press(client, '/login');
    expect(page.headers['content-security-policy']).toContain("form-action 'self';");
    expect(htmlFaults(page.body)).toEqual([]);
    expect(refreshOf(page.body)).toContain(house.issuer);
  });

  it('is refused once the answer was used, without the browser that began, and with a changed cookie', async () => {
    await newcomer('paul');
    const client = web.visitor();
    const back = await pressAndVisit(client, '/login');
    const stranger = await web.visitor().get(back);
    expect([stranger.status, stranger.location]).toEqual([302, '/login']);
    const cookie = client.cookies.get('vialbook_provider') ?? '';
    client.cookies.set('vialbook_provider', `x${cookie}`);
    expect((await client.get(back)).location).toBe('/login');
    client.cookies.set('vialbook_provider', cookie);
    expect((await client.get(back)).location).toBe('/dashboard');
    client.cookies.set('vialbook_provider', cookie);
    expect((await client.get(back)).location).toBe('/login');
  });

  it('says why it did not work, and other ways keep working', async () => {
    const client = web.visitor();
    const fields = { use: 'sign-in', redirectTo: '/dashboard/vials' };
    const answer = await client.post('/sign-in/oidc-2', fields);
    expect([answer.status, answer.location]).toEqual([302, '/login?redirectTo=%2Fdashboard%2Fvials']);
    const page = await client.get('/login');
    expect(visibleText(page.body)).toContain('__proto__ cannot be reached');
    await signUp(web.visitor(), 'quinn@example.org');
    const entered = await client.post('/login', { email: 'quinn@example.org', password: PASSWORD });
    expect(entered.location).toBe('/dashboard');
    for (const nobody of ['oidc-3', '__proto__', 'constructor', 'toString'])
      expect((await client.get(`/sign-in/${nobody}`)).status, nobody).toBe(404);
    expect((await client.get('/sign-in/oidc')).status).toBe(200);
  });

  it('is started by no other site', async () => {
    const client = web.visitor();
    const headers = { origin: 'https://elsewhere.example' };
    expect((await client.post('/sign-in/oidc', { use: 'sign-in' }, headers)).status).toBe(403);
    expect(client.cookies.size).toBe(0);
  });
});

describe('the sign-in of administrators', () => {
  it('offers the provider, which leads to the admin area', async () => {
    const { body } = await web.visitor().get('/admin/login');
    expect(fieldsOf(body, '/sign-in/oidc')).toEqual({ use: 'sign-in', redirectTo: '/admin/dashboard' });
  });
});

describe('the security page', () => {
  it('links and unlinks an account with a password', async () => {
    const client = await web.registered();
    await house.be('rosa', 'rosa@elsewhere.example');
    const linked = await client.get(await pressAndVisit(client, '/dashboard/profile/security'));
    expect(linked.location).toBe('/dashboard/profile/security');
    const page = await client.get('/dashboard/profile/security');
    expect(htmlFaults(page.body)).toEqual([]);
    expect(visibleText(page.body)).toContain('As rosa@elsewhere.example.');
    const at = /\/dashboard\/profile\/identities\/[^/]+\/remove/.exec(page.body)?.[0] ?? '';
    expect((await client.get(at)).status).toBe(200);
    expect((await client.post(at)).location).toBe('/dashboard/profile/security');
    expect(visibleText((await client.get('/dashboard/profile/security')).body)).not.toContain('As rosa@');
  });

  it('says that the only way in has to stay, until there is a password', async () => {
    const client = await newcomer('sven');
    const { body } = await client.get('/dashboard/profile/security');
    const at = /\/dashboard\/profile\/identities\/[^/]+\/remove/.exec(body)?.[0] ?? '';
    expect((await client.post(at)).status).toBe(409);
    const form = { password: PASSWORD, confirmPassword: PASSWORD };
    expect(visibleText((await client.get('/dashboard/profile/password')).body)).toContain('has no password');
    expect((await client.post('/dashboard/profile/password', form)).location).toBe(
      '/dashboard/profile/security',
    );
    expect((await client.post(at)).location).toBe('/dashboard/profile/security');
    const again = await web.visitor().post('/login', { email: client.email, password: PASSWORD });
    expect(again.location).toBe('/dashboard');
  });

  it('confirms at the provider who somebody is that has no password', async () => {
    const client = await newcomer('tove');
    const at = '/dashboard/profile/confirm?redirectTo=%2Fdashboard%2Fprofile%2Femail';
    const page = await client.get(at);
    expect(elements(page.body, 'input[type=password]')).toEqual([]);
    expect(htmlFaults(page.body)).toEqual([]);
    const confirmed = await client.get(await pressAndVisit(client, at));
    expect([confirmed.status, confirmed.location]).toEqual([302, '/dashboard/profile/email']);
    expect((await client.get('/dashboard/profile/email')).status).toBe(200);
  });
});

it('is logged without secrets', async () => {
  await newcomer('uwe');
  const client = web.visitor();
  const back = await pressAndVisit(client, '/login');
  const { searchParams } = new URL(back, SITE);
  await client.get(back);
  expect((await client.get('/dashboard')).status).toBe(200);
  const log = web.server.output();
  for (const secret of [
    CLIENT_SECRET,
    searchParams.get('code'),
    searchParams.get('state'),
    'uwe@example.org',
  ]) {
    expect(secret).toBeTruthy();
    expect(log).not.toContain(secret);
  }
});

describe('a server without passwords', () => {
  const plain = useOwnWeb(() => ({
    APP_URL: SITE,
    OIDC_ISSUER: house.issuer,
    OIDC_CLIENT_ID: 'vialbook',
    OIDC_CLIENT_SECRET: CLIENT_SECRET,
    OIDC_NAME: 'Our house',
    PASSWORD_SIGN_IN: 'off',
  }));

  it('shows no field for one, but to administrators', async () => {
    const client = plain.visitor();
    for (const at of ['/login', '/register', '/register?plan=trial']) {
      const { status, body } = await client.get(at);
      expect(status, at).toBe(200);
      expect(htmlFaults(body), at).toEqual([]);
      expect(
        elements(body, 'input[type=password], input[type=email], a[href="/forgot-password"]'),
        at,
      ).toEqual([]);
      expect(visibleText(body), at).toContain('Sign in with Our house');
    }
    expect(elements((await client.get('/admin/login')).body, 'input[type=password]')).toHaveLength(1);
    const form = {
      email: 'ulla@example.org',
      password: PASSWORD,
      confirmPassword: PASSWORD,
      agreeToTerms: 'on',
    };
    const registered = await client.post('/register', { ...form, ageVerification: 'on' });
    expect(registered.status).toBe(403);
    expect(visibleText(registered.body)).toContain('Passwords are not used on this server');
  });

  it('has no page to change one', async () => {
    await house.be('vera', 'vera@example.org');
    const client = plain.visitor();
    await follow(client, await client.get(await pressAndVisit(client, '/login')));
    const fields = { use: 'register', ...AGREED };
    expect((await client.post('/sign-in/oidc', fields)).location).toBe('/dashboard');
    const security = await client.get('/dashboard/profile/security');
    expect(security.status).toBe(200);
    expect(elements(security.body, 'a[href="/dashboard/profile/password"]')).toEqual([]);
    const page = await client.get('/dashboard/profile/password');
    expect(page.status).toBe(403);
    expect(visibleText(page.body)).toContain('Passwords are not used on this server');
  });
});
