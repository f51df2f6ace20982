import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { alerts } from '#tests/support/html.ts';
import { CLI_PATH } from '#tests/support/cli.ts';
import { newDeployment, type Deployment } from '#tests/support/deployment.ts';
import { freePort, startServer, type RunningServer } from '#tests/support/server.ts';
import { calculationForm, signUp } from './web.ts';
import { WebClient } from './web-client.ts';

/** The database is unreachable at the start and during requests, and comes back. */
let database: Deployment;
let server: RunningServer;
const started: RunningServer[] = [];
afterEach(async () => {
  for (const { stop } of started.splice(0)) await stop('SIGKILL');
  await database.dispose();
});

const SENTENCE = 'The database cannot be reached. Try again in a moment.';
const status = async (path: string) => (await fetch(`${server.url}${path}`)).status;

async function startWithout(): Promise<void> {
  database = await newDeployment();
  const env = { MONGODB_URI: database.uri, SESSION_SECRET: 'x'.repeat(40), RATE_LIMIT_FACTOR: '1000' };
  server = await startServer({ env: { ...env, BILLING: 'test', LOG_LEVEL: 'info' } });
  started.push(server);
}

async function ready(): Promise<void> {
  await expect.poll(() => status('/readyz'), { interval: 200 }).toBe(200);
}

it('a server starts without its database, says so, works once the database is back, and again after an outage', async () => {
  await startWithout();
  expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 503]);
  const client = new WebClient(server.url);
  // Pages that need no database keep working.
  expect((await client.get('/calculator?peptideAmount=5&waterVolume=2&desiredDose=0.25')).status).toBe(200);
  const refused = await client.post('/login', { email: 'a@example.org', password: 'blue-kettle-47' });
  expect([refused.status, refused.body]).toEqual([503, expect.stringContaining(SENTENCE)]);
  const desk = await client.post('/admin/login', { email: 'a@example.org', password: 'blue-kettle-47' });
  expect([desk.status, alerts(desk.body)]).toEqual([503, ['Login failed. Please try again.']]);
  const call = await fetch(`${server.url}/api/calculations`, { headers: { authorization: 'Bearer x' } });
  expect([call.status, await call.json()]).toMatchObject([503, { error: 'DATABASE_UNAVAILABLE' }]);

  await database.start();
  await ready();
  await signUp(client, 'patient@example.org', { plan: 'trial' });
  const save = (peptideName: string) =>
    client.post('/dashboard/calculator', calculationForm({ peptideName }));
  expect((await save('Before')).status).toBe(302);

  await expect.poll(() => server.output()).toContain('the database is back');
  await database.stop('SIGKILL');
  const [page, posted] = await Promise.all([client.get('/dashboard/vials'), save('Meanwhile')]);
  expect([page.status, posted.status]).toEqual([503, 503]);
  expect(page.body).toContain(SENTENCE);
  expect(await status('/readyz')).toBe(503);
  await expect.poll(() => server.output().split('waiting for it').length - 1).toBe(2);

  await database.start();
  await ready();
  expect((await save('After')).status).toBe(302);
  const file = await client.get('/dashboard/export/file?format=json&types=calculations');
  const { calculations } = JSON.parse(file.body) as { calculations: { peptideName: string }[] };
  expect(calculations.map(({ peptideName }) => peptideName).toSorted()).toEqual(['After', 'Before']);
  await expect.poll(() => server.output().split('the database is back').length - 1).toBe(2);
  expect(await server.stop('SIGTERM')).toBe(0);
  expectOutages(server.output(), 2);
});

/**
 * Only JSON lines: one for each outage, all shorter than a minute here, and one for each recovery. None of the
 * more than a dozen jobs logs anything itself.
 */
function expectOutages(output: string, times: number): void {
  const lines = output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { level: number; msg: string; err?: unknown });
  const told = lines.filter(({ msg }) => msg === 'the database cannot be reached; waiting for it');
  expect(lines.filter(({ level }) => level >= 50)).toEqual(told);
  expect(told).toHaveLength(times);
  expect(told.filter(({ err }) => err !== undefined)).toEqual([]);
  expect(lines.filter(({ msg }) => msg === 'the database is back')).toHaveLength(times);
  expect(lines.filter(({ msg }) => msg === 'job works again')).toEqual([]);
}

it('a worker without its database logs one line, and works once the database is back', async () => {
  database = await newDeployment();
  const env = { MONGODB_URI: database.uri, SESSION_SECRET: 'x'.repeat(40), LOG_LEVEL: 'info' };
  const worker = spawn(process.execPath, [CLI_PATH, 'worker'], { env: { ...process.env, ...env } });
  let output = '';
  for (const stream of [worker.stdout, worker.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  try {
    await expect.poll(() => output).toContain('"msg":"Working.');
    await database.start();
    await expect.poll(() => output).toContain('the database is back');
  } finally {
    const ended = once(worker, 'exit');
    worker.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
  }
  expectOutages(output, 1);
});

it('listens at once: files and checks are answered, the rest waits for the start, for five seconds at most', async () => {
  database = await newDeployment();
  const port = await freePort();
  const env = { MONGODB_URI: database.uri, SESSION_SECRET: 'x'.repeat(40), RATE_LIMIT_FACTOR: '1000' };
  const starting = startServer({ port, env });
  const url = `http://127.0.0.1:${port}`;
  await expect
    .poll(() =>
      fetch(`${url}/healthz`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
  const [page, call, file, ready] = await Promise.all(
    ['/calculator', '/api/calculations', '/favicon.ico', '/readyz'].map((path) => fetch(`${url}${path}`)),
  );
  // On a busy machine the start may take longer than that.
  const text = await page?.text();
  if (page?.status === 200) expect(text).toContain('Reconstitution Calculator');
  else
    expect([page?.status, page?.headers.get('retry-after'), text]).toEqual([
      503,
      '1',
      'Vialbook is starting. Please try again in a moment.\n',
    ]);
  expect(ready?.status).toBe(503);
  expect([call?.status, await call?.json()]).toMatchObject([503, { error: 'DATABASE_UNAVAILABLE' }]);
  expect(file?.status).toBe(200);
  server = await starting;
  started.push(server);
  expect(await status('/calculator')).toBe(200);
});

it('a server that waits for its database ends with 0 when stopped', async () => {
  await startWithout();
  expect(await server.stop('SIGTERM')).toBe(0);
});
