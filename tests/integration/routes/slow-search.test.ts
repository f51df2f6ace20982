import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addVial } from '#app/features/vials/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { loadSessionSecret } from '#app/platform/secrets/server-secrets.server.ts';
import { seedCalculations } from '#tests/support/calculations.ts';
import { spawnCli } from '#tests/support/cli.ts';
import { openTestDatabase, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { newPerson } from '#tests/support/people.ts';
import { startServer, type RunningServer } from '#tests/support/server.ts';
import { WebClient } from './web-client.ts';
import { databaseEnv } from '#tests/support/named-deployment.ts';

/** A search that takes longer than it may, through every door. */
const SENTENCE = 'This search took too long. Narrow it down and try again.';
const EMAIL = 'many@example.org';
/** Far more than the database can read through in the time below. */
const ROWS = 30_000;
const VIALS = 5000;
/** The shortest setting there is would also stop the look-up of a session on a busy machine. */
const LIMIT = { QUERY_TIMEOUT_MS: '25' };
const SEARCH = 'search=not-in-any-of-them';

let dataDir: string;
let server: RunningServer;
let client: WebClient;
let token: string;

/** Copies of one vial, all of them in stock. */
async function seedVials(database: TestDatabase, userId: string, ctx: Ctx): Promise<void> {
  await addVial(ctx, { name: 'BPC-157', amountMg: '5' });
  const vials = testConnection(database).collection<{ _id: string }>('compounds');
  const vial = await vials.findOne({ userId });
  const copies = Array.from({ length: VIALS }, (_, index) => ({
    ...vial,
    _id: `vial_copy_${index}`,
    slot: `copy_${index}`,
    nameKey: `name ${index}`,
  }));
  await vials.insertMany(copies);
}

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'vialbook-slow-'));
  const secret = await loadSessionSecret(databaseEnv({ DATA_DIR: dataDir }));
  const database = await openTestDatabase({ directory: dataDir, secret });
  const { signedIn, ctx } = await newPerson(database, EMAIL, { plan: 'trial' });
  await seedCalculations(database, signedIn.user.id, ROWS, { notes: 'before breakfast '.repeat(10) });
  await seedVials(database, signedIn.user.id, ctx);
  await database.dispose();
  server = await startServer({ dataDir, env: { ...LIMIT, WORKER: 'off', RATE_LIMIT_FACTOR: '1000' } });
  client = new WebClient(server.url);
  await client.keepSession(signedIn.token, signedIn.deviceToken);
  token = signedIn.token;
});

afterAll(async () => {
  await server.stop();
  // It is in the log as a failed request, and is no defect.
  expect(server.output()).toContain('request not served for now');
  expect(server.output()).not.toMatch(/"stack":/);
  await rm(dataDir, { recursive: true, force: true });
});

it('the page says what to do, with a way out that does not search, and the list itself works', async () => {
  const { status, body } = await client.get(`/dashboard/calculator?history=1&${SEARCH}`);
  expect([status, body]).toEqual([503, expect.stringContaining(SENTENCE)]);
  expect(body).toContain('href="/dashboard/calculator"');
  expect((await client.get('/dashboard/calculator?history=1')).status).toBe(200);
});

it('the API names the code', async () => {
  const call = await fetch(`${server.url}/api/calculations?${SEARCH}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect([call.status, await call.json()]).toEqual([
    503,
    { success: false, error: 'SEARCH_TIMEOUT', message: SENTENCE },
  ]);
});

it('the terminal says it on stderr and ends with 1', async () => {
  const env = { DATA_DIR: dataDir, QUERY_TIMEOUT_MS: '1' };
  const { code, stdout, stderr } = await spawnCli(['stock', '--user', EMAIL], { env });
  expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: `vialbook: ${SENTENCE}\n` });
});
