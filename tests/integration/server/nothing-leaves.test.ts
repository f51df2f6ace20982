import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, expect, it } from 'vitest';
import { JOBS } from '#app/server/worker.server.ts';
import { APPLE_FILE } from '#tests/support/apple-health.ts';
import { CLI_PATH, spawnCli } from '#tests/support/cli.ts';
import { databaseEnv } from '#tests/support/named-deployment.ts';
import { pendingDose } from '#tests/support/pending-doses.ts';
import type { ApiClient } from '../api/client.ts';
import { useApi } from '../api/world.ts';
import { storedIn } from '../routes/stored.ts';
import { WebClient } from '../routes/web-client.ts';
import { reposOf } from '#tests/support/repositories.ts';

/** All network requests of this file's processes, one per line; see `network-watch.mjs`. */
const folder = mkdtempSync(path.join(tmpdir(), 'vialbook-network-'));
const seenIn = path.join(folder, 'seen');
const WATCHED = {
  NODE_OPTIONS: `--import=${pathToFileURL(path.resolve('tests/support/network-watch.mjs')).href}`,
  NETWORK_WATCH: seenIn,
};
afterAll(() => rm(folder, { recursive: true }));

const world = useApi(WATCHED);
const ofThisMachine = () => databaseEnv({ ...WATCHED, DATA_DIR: world.web.dataDir });

async function seen(): Promise<string[]> {
  return (await readFile(seenIn, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
}

/** Connections to this machine and look-ups of its own name do not leave it. */
const leaves = (line: string) => !/ (?:127\.\d+\.\d+\.\d+|::1|localhost) /.test(line);

async function made(person: ApiClient, address: string, body: object): Promise<void> {
  const { status, text } = await person.post(address, body);
  expect(status, `${address} ${text.slice(0, 300)}`).toBeLessThan(300);
}

/** Due, taken and missed doses; vials that run low and expire. */
async function livedIn(person: ApiClient): Promise<void> {
  const { user } = (await person.get('/api/auth/me')).body.data as { user: { id: string } };
  const [due, taken, missed] = [0, 1, 30].map((hours) =>
    pendingDose(`dose_quiet_${hours}`, new Date(Date.now() - hours * 3_600_000)),
  ) as [ReturnType<typeof pendingDose>, ReturnType<typeof pendingDose>, ReturnType<typeof pendingDose>];
  await reposOf(world.terminal()).doses.createMany(user.id, [due, taken, missed]);
  const body = { confirm: true };
  expect((await person.call('PATCH', `/api/schedules/doses/${taken.id}/taken`, { body })).status).toBe(200);
  const day = new Date().toISOString().slice(0, 10);
  const vial = { name: 'BPC-157', totalAmount: 0.5, concentration: 2.5, reconstitutionDate: day };
  await made(person, '/api/compounds', { ...vial, expirationDate: day });
}

/** Uses an assistant over both transports to list, read and propose. */
async function assisted(person: ApiClient): Promise<void> {
  const { token } = await world.tokenOf(person, 'write');
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const args = [CLI_PATH, 'mcp', '--user', person.email];
  const env = { ...process.env, ...ofThisMachine() } as Record<string, string>;
  for (const transport of [
    new StreamableHTTPClientTransport(new URL(`${world.web.url}/mcp`), { requestInit }),
    new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' }),
  ]) {
    const client = new Client({ name: 'tests', version: '1' });
    await client.connect(transport as Parameters<Client['connect']>[0]);
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
    for (const uri of ['vialbook://today', 'vialbook://stock']) await client.readResource({ uri });
    const dose = { name: 'BPC-157', actualDose: '0.25' };
    expect((await client.callTool({ name: 'logDose', arguments: dose })).isError).toBeUndefined();
    await client.close();
  }
}

/** Imports files through the API and at the terminal. */
async function imported(person: ApiClient): Promise<void> {
  const apple = path.join(folder, 'export.xml');
  await writeFile(apple, APPLE_FILE);
  for (const [type, body] of [
    ['text/csv', 'takenAt,name,amount,unit\n2026-01-05T08:00:00Z,BPC-157,250,mcg'],
    ['application/xml', APPLE_FILE],
  ] as const) {
    const headers = { 'content-type': type };
    const { status, text } = await person.call('POST', '/api/import', { body, headers });
    expect(status, text.slice(0, 300)).toBe(201);
  }
  const ofPerson = ['--user', person.email];
  for (const [code, ...command] of [
    [0, 'import', ...ofPerson, apple, '--json'],
    // A dose is due.
    [3, 'due', ...ofPerson, '--json'],
  ])
    expect((await spawnCli(command.map(String), { env: ofThisMachine() })).code, command.join(' ')).toBe(
      code,
    );
}

/** Runs every job in a separate worker; the server's own worker has sent what is due every two seconds. */
async function worked(): Promise<void> {
  const since = new Date();
  const env = { ...process.env, ...ofThisMachine() };
  const worker = spawn(process.execPath, [CLI_PATH, 'worker'], { env, stdio: 'ignore' });
  const ended = once(worker, 'exit');
  const notDoneSince = async (from: Date) => {
    const runs = await storedIn(world.web.dataDir, 'job_runs');
    const done = runs.filter(({ at, failures }) => (at as Date) > from && failures === 0);
    return JOBS.map(({ name }) => name).filter((name) => !done.some(({ _id }) => String(_id) === name));
  };
  try {
    await expect.poll(() => notDoneSince(since)).toEqual([]);
  } finally {
    worker.kill('SIGTERM');
  }
  expect((await ended)[0]).toBe(0);
}

it('without configuration, no request leaves the machine: not from the web server, its worker, an assistant, an import or the terminal', async () => {
  const person = await world.premium();
  await livedIn(person);
  await assisted(person);
  await imported(person);
  const page = new WebClient(world.web.url);
  await page.keepSession(person.token ?? '', 'none');
  for (const address of [
    '/dashboard',
    '/dashboard/proposals',
    '/dashboard/profile/webhooks',
    '/dashboard/profile/notifications/ntfy',
    '/dashboard/tracking/health/import',
  ])
    expect((await page.get(address)).status, address).toBe(200);
  expect((await person.get('/api/today')).status).toBe(200);
  expect((await person.get('/api/proposals')).body.data?.['total']).toBe(1);
  await worked();
  const { body } = await person.get('/api/schedules/reminders');
  expect(body.data?.['total'], 'a reminder was made').toBeGreaterThan(0);
  expect((await seen()).filter(leaves)).toEqual([]);
});

it('the network watch detects configured outgoing requests, and local ones', async () => {
  const person = await world.premium();
  const url = 'https://[2d00::1]/x';
  const { body } = await person.post('/api/webhooks', { url, events: ['dose.taken'] });
  const { webhook } = body.data as { webhook: { id: string } };
  await person.post(`/api/webhooks/${webhook.id}/test`);
  await person.call('PUT', '/api/profile/ntfy', { body: { url: 'https://ntfy.example.invalid/topic' } });
  const lines = (await seen()).filter(leaves).join();
  expect(lines).toContain('2d00::1');
  expect(lines).toContain('ntfy.example.invalid');

  const near = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  await once(near, 'listening');
  const { port } = near.address() as AddressInfo;
  const connect = `require('node:net').connect(${port}, '127.0.0.1').resume()`;
  const child = spawn(process.execPath, ['-e', connect], { env: { ...process.env, ...WATCHED } });
  await once(child, 'exit');
  near.close();
  expect(await seen()).toContain(`TCPCONNECTWRAP 127.0.0.1 ${port}`);
});
