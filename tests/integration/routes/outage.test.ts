import { afterEach, expect, it } from 'vitest';
import { newDeployment, type Deployment } from '#tests/support/deployment.ts';
import { startServer, type RunningServer } from '#tests/support/server.ts';
import { calculationForm, signUp } from './web.ts';
import { WebClient } from './web-client.ts';

/** The database is away at the start and in mid-request, and comes back. */
let database: Deployment;
let server: RunningServer;
afterEach(async () => {
  await server.stop('SIGKILL');
  await database.dispose();
});

const SENTENCE = 'The database cannot be reached. Try again in a moment.';
const status = async (path: string) => (await fetch(`${server.url}${path}`)).status;

async function startWithout(): Promise<void> {
  database = await newDeployment();
  const env = { MONGODB_URI: database.uri, SESSION_SECRET: 'x'.repeat(40), RATE_LIMIT_FACTOR: '1000' };
  server = await startServer({ env: { ...env, BILLING: 'test', LOG_LEVEL: 'info' } });
}

async function ready(): Promise<void> {
  await expect.poll(() => status('/readyz'), { interval: 200 }).toBe(200);
}

it('a server whose database is away starts, says so, works when it is there, and once more after it was gone', async () => {
  await startWithout();
  expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 503]);
  const client = new WebClient(server.url);
  // What needs no database goes on.
  expect((await client.get('/calculator?peptideAmount=5&waterVolume=2&desiredDose=0.25')).status).toBe(200);
  const refused = await client.post('/login', { email: 'a@example.org', password: 'blue-kettle-47' });
  expect([refused.status, refused.body]).toEqual([503, expect.stringContaining(SENTENCE)]);
  const call = await fetch(`${server.url}/api/calculations`, { headers: { authorization: 'Bearer x' } });
  expect([call.status, await call.json()]).toMatchObject([503, { error: 'DATABASE_UNAVAILABLE' }]);

  await database.start();
  await ready();
  await signUp(client, 'patient@example.org', { plan: 'trial' });
  const save = (peptideName: string) =>
    client.post('/dashboard/calculator', calculationForm({ peptideName }));
  expect((await save('Before')).status).toBe(302);

  await database.stop('SIGKILL');
  const [page, posted] = await Promise.all([client.get('/dashboard/vials'), save('Meanwhile')]);
  expect([page.status, posted.status]).toEqual([503, 503]);
  expect(page.body).toContain(SENTENCE);
  expect(await status('/readyz')).toBe(503);

  await database.start();
  await ready();
  expect((await save('After')).status).toBe(302);
  const file = await client.get('/dashboard/export/file?format=json&types=calculations');
  const { calculations } = JSON.parse(file.body) as { calculations: { peptideName: string }[] };
  expect(calculations.map(({ peptideName }) => peptideName).toSorted()).toEqual(['After', 'Before']);
  expect(server.output()).toContain('the database cannot be reached, it is waited for');
  expect(await server.stop('SIGTERM')).toBe(0);
});

it('a server that waits for its database ends with 0 when it is told to', async () => {
  await startWithout();
  expect(await server.stop('SIGTERM')).toBe(0);
});
