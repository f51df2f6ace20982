import { describe, expect, it } from 'vitest';
import { PASSWORD } from '#tests/support/people.ts';
import { alerts, control } from '#tests/support/html.ts';
import type { Answer, WebClient } from './web-client.ts';
import { calculationForm, signUp, useWeb } from './web.ts';

const web = useWeb();

const signIn = (client: WebClient, email: string, password = PASSWORD, more = {}) =>
  client.post('/login', { email, password, ...more });

/** An answer without what differs by design: its nonce, its id, the address that was typed. */
function bare({ status, body, headers }: Answer, email: string): unknown {
  const nonce = /nonce-([\w-]+)/.exec(String(headers['content-security-policy']))?.[1] ?? '';
  const { date: _date, ...rest } = headers;
  const same = (text: string) => text.replaceAll(nonce, 'NONCE').replaceAll(email, 'EMAIL');
  return {
    status,
    body: same(body),
    headers: { ...rest, 'content-security-policy': '', 'x-request-id': '' },
  };
}

describe('an unknown address and a wrong password are indistinguishable', () => {
  it('in status, headers and body', async () => {
    const known = 'known@example.org';
    await signUp(web.visitor(), known);
    const unknown = 'other@example.org';
    const [wrong, nobody] = [
      await signIn(web.visitor(), known, 'not-the-password'),
      await signIn(web.visitor(), unknown, 'not-the-password'),
    ];
    expect(wrong.status).toBe(400);
    expect(alerts(wrong.body)).toEqual(['Invalid email or password']);
    expect(bare(wrong, known)).toEqual(bare(nobody, unknown));
  });

  it('also for scripts', async () => {
    const known = 'know2@example.org';
    await signUp(web.visitor(), known);
    const fields = (email: string) => ({ email, password: 'not-the-password' });
    const wrong = await web.visitor().post('/login.data', fields(known));
    const nobody = await web.visitor().post('/login.data', fields('other@example.org'));
    expect(wrong.status).toBe(400);
    expect(bare(wrong, known)).toEqual(bare(nobody, 'other@example.org'));
  });

  it('and the address is accepted in any letter case and with spaces around it', async () => {
    await signUp(web.visitor(), 'case@example.org');
    expect((await signIn(web.visitor(), ' Case@Example.ORG ')).status).toBe(302);
  });
});

/** The attributes of the session cookie in an answer. */
function sessionCookie({ setCookies }: Answer) {
  const line = setCookies.find((cookie) => /^(__Host-)?vialbook_session=/.test(cookie)) ?? '';
  const [pair = '', ...attributes] = line.split(/;\s*/);
  return { value: pair.split('=')[1] ?? '', attributes: attributes.map((text) => text.toLowerCase()) };
}

describe('a browser that stores no cookies', () => {
  const to = '/login?redirectTo=%2Fdashboard';
  const words = 'You are not signed in because your browser blocks cookies';

  it('is told why it must sign in again', async () => {
    const client = await web.user();
    const answer = await signIn(client, client.email);
    client.cookies.clear();
    const referer = `${web.url}/login`;
    const next = await client.get(answer.location ?? '', { referer });
    expect(next.location).toBe(to);
    expect((await client.get(next.location ?? '', { referer })).body).toContain(words);
  });

  it.each([undefined, 'https://elsewhere.example/', '/dashboard', 'no address'])(
    'and nobody else does, coming from %s',
    async (from) => {
      const referer = from?.startsWith('/') ? `${web.url}${from}` : from;
      const { status, body } = await web.visitor().get(to, referer ? { referer } : {});
      expect([status, body.includes(words)]).toEqual([200, false]);
    },
  );
});

describe('7.2 to 7.4: the session', () => {
  it('3.3.1 to 3.3.4: has a cookie for this site only, which scripts cannot read', async () => {
    const answer = await signUp(web.visitor(), 'flags@example.org');
    const { attributes } = sessionCookie(answer);
    expect(attributes.toSorted()).toEqual(['httponly', 'path=/', 'samesite=lax']);
    const remembered = await signIn(web.visitor(), 'flags@example.org', PASSWORD, { remember: 'on' });
    expect(sessionCookie(remembered).attributes).toContain(`max-age=${30 * 86_400}`);
    for (const cookie of [...answer.setCookies, ...remembered.setCookies])
      expect(cookie.toLowerCase()).toMatch(/httponly.*samesite=lax|samesite=lax.*httponly/);
  });

  it('is 256 random bits without meaning, and unique', async () => {
    const seen = new Set<string>();
    for (let count = 0; count < 5; count += 1) {
      const answer = await signUp(web.visitor(), `random-${count}@example.org`);
      const raw = decodeURIComponent(sessionCookie(answer).value);
      const token = String(JSON.parse(Buffer.from(raw, 'base64').toString('utf8')));
      expect(token).toMatch(/^[\w-]{43}$/);
      seen.add(token);
    }
    expect(seen.size).toBe(5);
  });

  it('is replaced at each sign-in, which ends the old token but keeps its data', async () => {
    const client = await web.user();
    await client.post('/dashboard/calculator', calculationForm({ peptideName: 'Carried over' }));
    const old = `vialbook_session=${client.cookies.get('vialbook_session')}`;
    expect((await web.visitor().get('/dashboard', { cookie: old })).status).toBe(200);
    expect((await signIn(client, client.email)).status).toBe(302);
    expect((await web.visitor().get('/dashboard', { cookie: old })).status).toBe(302);
    expect((await client.get('/dashboard/calculator?history=1')).body).toContain('Carried over');
  });

  it('ends when someone else signs in with the same browser', async () => {
    const [first, second] = [await web.user(), await web.user()];
    const old = `vialbook_session=${first.cookies.get('vialbook_session')}`;
    expect((await signIn(first, second.email)).status).toBe(302);
    expect((await first.get('/dashboard')).body).toContain(second.email);
    expect((await web.visitor().get('/dashboard', { cookie: old })).status).toBe(302);
  });

  it('is never taken over from a forged token', async () => {
    const client = web.visitor();
    const planted = Buffer.from(JSON.stringify('A'.repeat(43))).toString('base64');
    client.cookies.set('vialbook_session', planted);
    await signUp(client, 'planted@example.org');
    expect(client.cookies.get('vialbook_session')).not.toBe(planted);
    const cookie = `vialbook_session=${planted}`;
    expect((await web.visitor().get('/dashboard', { cookie })).status).toBe(302);
  });

  it('ends at sign-out, even for copies of its cookie', async () => {
    const client = await web.user();
    const copy = web.visitor();
    copy.cookies.set('vialbook_session', client.cookies.get('vialbook_session') ?? '');
    expect((await copy.get('/dashboard')).status).toBe(200);
    const out = await client.post('/logout');
    expect([out.status, out.location]).toEqual([302, '/login']);
    expect(client.cookies.has('vialbook_session')).toBe(false);
    expect((await copy.get('/dashboard')).location).toBe('/login?redirectTo=%2Fdashboard');
    expect((await copy.post('/dashboard/calculator', calculationForm())).location).toContain('/login');
    expect((await copy.get('/dashboard/export/file?format=csv&types=calculations')).status).toBe(302);
  });

  it('continues in other browsers after a sign-out', async () => {
    const client = await web.user();
    const other = web.visitor();
    await signIn(other, client.email);
    await client.post('/logout');
    expect((await other.get('/dashboard')).status).toBe(200);
  });

  it('tells the browser to clear its data at sign-out', async () => {
    const client = await web.user();
    const { headers } = await client.post('/logout');
    expect(headers['clear-site-data']).toBe('"cache", "storage"');
  });

  it.each(['/login', '/login.data'])(
    '%s tells a browser last used by someone else to clear its data and reload the page',
    async (path) => {
      const [first, second] = [await web.user(), await web.user()];
      // Not signed out: the session ran out, the device stayed.
      first.cookies.delete('vialbook_session');
      const { headers } = await first.post(path, { email: second.email, password: PASSWORD });
      expect(headers['clear-site-data']).toBe('"cache", "storage"');
      if (path === '/login') expect(headers['x-remix-reload-document']).toBe('true');
      const back = await signIn(first, first.email);
      expect(back.headers['clear-site-data']).toBe('"cache", "storage"');
    },
  );

  it('tells the browser to clear its data also at registration and with a forged device token', async () => {
    const browser = await web.user();
    browser.cookies.delete('vialbook_session');
    const answer = await signUp(browser, 'after-somebody@example.org');
    expect(answer.headers['clear-site-data']).toBe('"cache", "storage"');
    browser.cookies.set('vialbook_device', Buffer.from('"made.up"').toString('base64'));
    const again = await signIn(browser, 'after-somebody@example.org');
    expect(again.headers['clear-site-data']).toBe('"cache", "storage"');
  });

  it('keeps the same user’s data on the device, and clears nothing in a new browser', async () => {
    const client = await web.user();
    client.cookies.delete('vialbook_session');
    const again = await signIn(client, client.email);
    const fresh = await signIn(web.visitor(), client.email);
    for (const { status, headers } of [again, fresh])
      expect([status, headers['clear-site-data'], headers['x-remix-reload-document']]).toEqual([
        302,
        undefined,
        undefined,
      ]);
  });
});

describe('the page after sign-in', () => {
  const EVIL = [
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/%2fevil.example',
    '/%5cevil.example',
    '%2f%2fevil.example',
    'https://evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    '/\t/evil.example',
    '/\n/evil.example',
    '\u0000//evil.example',
    ' //evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/dashboard/..//evil.example',
    '@evil.example',
    '.evil.example',
    '/%',
    `/${'a'.repeat(5000)}`,
  ];
  const own = /^\/(?![/\\])[\w/?=&%#.-]*$/;

  it('is a path of this site, whatever was requested', async () => {
    await signUp(web.visitor(), 'redirect@example.org');
    for (const redirectTo of EVIL) {
      const client = web.visitor();
      const answer = await signIn(client, 'redirect@example.org', PASSWORD, { redirectTo });
      expect([answer.status, answer.location], redirectTo).toEqual([302, '/dashboard']);
    }
  });

  it('is checked for scripts, for registrations and in the form itself too', async () => {
    for (const [index, redirectTo] of EVIL.entries()) {
      const query = `redirectTo=${encodeURIComponent(redirectTo)}`;
      const page = await web.visitor().get(`/login?${query}`);
      expect(page.status, redirectTo).toBe(200);
      const hidden = /name="redirectTo" value="([^"]*)"/.exec(page.body)?.[1] ?? '/dashboard';
      expect(hidden, redirectTo).toBe('/dashboard');
      if (index % 4 !== 0) continue;
      const email = `redirect-${index}@example.org`;
      const registered = await signUp(web.visitor(), email, { redirectTo });
      expect(registered.location, redirectTo).toBe('/dashboard');
      const data = await web.visitor().post('/login.data', { email, password: PASSWORD, redirectTo });
      expect(data.status).toBe(202);
      expect(data.body, redirectTo).not.toContain('evil');
    }
  });

  it('is the requested page if it is on this site', async () => {
    await signUp(web.visitor(), 'welcome-back@example.org');
    const asked = '/dashboard/calculator?peptideAmount=5&waterVolume=2&desiredDose=0.25';
    const { location } = await web.visitor().get(asked);
    const redirectTo = new URLSearchParams(location?.split('?')[1]).get('redirectTo') ?? '';
    expect(redirectTo).toBe(asked);
    const answer = await signIn(web.visitor(), 'welcome-back@example.org', PASSWORD, { redirectTo });
    expect(answer.location).toBe(asked);
    expect(answer.location).toMatch(own);
  });

  it('is never on another site through a path that looks like a host', async () => {
    for (const path of [
      '//evil.example',
      '//evil.example/dashboard',
      '/\\evil.example/..',
      '//evil.example%2f..',
    ]) {
      const answer = await web.visitor().get(path);
      expect(answer.location ?? '/', path).toMatch(own);
    }
    const deep = await web.visitor().get('/dashboard//evil.example');
    expect(deep.location ?? '/').toMatch(own);
  });
});

describe('the address of whoever asked to be remembered', () => {
  const atTheDoor = async (client: WebClient) => {
    const { body } = await client.get('/login');
    return [control(body, 'email')?.['value'] ?? '', control(body, 'remember')?.['checked'] !== undefined];
  };

  it('is filled in when the session has ended, until they sign out', async () => {
    const client = await web.user();
    await client.post('/logout');
    expect(await atTheDoor(client)).toEqual(['', false]);
    expect((await signIn(client, client.email, PASSWORD, { remember: 'on' })).status).toBe(302);
    client.cookies.delete('vialbook_session');
    expect(await atTheDoor(client)).toEqual([client.email, true]);
    const refused = await signIn(client, 'other@example.org', 'not-the-password');
    expect(control(refused.body, 'email')?.['value']).toBe('other@example.org');
    await signIn(client, client.email, PASSWORD, { remember: 'on' });
    await client.post('/logout');
    expect(await atTheDoor(client)).toEqual(['', false]);
  });

  it('is forgotten when somebody signs in without asking for it', async () => {
    const client = await web.user();
    await signIn(client, client.email, PASSWORD, { remember: 'on' });
    await signIn(client, client.email);
    client.cookies.delete('vialbook_session');
    expect(await atTheDoor(client)).toEqual(['', false]);
  });

  it('is not shown if it is longer than an address', async () => {
    const client = web.visitor();
    client.cookies.set('vialbook_email', btoa(JSON.stringify(`${'a'.repeat(300)}@example.org`)));
    expect(await atTheDoor(client)).toEqual(['', false]);
  });
});
