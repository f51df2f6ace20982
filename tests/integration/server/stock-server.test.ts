import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAX_BODY_BYTES } from '#app/server/request-guard.server.ts';
import { expectSecurityHeaders } from '#tests/integration/routes/answers.ts';
import { calculationForm, signUp } from '#tests/integration/routes/web.ts';
import { WebClient } from '#tests/integration/routes/web-client.ts';
import { STOCK, startServer, type RunningServer } from '#tests/support/server.ts';

/** The build behind a foreign server, which provides no context, headers or limits. */
let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ command: STOCK, env: { LOG_LEVEL: 'info', RATE_LIMIT_FACTOR: '1000' } });
});
afterAll(() => server.stop('SIGKILL'));

const visitor = () => new WebClient(server.url);

it('supports the main journey: register, calculate, save, find it again, sign out and in', async () => {
  const client = visitor();
  await signUp(client, 'stock@example.org', { plan: 'trial' });
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

it('sends the same headers with everything, and caches only hashed files forever', async () => {
  const [script = ''] = readdirSync('build/client/assets').filter((name) => name.endsWith('.js'));
  for (const path of ['/', '/calculator', '/api/openapi.json', '/nowhere', '/favicon.ico', '/sw.js'])
    expectSecurityHeaders(await visitor().get(path), path);
  const cached = async (path: string) => (await visitor().get(path)).headers['cache-control'];
  expect(await cached(`/assets/${script}`)).toBe('public, max-age=31536000, immutable');
  expect(await cached('/favicon.ico')).toBe('public, max-age=0, must-revalidate');
  expect(await cached('/sw.js')).toBe('no-cache');
  const page = await visitor().get('/');
  expect(page.body).toContain(
    `nonce="${/'nonce-([^']+)'/.exec(String(page.headers['content-security-policy']))?.[1]}"`,
  );
});

it('rejects requests from other sites, bodies that are too large and invalid addresses', async () => {
  const client = visitor();
  const post = (headers: Record<string, string>) =>
    client.request('/login', { method: 'POST', body: 'email=a', headers });
  expect((await post({ origin: 'https://elsewhere.example' })).status).toBe(403);
  expect((await post({ origin: 'null' })).status).toBe(403);
  const large = await client.send(
    '/login',
    'a'.repeat(MAX_BODY_BYTES + 1),
    'application/x-www-form-urlencoded',
  );
  expect(large.status).toBe(413);
  expect((await client.request('/login', { method: 'DELETE' })).status).toBe(405);
  expect((await client.get('/%zz')).status).toBe(400);
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

it('writes only JSON lines, and ends with 0 on a signal', async () => {
  expect(await server.stop('SIGTERM')).toBe(0);
  const lines = server.output().trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(5);
  for (const line of lines) expect(() => JSON.parse(line) as unknown, line).not.toThrow();
  expect(lines.at(-1)).toContain('"stopping"');
});
