import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { freePort, startServer } from '#tests/support/server.ts';

/** Packages that only some requests need, most with many dependencies. */
const NOT_AT_START = [
  '@modelcontextprotocol/sdk',
  '@simplewebauthn/server',
  'ical-generator',
  'nodemailer',
  'pdfkit',
  'sharp',
  'stripe',
  'web-push',
];

/** The packages that a built file imports, or what it imports does, before it runs. */
async function importedAtStart(entry: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    metafile: true,
    write: false,
    logLevel: 'error',
  });
  const [found, packages] = [new Set([entry]), new Set<string>()];
  for (const file of found)
    for (const { path: target, kind, external } of metafile.inputs[file]?.imports ?? [])
      if (kind !== 'dynamic-import') (external ? packages : found).add(target);
  return [...packages].map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
}

it('a server says once that it runs as root, and only then', async () => {
  const server = await startServer();
  await server.stop();
  const warnings = server.output().match(/"level":40.*root/g) ?? [];
  expect(warnings).toHaveLength(process.getuid?.() === 0 ? 1 : 0);
});

it('a server loads no package at its start that its first response does not need', async () => {
  const loaded = await importedAtStart('build/server/index.js');
  // Packages that are loaded must be found, or the check below would mean nothing.
  expect(loaded).toEqual(expect.arrayContaining(['pino', 'mongoose', '@remix-run/react']));
  expect(NOT_AT_START.filter((name) => loaded.includes(name))).toEqual([]);
});

it('a server whose settings name a deployment starts no engine of its own', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'vialbook-start-'));
  const [DATA_DIR, PORT] = [path.join(folder, 'data'), String(await freePort())];
  const child = spawn(process.execPath, ['build/web/server.js'], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      MONGODB_URI: 'mongodb://127.0.0.1:9/vialbook',
      SESSION_SECRET: 's'.repeat(40),
      DATA_DIR,
      PORT,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    await expect.poll(() => output).toContain('the database cannot be reached');
    expect(existsSync(DATA_DIR)).toBe(false);
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  }
});
