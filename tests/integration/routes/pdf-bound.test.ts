import { beforeAll, expect, it } from 'vitest';
import { seedCalculations } from '#tests/support/calculations.ts';
import { spawnCli } from '#tests/support/cli.ts';
import { testConnection } from '#tests/support/database.ts';
import { asSomeone, besideServer } from '#tests/support/someone.ts';
import { screenOf, visibleText } from '#tests/support/html.ts';
import { useWeb } from './web.ts';
import type { WebClient } from './web-client.ts';

/** More records than a PDF holds, at every door: a refusal that offers the CSV. */
const SENTENCE =
  'A PDF holds at most 20,000 records; this selection has 20,001. Choose CSV or a shorter period.';

const web = useWeb();
let client: WebClient & { email: string };
beforeAll(async () => {
  client = await web.user({ trial: true });
  await asSomeone(web.dataDir, client.email, async ({ actor }, database) => {
    if (actor.kind !== 'user') return;
    await seedCalculations(database, actor.id, 20_001);
    // Written past the program, which would have noted it.
    const noted = { _id: `${actor.id}/kept`, userId: actor.id, shelf: 'kept', revision: 1 };
    await testConnection(database).collection<{ _id: string }>('calculation_counters').insertOne(noted);
  });
});

it('the page says so at its field and offers the same records as CSV', async () => {
  const { status, body } = await client.post('/dashboard/export?index', {
    format: 'pdf',
    types: 'calculations',
    includeMetadata: 'on',
  });
  expect(status).toBe(400);
  expect(visibleText(body)).toContain(SENTENCE);
  const link = screenOf(body).getByRole('link', { name: /^Download these records as CSV/ });
  const file = await client.get(link.getAttribute('href') ?? '');
  expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(file.body.split('\r\n').filter((line) => line.startsWith('calculations,'))).toHaveLength(20_001);
});

it('the file’s address says so', async () => {
  const answer = await client.get('/dashboard/export/file?format=pdf&types=calculations');
  expect([answer.status, answer.body]).toEqual([400, `${SENTENCE}\n`]);
});

it('the API answers 400 at its field', async () => {
  const answer = await client.get('/api/export?format=pdf&types=calculations');
  expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
    400,
    { success: false, error: 'INVALID_INPUT', message: SENTENCE, fields: { format: [SENTENCE] } },
  ]);
});

it('the terminal ends with 2', async () => {
  await besideServer(web.dataDir);
  const ran = await spawnCli(
    ['export', '--user', client.email, '--format', 'pdf', '--types', 'calculations'],
    { env: { DATA_DIR: web.dataDir } },
  );
  expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(SENTENCE) });
});
