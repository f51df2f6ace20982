import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAX_BODY_BYTES } from '#app/platform/http/request-rules.ts';
import { expectSecurityHeaders } from '#tests/integration/routes/answers.ts';
import { calculationForm, signUp } from '#tests/integration/routes/web.ts';
import { encodeForm, WebClient } from '#tests/integration/routes/web-client.ts';
import { STOCK, startServer, type RunningServer } from '#tests/support/server.ts';

/** The build behind the stock server, which provides no context, headers or limits. */
let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ command: STOCK, env: { LOG_LEVEL: 'info', RATE_LIMIT_FACTOR: '1000' } });
});
afterAll(() => server.stop('SIGKILL'));

const visitor = () => new WebClient(server.url);

async function signedIn(email: string): Promise<WebClient> {
  const client = visitor();
  await signUp(client, email, { plan: 'trial' });
  return client;
}

it('supports the main journey: register, calculate, save, find it again, sign out and in', async () => {
  const client = await signedIn('stock@example.org');
  const result = await client.get('/calculator?peptideAmount=5&waterVolume=2&desiredDose=0.25');
  expect([result.status, result.body]).toEqual([200, expect.stringContaining('0.100')]);
  const saved = await client.post('/dashboard/calculator', calculationForm({ peptideName: 'Stocked' }));
  expect(saved.status).toBe(302);
  expect((await client.get('/dashboard/calculator?history=1&search=stocked')).body).toContain('Stocked');
  expect((await client.post('/logout')).status).toBe(302);
  expect((await client.get('/dashboard/calculator')).status).toBe(302);
  const again = await client.post('/login', { email: 'stock@example.org', password: 'blue-kettle-47' });
  expect([again.status, again.location]).toEqual([302, '/dashboard']);
});

it('sends the same headers with every response but those of files, which are the server’s own', async () => {
  const client = await signedIn('headers@example.org');
  for (const path of [
    '/',
    '/calculator',
    '/api/openapi.json',
    '/api/nowhere',
    '/mcp',
    '/nowhere',
    '/healthz',
  ])
    expectSecurityHeaders(await visitor().get(path), path);
  for (const path of [
    '/dashboard',
    '/dashboard.data',
    '/dashboard/tracking',
    '/dashboard/profile/data',
    '/logout',
  ])
    expectSecurityHeaders(await client.get(path), path);
  expectSecurityHeaders(await visitor().get('/dashboard'), 'a redirect to sign in');
  expect((await client.get('/dashboard')).headers['cache-control']).toBe('no-store');
  const page = await visitor().get('/');
  expect(page.body).toContain(
    `nonce="${/'nonce-([^']+)'/.exec(String(page.headers['content-security-policy']))?.[1]}"`,
  );
});

/** What Remix lets pass: it compares only hosts, and only where there is an Origin. */
const FOREIGN = (): Record<string, string>[] => [
  { origin: server.url.replace('http:', 'https:') },
  { origin: 'https://elsewhere.example', 'x-forwarded-host': 'elsewhere.example' },
  { 'sec-fetch-site': 'cross-site' },
  {},
];

it('refuses what comes from another site, and changes nothing', async () => {
  const client = await signedIn('foreign@example.org');
  const post = (path: string, headers: Record<string, string>) =>
    client.request(path, {
      method: 'POST',
      body: encodeForm(calculationForm({ peptideName: 'Forged' })),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
  for (const path of ['/dashboard/calculator', '/dashboard/calculator.data']) {
    // Remix itself compares the hosts, before any of our code runs.
    for (const origin of ['https://elsewhere.example', 'null'])
      expect((await post(path, { origin })).status, path).toBe(500);
    for (const headers of FOREIGN()) {
      const answer = await post(path, headers);
      expect(answer.status, path).toBe(403);
      expectSecurityHeaders(answer, path);
    }
  }
  for (const origin of ['https://elsewhere.example', 'null'])
    for (const path of ['/api/calculations', '/mcp', '/logout'])
      expect((await post(path, { origin })).status, path).toBe(403);
  expect((await client.get('/dashboard/calculator?history=1')).body).not.toContain('Forged');
});

it('refuses bodies that are too large, other methods and addresses that cannot be read', async () => {
  const client = visitor();
  const large = await client.send(
    '/login',
    'a'.repeat(MAX_BODY_BYTES + 1),
    'application/x-www-form-urlencoded',
  );
  expect(large.status).toBe(413);
  const headers = { origin: server.url };
  expect((await client.request('/login', { method: 'DELETE', headers })).status).toBe(405);
  expect((await client.get('/dashboard/calculations/a%00b/delete')).status).toBe(400);
});

it('listens only on this machine unless HOST says otherwise', async () => {
  const { port } = new URL(server.url);
  const reached = await new Promise((resolve) => {
    const socket = connect(Number(port), '::1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
  });
  expect(reached).toBe(false);
});

it('ends with 0 on a signal', async () => {
  expect(await server.stop('SIGTERM')).toBe(0);
  expect(server.output()).toContain('"stopping"');
});
