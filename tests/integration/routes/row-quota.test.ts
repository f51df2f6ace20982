import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { OfflineSnapshot } from '#app/domain/offline/snapshot.ts';
import { seedCalculations } from '#tests/support/calculations.ts';
import { spawnCli } from '#tests/support/cli.ts';
import { asSomeone, besideServer } from '#tests/support/someone.ts';
import { visibleText } from '#tests/support/html.ts';
import { calculationForm, useWeb } from './web.ts';
import type { WebClient } from './web-client.ts';

/** A full account at every door. */
const SENTENCE = 'Your account is full: the free plan holds 5,000 records.';

const web = useWeb();
let client: WebClient & { email: string };
beforeAll(async () => {
  client = await web.user();
  await asSomeone(web.dataDir, client.email, async ({ actor }, database) => {
    if (actor.kind === 'user') await seedCalculations(database, actor.id, 5000);
  });
});

it('the page says how many records the plan allows, and keeps the input', async () => {
  const { status, body } = await client.post(
    '/dashboard/calculator',
    calculationForm({ peptideName: 'Kept name' }),
  );
  expect(status).toBe(403);
  expect(visibleText(body)).toContain(SENTENCE);
  expect(body).toContain('value="Kept name"');
});

it('the API answers 402 with the code', async () => {
  const call = await client.send(
    '/api/calculations',
    JSON.stringify({ peptideAmount: 5, waterVolume: 2, desiredDose: 0.25 }),
    'application/json',
  );
  expect([call.status, JSON.parse(call.body)]).toMatchObject([
    402,
    { success: false, error: 'PLAN_LIMIT', message: expect.stringContaining(SENTENCE) },
  ]);
});

it('an entry made offline is refused with a message for its device to show', async () => {
  const { account } = JSON.parse((await client.get('/offline/snapshot')).body) as OfflineSnapshot;
  const made = { userId: account.userId, id: `entry-${'x'.repeat(16)}`, at: new Date().toISOString() };
  const fields = { peptideAmount: '5', waterVolume: '2', desiredDose: '250', desiredDoseUnit: 'mcg' };
  const entry = JSON.stringify({ ...made, kind: 'calculation', fields });
  const call = await client.send('/offline/outbox', entry, 'application/json');
  expect([call.status, JSON.parse(call.body)]).toMatchObject([
    403,
    { error: 'PLAN_LIMIT', message: expect.stringContaining(SENTENCE) },
  ]);
});

it('the terminal exits with 5 in the dry run of an import', async () => {
  const file = path.join(web.dataDir, 'one.json');
  const record = {
    id: 'calc_0123456789ab',
    createdAt: '2026-01-01T08:00:00Z',
    peptideAmount: 5,
    waterVolume: 2,
    desiredDose: 0.25,
  };
  await writeFile(file, JSON.stringify({ calculations: [record] }));
  await besideServer(web.dataDir);
  const { code, stderr } = await spawnCli(['import', '--user', client.email, '--dry-run', file], {
    env: { DATA_DIR: web.dataDir },
  });
  expect([code, stderr]).toEqual([
    5,
    expect.stringContaining('the free plan holds 5,000 records, and yours has room for 0 more'),
  ]);
});
