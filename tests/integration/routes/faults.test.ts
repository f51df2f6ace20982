import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PASSWORD } from '#tests/support/people.ts';
import { startServer, type RunningServer } from '#tests/support/server.ts';
import { calculationForm, signUp } from './web.ts';
import { WebClient } from './web-client.ts';

/** A small version of what `npm run bench -- faults` does to servers under load. */
let folder: string;
let server: RunningServer;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'vialbook-faults-'));
});
afterEach(async () => {
  await server.stop('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

async function start(env: Record<string, string> = {}): Promise<WebClient> {
  const dataDir = path.join(folder, 'data');
  server = await startServer({ dataDir, env: { RATE_LIMIT_FACTOR: '1000', BILLING: 'test', ...env } });
  const client = new WebClient(server.url);
  await signUp(client, 'patient@example.org', { plan: 'trial' });
  return client;
}

const save = (client: WebClient, peptideName: string) =>
  client.post('/dashboard/calculator', calculationForm({ peptideName, notes: 'n'.repeat(400) }));

async function kept(client: WebClient): Promise<{ peptideName: string; createdAt: string }[]> {
  const file = await client.get('/dashboard/export/file?format=json&types=calculations');
  expect(file.status).toBe(200);
  return (JSON.parse(file.body) as { calculations: { peptideName: string; createdAt: string }[] })
    .calculations;
}

it('a clock that jumps ahead and back loses nothing and blocks nobody', async () => {
  const clock = path.join(folder, 'clock');
  const movedClock = new URL('../../support/moved-clock.mjs', import.meta.url).href;
  const client = await start({ CLOCK_FILE: clock, NODE_OPTIONS: `--import ${movedClock}` });
  const hour = 3_600_000;
  const saved: string[] = [];
  /** Saves something. @returns how many hours the server's clock is off */
  const hoursOff = async () => {
    const name = `n${saved.length}`;
    const answer = await save(client, name);
    expect([answer.status, answer.location]).toEqual([302, expect.not.stringContaining('login')]);
    saved.push(name);
    const row = (await kept(client)).find(({ peptideName }) => peptideName === name);
    return Math.round((Date.parse(row?.createdAt ?? '') - Date.now()) / hour) + 0;
  };
  for (const jump of [1, 20, -20, 0]) {
    await writeFile(clock, String(jump * hour));
    await expect.poll(hoursOff).toBe(jump);
    for (const address of ['/readyz', '/dashboard']) expect((await client.get(address)).status).toBe(200);
  }
  expect((await kept(client)).map(({ peptideName }) => peptideName).toSorted()).toEqual(saved.toSorted());
  expect(await server.stop()).toBe(0);
});

it.skipIf(!existsSync('/usr/bin/prlimit'))(
  'a full disk refuses writes with a message, can still be read, and accepts writes once there is space',
  async () => {
    const clock = path.join(folder, 'clock');
    const movedClock = new URL('../../support/moved-clock.mjs', import.meta.url).href;
    const client = await start({ CLOCK_FILE: clock, NODE_OPTIONS: `--import ${movedClock}` });
    const program = new WebClient(server.url);
    const signedIn = await fetch(`${server.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'patient@example.org', password: PASSWORD }),
    });
    const { token } = ((await signedIn.json()) as { data: { token: string } }).data;
    const document = await program.get('/api/openapi.json');
    const calls = Object.entries((JSON.parse(document.body) as { paths: Record<string, object> }).paths)
      .filter(([address, methods]) => 'get' in methods && !address.includes('{'))
      .map(([address]) => address);
    const home = await client.get('/dashboard');
    const pages = [
      ...new Set([...home.body.matchAll(/href="(\/dashboard[^"#?]*)"/g)].map(([, page = '']) => page)),
    ];
    expect([calls.length, pages.length]).toEqual([
      expect.toSatisfy((n: number) => n > 30),
      expect.toSatisfy((n: number) => n > 8),
    ]);
    /** What every page and every call that only reads answers. */
    const readAll = async () => {
      const answers: { address: string; status: number; body: string }[] = [];
      for (const address of pages) answers.push({ address, ...(await client.get(address)) });
      for (const address of calls)
        answers.push({ address, ...(await program.get(address, { authorization: `Bearer ${token}` })) });
      return answers.map(({ address, status, body }) => ({
        address,
        status,
        body: status < 500 ? '' : body,
      }));
    };
    const sooner = await readAll();
    const files = ['data.db', 'data.db-wal'].map((name) => stat(path.join(server.dataDir, name)));
    const size = Math.max(...(await Promise.all(files)).map((file) => file.size));
    const mostBytes = (bytes: number | 'unlimited') =>
      spawnSync('/usr/bin/prlimit', ['--pid', String(server.process.pid), `--fsize=${bytes}:`]).status;
    expect(mostBytes(size + 512 * 1024)).toBe(0);
    const acknowledged: string[] = [];
    let refused: Awaited<ReturnType<typeof save>> | null = null;
    for (let count = 0; refused === null && count < 3000; count += 1) {
      const answer = await save(client, `n${count}`);
      if (answer.status === 302) acknowledged.push(`n${count}`);
      else refused = answer;
    }
    expect([refused?.status, refused?.body]).toEqual([503, expect.stringContaining('out of storage space')]);
    expect(acknowledged.length).toBeGreaterThan(5);
    expect((await client.get('/calculator')).status).toBe(200);
    // An hour later, who reads would be noted to have been here, for which there is no room either.
    expect(mostBytes(4096)).toBe(0);
    await writeFile(clock, '3600000');
    const later = await readAll();
    expect(later.filter(({ status }) => status >= 500)).toEqual([]);
    expect(later.map(({ address, status }) => [address, status])).toEqual(
      sooner.map(({ address, status }) => [address, status]),
    );
    const history = await client.get('/dashboard/calculator?history=1');
    expect(history.body).toContain(acknowledged.at(-1));
    expect(await kept(client)).toHaveLength(acknowledged.length);
    expect(mostBytes('unlimited')).toBe(0);
    await expect.poll(async () => (await save(client, 'Room again')).status, { interval: 500 }).toBe(302);
    const names = (await kept(client)).map(({ peptideName }) => peptideName);
    expect(names.toSorted()).toEqual([...acknowledged, 'Room again'].toSorted());
    expect(await server.stop()).toBe(0);
  },
);
