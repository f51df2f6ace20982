import { expect, it, afterAll, beforeAll } from 'vitest';
import { startServer, type RunningServer } from '#tests/support/server.ts';
import { calculationForm, registerForm, signUp } from './web.ts';
import { WebClient } from './web-client.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ env: { LOG_LEVEL: 'trace', RATE_LIMIT_FACTOR: '100' } });
});
afterAll(async () => {
  await server.stop();
});

type Line = Record<string, unknown> & { level: number; time: string; msg: string };

/** Everything logged so far: on both streams nothing but JSON lines. */
function logged(): Line[] {
  const lines = server.output().trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Line);
}

const SECRETS = {
  password: 'sesame-open-91',
  wrong: 'guess-of-a-stranger',
  email: 'quiet.person@example.org',
  unknown: 'nobody.known@example.org',
  name: 'Secret compound',
  notes: 'private notes',
};

it('one JSON line a request, found by the id that the answer carries', async () => {
  const client = new WebClient(server.url);
  const answer = await client.get('/calculator?peptideAmount=5');
  const id = String(answer.headers['x-request-id']);
  await expect.poll(() => logged().filter((line) => line['requestId'] === id)).toHaveLength(1);
  const [line] = logged().filter(({ requestId }) => requestId === id);
  expect(line).toMatchObject({ level: 30, method: 'GET', path: '/calculator', status: 400, msg: 'request' });
  expect(line?.time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(line?.['ms']).toBeTypeOf('number');
});

it('logs no secrets and nothing that was typed', async () => {
  const client = new WebClient(server.url);
  const { password, email } = SECRETS;
  const form = registerForm(email, { password, confirmPassword: password });
  expect((await client.post('/register', form)).status).toBe(302);
  const session = client.cookies.get('vialbook_session') ?? '';
  const device = client.cookies.get('vialbook_device') ?? '';
  await client.post(
    '/dashboard/calculator',
    calculationForm({ peptideName: SECRETS.name, notes: SECRETS.notes }),
  );
  await client.get(`/dashboard/calculator?history=1&search=${encodeURIComponent(SECRETS.name)}`);
  await client.get('/dashboard/export/file?format=json&types=calculations');
  await client.post('/register', form);
  const stranger = new WebClient(server.url);
  await stranger.post('/login', { email, password: SECRETS.wrong });
  await stranger.post('/login', { email: SECRETS.unknown, password: SECRETS.wrong });
  await stranger.post('/register', form);
  await stranger.post('/register', registerForm('not an address', { password: SECRETS.wrong }));
  for (const folder of ['reset-password', 'Reset-Password', '%73hare', '/act', 'CALENDAR', 'confirm%2demail'])
    await stranger.get(`/${folder}/${SECRETS.wrong}`);
  await stranger.get(`/login?redirectTo=/dashboard?token=${SECRETS.wrong}`);
  await client.post('/logout');
  await expect.poll(() => logged().some(({ path }) => path === '/logout')).toBe(true);
  const text = server.output();
  for (const [what, secret] of Object.entries(SECRETS)) expect(text, what).not.toContain(secret);
  const token = String(JSON.parse(Buffer.from(decodeURIComponent(session), 'base64').toString('utf8')));
  for (const secret of [session, device, token]) {
    expect(secret.length).toBeGreaterThan(20);
    expect(text).not.toContain(secret);
  }
  expect(text).not.toMatch(/\$argon2/);
});

it('logs successful and refused sign-ins and denied access, with their request', async () => {
  const client = new WebClient(server.url);
  await signUp(client, 'audited@example.org');
  const denied = await client.get('/dashboard/tracking');
  const refused = await client.post('/login', { email: 'audited@example.org', password: 'not-it-at-all' });
  const foreign = await client.request('/logout', { method: 'POST', body: '', headers: { origin: 'null' } });
  const idOf = (answer: { headers: Record<string, unknown> }) => answer.headers['x-request-id'];
  await expect.poll(() => logged().some(({ requestId }) => requestId === idOf(foreign))).toBe(true);
  const lines = logged();
  const of = (answer: { headers: Record<string, unknown> }) =>
    lines.filter(({ requestId }) => requestId === idOf(answer)).map(({ msg }) => msg);
  expect(of(denied)).toEqual(['request denied']);
  expect(of(foreign)).toEqual(['request denied']);
  expect(of(refused)).toEqual(['sign-in refused', 'request']);
  expect(lines.filter(({ msg }) => msg === 'account registered').length).toBeGreaterThan(0);
});

it('a newline in a client’s input starts no new log line', async () => {
  const client = new WebClient(server.url);
  const forged = '{"level":60,"msg":"forged"}';
  const before = logged().length;
  await client.get('/calculator', { 'user-agent': `Mozilla\t${forged}` });
  await client.get(`/%0a${encodeURIComponent(forged)}`);
  await client.get(`/nowhere%0d%0a${encodeURIComponent(forged)}?x=%0a`);
  await client.post('/login', { email: `a\n${forged}@example.org`, password: `b\n${forged}` });
  await client.post('/register', registerForm('agent@example.org'), { 'user-agent': `x ${forged}` });
  await expect.poll(() => logged().length).toBeGreaterThanOrEqual(before + 5);
  expect(logged().filter(({ msg, level }) => msg === 'forged' || level === 60)).toEqual([]);
});
