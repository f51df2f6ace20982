import http from 'node:http';
import { beforeAll, expect, it } from 'vitest';
import { seedCalculations } from '#tests/support/calculations.ts';
import { besideServer } from '#tests/support/someone.ts';
import { userIdOf } from './stored.ts';
import { useWeb } from './web.ts';
import type { WebClient } from './web-client.ts';

/** Files are created one at a time per account, no faster than they are read, and only while someone reads them. */
const web = useWeb();
let busy: WebClient & { email: string };
let other: WebClient & { email: string };

/** So much that it does not fit into what a connection holds for a reader who does not read. */
const ROWS = 4000;
const NOTE = 'before breakfast '.repeat(240);
const LARGE = '/dashboard/export/file?format=csv&types=calculations';

beforeAll(async () => {
  [busy, other] = [await web.registered({ trial: true }), await web.registered({ trial: true })];
  const database = await besideServer(web.dataDir);
  await seedCalculations(database, await userIdOf(web.dataDir, busy.email), ROWS, { notes: NOTE });
});

/** A file whose reader takes its beginning and no more. @returns what makes the reader go away */
async function held(client: WebClient, path: string): Promise<() => void> {
  const { hostname, port } = new URL(web.url);
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const request = http.get({ hostname, port, path, headers: { cookie }, agent: false });
  request.on('error', () => {});
  const response = await new Promise<http.IncomingMessage>((resolve) => request.once('response', resolve));
  expect(response.statusCode).toBe(200);
  await new Promise((resolve) => response.once('readable', resolve));
  return () => request.destroy();
}

const SMALL = ['csv', 'json', 'pdf'].flatMap((format) => [
  `/dashboard/export/file?format=${format}&types=compounds`,
  `/api/export?format=${format}&types=compounds`,
]);
const SENTENCE = 'Your last file is still being created. Wait until it has downloaded, then try again.';

it.each([...SMALL, '/dashboard/profile/data', '/dashboard/analytics/report/file'])(
  '%s waits while a file of the account is being sent, and is refused beyond a limit',
  async (path) => {
    const leave = await held(busy, LARGE);
    const asked = Array.from({ length: 4 }, () => busy.get(path));
    // Three may wait for a moment; the fourth is told at once.
    const first = await Promise.race(asked);
    expect([first.status, first.headers['retry-after']]).toEqual([429, '10']);
    expect(first.body).toContain(SENTENCE);
    expect((await other.get(path)).status).toBe(200);
    leave();
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    for (const status of statuses) expect([200, 429]).toContain(status);
    // Those that waited get it, unless they waited too long: then it is asked for until it is there.
    if (!statuses.includes(200)) await expect.poll(async () => (await busy.get(path)).status).toBe(200);
  },
);

it('a file that is read to the end is complete', async () => {
  const { body } = await busy.get(LARGE);
  expect(body.split('\r\n').filter((line) => line.startsWith('calculations,'))).toHaveLength(ROWS);
});

it('a HEAD request for a file does not count', async () => {
  for (const path of [LARGE, '/api/export?format=json', '/dashboard/profile/data'])
    for (let count = 0; count < 4; count += 1)
      expect((await busy.request(path, { method: 'HEAD' })).status).toBe(200);
  expect((await busy.get(SMALL[0] ?? '')).status).toBe(200);
});
