import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expectSecurityHeaders } from './answers.ts';
import { startServer } from '#tests/support/server.ts';
import { signUp, useWeb } from './web.ts';
import { WebClient, type Answer } from './web-client.ts';

const web = useWeb();

const FORM = 'application/x-www-form-urlencoded';
describe('the headers of every answer', () => {
  // Those of every page and its data, to everyone, are checked where they are opened: access.test.ts.
  it('of files, whatever their status', async () => {
    const assets = readdirSync('build/client/assets').map((name) => `/assets/${name}`);
    const types = new Map(assets.map((path) => [path.split('.').at(-1), path]));
    for (const path of [...types.values(), '/favicon.ico', '/favicon.svg', '/assets/none.js', '/robots.txt'])
      expectSecurityHeaders(await web.visitor().get(path), path);
    const [script = ''] = assets.filter((path) => path.endsWith('.js'));
    const { headers } = await web.visitor().get(script);
    const notModified = await web.visitor().get(script, { 'if-none-match': String(headers.etag) });
    expect(notModified.status).toBe(304);
    expectSecurityHeaders(notModified, script);
    expectSecurityHeaders(await web.visitor().get(script, { range: 'bytes=0-10' }), script);
  });

  it('of refusals', async () => {
    const client = await web.user();
    const answers: [number, () => Promise<Answer>][] = [
      [400, () => client.get('/%zz')],
      [400, () => client.get('/', { host: 'a b' })],
      [403, () => client.request('/logout', { method: 'POST', body: '' })],
      [403, () => client.get('/dashboard/tracking')],
      [404, () => client.get('/nowhere')],
      [404, () => client.get('/dashboard/calculations/none/delete')],
      [405, () => client.request('/login', { method: 'DELETE' })],
      [413, () => client.send('/login', 'a'.repeat(2_000_000), FORM)],
      [415, () => web.visitor().send('/login', '{}', 'application/json')],
      [404, () => client.get('/nowhere.data')],
    ];
    for (const [status, ask] of answers) {
      const answer = await ask();
      expect(answer.status).toBe(status);
      expectSecurityHeaders(answer, String(status));
    }
  });

  it('allow only the scripts of this answer', async () => {
    for (const path of ['/', '/calculator', '/login', '/nowhere', '/terms']) {
      const [first, second] = [await web.visitor().get(path), await web.visitor().get(path)];
      const nonceOf = ({ headers }: Answer) =>
        /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1] ?? '';
      expect(nonceOf(first), path).not.toBe(nonceOf(second));
      const scripts = [...first.body.matchAll(/<script\b([^>]*)>/g)].map(([, attributes = '']) => attributes);
      expect(scripts.length, path).toBeGreaterThan(0);
      for (const attributes of scripts) expect(attributes, path).toContain(`nonce="${nonceOf(first)}"`);
      expect(first.body, path).not.toMatch(/\son[a-z]+="|\sstyle="|<style/);
    }
  });
});

describe('caching', () => {
  // That nothing a signed-in user sees is cached is in access.test.ts, too.
  it('public pages are cached only by the reader’s browser', async () => {
    for (const path of ['/', '/calculator', '/login', '/terms', '/nowhere']) {
      const { headers } = await web.visitor().get(path);
      expect(headers['cache-control'], path).toBe('private, no-cache');
      expect(headers.vary, path).toMatch(/accept-encoding/i);
    }
  });

  it('files with a hash in their name are cached for ever, others are revalidated', async () => {
    const [asset = ''] = readdirSync('build/client/assets').filter((name) => name.endsWith('.js'));
    const hashed = await web.visitor().get(`/assets/${asset}`);
    expect(hashed.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const icon = await web.visitor().get('/favicon.ico');
    expect(icon.headers['cache-control']).toBe('public, max-age=0, must-revalidate');
    const missing = await web.visitor().get('/assets/none.js');
    expect(String(missing.headers['cache-control'])).not.toContain('immutable');
  });
});

describe('on https', () => {
  it('cookies are bound to the host, and the browser is told to stay on https', async () => {
    const server = await startServer({
      env: { APP_URL: 'https://vialbook.example.org', RATE_LIMIT_FACTOR: '100', BILLING: 'off' },
    });
    try {
      const client = new WebClient(server.url);
      const answer = await signUp(client, 'https@example.org', {});
      expect(answer.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
      expect(String(answer.headers['content-security-policy'])).toContain('upgrade-insecure-requests');
      const session = answer.setCookies.find((line) => line.includes('vialbook_session='));
      expect(session).toMatch(/^__Host-vialbook_session=/);
      expect(answer.setCookies.length).toBeGreaterThan(1);
      for (const line of answer.setCookies) expect(line, '27').toMatch(/^__Host-[^;]+;.*; Secure/);
      expect(session).toMatch(/; Path=\/;/);
      expect(session).not.toMatch(/Domain=/i);
      expect((await client.get('/dashboard')).status).toBe(200);
    } finally {
      expect(await server.stop()).toBe(0);
    }
  });
});

describe('a secret address', () => {
  const SECRET = 'a-secret-that-nobody-may-keep';

  it.each([
    ['/share/', 'no-referrer'],
    ['/SHARE/', 'no-referrer'],
    ['/%73hare/', 'no-referrer'],
    ['//share/', 'no-referrer'],
    ['/calendar/', 'no-referrer'],
    ['/Calendar/', 'no-referrer'],
    ['/act/', 'same-origin'],
    ['/%61ct/', 'same-origin'],
    ['/reset-password/', 'same-origin'],
    ['/Reset%2dPassword/', 'same-origin'],
    ['/confirm-email/', 'same-origin'],
  ])('under %s is kept nowhere and passed on to nobody, in any spelling', async (folder, policy) => {
    const { headers } = await web.visitor().get(`${folder}${SECRET}`);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['referrer-policy']).toBe(policy);
    expect(headers['x-robots-tag']).toBe('noindex, nofollow');
    expect(web.server.output()).not.toContain(SECRET);
  });
});
