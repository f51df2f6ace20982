import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calculationStatistics } from '#app/features/calculator/calculations.server.ts';
import { signIn } from '#app/features/accounts/sign-in.server.ts';
import { runCli, spawnCli } from '#tests/support/cli.ts';
import { openTestDatabase } from '#tests/support/database.ts';
import { ctxOfToken, PASSWORD } from '#tests/support/people.ts';
import { startServer, type RunningServer } from '#tests/support/server.ts';
import { WebClient } from './web-client.ts';
import { calculationForm, defects, signUp } from './web.ts';

/** Several processes over one data directory, and processes that end in the middle. */
const running: RunningServer[] = [];
const directories: string[] = [];

async function directory(): Promise<string> {
  const made = await mkdtemp(path.join(os.tmpdir(), 'vialbook-web-'));
  directories.push(made);
  return made;
}

async function start(dataDir: string): Promise<RunningServer> {
  const server = await startServer({ dataDir, env: { RATE_LIMIT_FACTOR: '1000' } });
  running.push(server);
  return server;
}

afterAll(async () => {
  for (const server of running) {
    await server.stop();
    expect(defects(server.output())).toEqual([]);
  }
  for (const made of directories) await rm(made, { recursive: true, force: true });
});

const cli = (dataDir: string, ...args: string[]) =>
  spawnCli(args, { env: { DATA_DIR: dataDir, NODE_ENV: 'production' } });

async function premium(server: RunningServer, email: string): Promise<WebClient> {
  const client = new WebClient(server.url);
  await signUp(client, email, { plan: 'trial' });
  return client;
}

const names = async (client: WebClient): Promise<string[]> => {
  const file = await client.get('/dashboard/export/file?format=json&types=calculations');
  expect(file.status).toBe(200);
  return (JSON.parse(file.body) as { calculations: { peptideName: string }[] }).calculations.map(
    ({ peptideName }) => peptideName,
  );
};

/** The total of an account's statistics, read with a clock that is far ahead. */
async function totalLater(dataDir: string, email: string): Promise<number> {
  const database = await openTestDatabase({ env: { DATA_DIR: dataDir } });
  try {
    const { token } = await signIn(database.ctx(), { email, password: PASSWORD });
    return (await calculationStatistics(await ctxOfToken(database, token))).totalCalculations;
  } finally {
    await database.dispose();
  }
}

it('a server that is killed while saving has every acknowledged save after a restart', async () => {
  const dataDir = await directory();
  const answered = new Set<string>();
  const sent = new Set<string>();
  for (let round = 0; round < 2; round += 1) {
    const server = await start(dataDir);
    const client = round === 0 ? await premium(server, 'durable@example.org') : new WebClient(server.url);
    if (round > 0) await client.post('/login', { email: 'durable@example.org', password: PASSWORD });
    const writer = async (lane: number) => {
      for (let count = 0; ; count += 1) {
        const peptideName = `r${round} l${lane} n${count}`;
        sent.add(peptideName);
        const answer = await client
          .post('/dashboard/calculator', calculationForm({ peptideName }))
          .catch(() => null);
        if (answer === null) return;
        if (answer.status === 302) answered.add(peptideName);
      }
    };
    const writers = Array.from({ length: 8 }, (_, lane) => writer(lane));
    const before = answered.size;
    await expect.poll(() => answered.size).toBeGreaterThan(before + 25);
    await server.stop('SIGKILL');
    await Promise.all(writers);
  }
  const server = await start(dataDir);
  const client = new WebClient(server.url);
  await client.post('/login', { email: 'durable@example.org', password: PASSWORD });
  const kept = await names(client);
  expect([...answered].filter((name) => !kept.includes(name))).toEqual([]);
  expect(kept.filter((name) => !sent.has(name))).toEqual([]);
  expect(new Set(kept).size).toBe(kept.length);
  await server.stop();
  // Saves that were cut off between a row and its totals are counted anew by whoever reads a minute later.
  expect(await totalLater(dataDir, 'durable@example.org')).toBe(kept.length);
  const verified = await runCli(['db', 'verify'], { env: { DATA_DIR: dataDir } });
  expect(verified.code, verified.stdout + verified.stderr).toBe(0);
});

describe('servers beside each other', () => {
  let dataDir: string;
  let first: RunningServer;
  /** On the same data directory. */
  let second: RunningServer;
  /** On another one. */
  let apart: RunningServer;
  beforeAll(async () => {
    dataDir = await directory();
    [first, second, apart] = await Promise.all([
      start(dataDir),
      start(dataDir),
      directory().then((other) => start(other)),
    ]);
  });

  it('on one data directory work with the command line at once, and each sees the other’s changes', async () => {
    const client = await premium(first, 'both@example.org');
    const saving = (async () => {
      for (let count = 0; count < 20; count += 1) {
        const form = calculationForm({ peptideName: `Web ${count}` });
        expect((await client.post('/dashboard/calculator', form)).status).toBe(302);
      }
    })();
    const [stats, exported, admin] = await Promise.all([
      cli(dataDir, 'admin', 'stats', '--json'),
      cli(dataDir, 'export', '--user', 'both@example.org', '--format', 'json', '--out', '-'),
      spawnCli(['admin', 'create', 'root@example.org', '--yes'], {
        env: { DATA_DIR: dataDir, NODE_ENV: 'production', VIALBOOK_PASSWORD: 'green-lamp-82' },
      }),
    ]);
    await saving;
    for (const { code, stderr } of [stats, exported, admin])
      expect([code, stderr]).toEqual([0, expect.any(String)]);
    // Nobody else is here yet.
    expect(JSON.parse(stats.stdout)).toMatchObject({ premiumUsers: 1 });
    const early = (JSON.parse(exported.stdout) as { calculations: unknown[] }).calculations;
    expect(early.length).toBeLessThanOrEqual(20);
    const late = await cli(dataDir, 'export', '--user', 'both@example.org', '--format', 'json', '--out', '-');
    const rows = (JSON.parse(late.stdout) as { calculations: { peptideName: string }[] }).calculations;
    expect(rows.map(({ peptideName }) => peptideName).toSorted()).toEqual((await names(client)).toSorted());
    expect(rows).toHaveLength(20);
    const root = new WebClient(first.url);
    const signedIn = await root.post('/login', { email: 'root@example.org', password: 'green-lamp-82' });
    expect(signedIn.status).toBe(302);
  });

  it('on one data directory serve the same users', async () => {
    const client = await premium(first, 'roaming@example.org');
    const other = new WebClient(second.url);
    for (const [name, value] of client.cookies) other.cookies.set(name, value);
    await client.post('/dashboard/calculator', calculationForm({ peptideName: 'At the first' }));
    await other.post('/dashboard/calculator', calculationForm({ peptideName: 'At the second' }));
    expect((await names(client)).toSorted()).toEqual(['At the first', 'At the second']);
    expect((await names(other)).toSorted()).toEqual(['At the first', 'At the second']);
    await client.post('/logout');
    expect((await other.get('/dashboard')).status).toBe(302);
  });

  it('with separate data directories share nothing', async () => {
    const client = await premium(first, 'same@example.org');
    await client.post('/dashboard/calculator', calculationForm({ peptideName: 'Of the first' }));
    const stranger = new WebClient(apart.url);
    for (const [name, value] of client.cookies) stranger.cookies.set(name, value);
    expect((await stranger.get('/dashboard')).status).toBe(302);
    const namesake = await premium(apart, 'same@example.org');
    expect(await names(client)).toEqual(['Of the first']);
    expect((await namesake.get('/dashboard/calculator?history=1')).body).toContain('No calculations yet');
    await apart.stop();
    expect((await client.get('/dashboard')).status).toBe(200);
  });

  it('answer requests in progress when they stop', async () => {
    const client = await premium(first, 'graceful@example.org');
    const saves = Array.from({ length: 10 }, (_, index) =>
      client
        .post('/dashboard/calculator', calculationForm({ peptideName: `Last ${index}` }))
        .catch(() => null),
    );
    await saves[0];
    expect(await first.stop('SIGTERM')).toBe(0);
    for (const answer of await Promise.all(saves)) expect([302, undefined]).toContain(answer?.status);
  });
});
