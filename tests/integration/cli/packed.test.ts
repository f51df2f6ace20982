import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { calculationForm, signUp } from '#tests/integration/routes/web.ts';
import { WebClient } from '#tests/integration/routes/web-client.ts';
import { spawnShell } from '#tests/support/cli.ts';
import { freePort } from '#tests/support/server.ts';
import { isFullSize } from '#tests/support/size.ts';

const run = promisify(execFile);

/**
 * The packed program, installed globally into a separate folder, out of reach of the repository. A test cannot rely on a
 * registry, so its dependencies are links to ours; at full size npm installs it.
 */
let folder: string;
let home: string;
let program: string;

async function installLinked(tarball: string): Promise<void> {
  await mkdir(home, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', home, '--strip-components=1']);
  for (const name of await readdir('node_modules'))
    if (!name.startsWith('.') && name !== 'vialbook')
      await symlink(path.resolve('node_modules', name), path.join(folder, 'lib/node_modules', name));
  await mkdir(path.join(folder, 'bin'));
  await symlink('../lib/node_modules/vialbook/build/cli/main.js', path.join(folder, 'bin/vialbook'));
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vialbook-packed-'));
  home = path.join(folder, 'lib/node_modules/vialbook');
  program = path.join(folder, 'bin/vialbook');
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder]);
  const [name = ''] = (await readdir(folder)).filter((file) => file.endsWith('.tgz'));
  const tarball = path.join(folder, name);
  if (isFullSize)
    await run('npm', ['install', '--global', '--prefix', folder, '--no-audit', '--no-fund', tarball]);
  else await installLinked(tarball);
}, 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const env = (data = 'data') => ({
  DATA_DIR: path.join(folder, data),
  VIALBOOK_PASSWORD: 'blue-kettle-47',
  NODE_ENV: 'production' as const,
});
/** The same for a program started by an assistant. */
const stringEnv = (): Record<string, string> => ({ PATH: process.env['PATH'] ?? '', ...env() });
const vialbook = (words: string, { stdin = '', data = 'data' } = {}) =>
  spawnShell(`${program} ${words}`, { cwd: folder, stdin, env: env(data) });

/** Starts the server from a command line in a folder, uses it, and ends it as an operator would. */
async function serving(
  [file = '', ...args]: readonly string[],
  cwd: string,
  work: (client: WebClient) => Promise<void>,
): Promise<string> {
  const port = await freePort();
  const server = spawn(file, args, {
    cwd,
    env: { ...process.env, ...env(), LOG_LEVEL: 'info', PORT: String(port) },
  });
  let output = '';
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const ended = once(server, 'exit');
  try {
    await expect.poll(() => output).toContain(`Vialbook is running at http://localhost:${port}`);
    await work(new WebClient(`http://localhost:${port}`));
  } finally {
    server.kill('SIGTERM');
  }
  expect((await ended)[0]).toBe(0);
  return output;
}

it('the package has no sources or tests, and works without the repository: calc, export, import', async () => {
  const held = (await readdir(home)).filter((name) => name !== 'node_modules');
  expect(held.toSorted()).toEqual([
    'README.md',
    'build',
    'docs',
    'exec.cmd',
    'package.json',
    'public',
    'scripts',
  ]);
  expect(await vialbook('calc --amount 5mg --water 2ml --dose 250mcg')).toMatchObject({ code: 0 });
  expect(await vialbook('admin create root@example.org --yes')).toMatchObject({ code: 0 });
  const file = JSON.stringify({
    compounds: [{ id: 'vial_01234567', createdAt: '2026-01-01T00:00:00.000Z', name: 'A', totalAmount: 5 }],
  });
  expect(await vialbook('import --user root@example.org -', { stdin: file })).toMatchObject({ code: 0 });
  const { stdout } = await vialbook(
    'export --user root@example.org --format csv --types compounds --no-metadata',
  );
  expect(stdout).toContain('vial_01234567');
});

it('the package serves an account to an assistant', async () => {
  const args = ['mcp', '--user', 'root@example.org', '--read-only'];
  const transport = new StdioClientTransport({ command: program, args, cwd: folder, env: stringEnv() });
  const client = new Client({ name: 'tests', version: '1' });
  await client.connect(transport);
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('getToday');
  expect(await client.readResource({ uri: 'vialbook://stock' })).toMatchObject({
    contents: [{ text: expect.stringContaining('vial_01234567') as string }],
  });
  await client.close();
});

it('the package serves the web app, logs only JSON, and ends on a signal', async () => {
  const output = await serving([program, 'serve'], folder, async (client) => {
    await signUp(client, 'packed@example.org', { plan: 'trial' });
    const saved = await client.post('/dashboard/calculator', calculationForm({ peptideName: 'Packed' }));
    expect(saved.status).toBe(302);
    const page = await client.get('/dashboard/calculator?history=1');
    expect(page.body).toContain('Packed');
    const [, stylesheet = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(page.body) ?? [];
    expect((await client.get(stylesheet)).status).toBe(200);
  });
  for (const line of output.trimEnd().split('\n'))
    expect(() => JSON.parse(line) as unknown, line).not.toThrow();
});

it('npm start in the package serves without building or installing', async () => {
  const output = await serving(['npm', 'start', '--silent'], home, async (client) => {
    expect((await client.get('/calculator')).status).toBe(200);
  });
  for (const line of output.trimEnd().split('\n'))
    expect(() => JSON.parse(line) as unknown, line).not.toThrow();
});

it('the package backs up and restores what the server stored', async () => {
  const archive = path.join(folder, 'all.vialbook');
  expect(await vialbook(`db backup --out ${archive}`)).toMatchObject({ code: 0 });
  expect((await readFile(archive)).byteLength).toBeGreaterThan(1000);
  expect(await vialbook(`db restore ${archive} --yes`, { data: 'restored' })).toMatchObject({ code: 0 });
  const { stdout } = await vialbook('export --user packed@example.org --format json --types calculations', {
    data: 'restored',
  });
  expect(JSON.parse(stdout)).toMatchObject({ calculations: [{ peptideName: 'Packed' }] });
});

it('the package reports an invalid setting before starting anything', async () => {
  expect(await vialbook('serve --port 70000')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/PORT.*65535/) as string,
  });
});
