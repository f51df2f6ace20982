// Starts the built server and the baselines as separate processes, and stops them.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(path.dirname(here));

export function freePort() {
  return new Promise((resolve) => {
    const probe = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** @returns {Promise<{ status: number, body: string } | null>} null while nobody answers */
export function get(port, address) {
  return new Promise((resolve) => {
    const request = http.get({ host: '127.0.0.1', port, path: address, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk) => (body += chunk));
      response.on('end', () => resolve({ status: response.statusCode, body }));
    });
    request.on('error', () => resolve(null));
  });
}

/**
 * Starts a process that listens at `port` and waits for its first 200.
 * @returns the child, and how long it took in ms
 */
async function started(args, { port, address, env, cwd = root }) {
  const begin = performance.now();
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr.setEncoding('utf8');
  while ((await get(port, address))?.status !== 200) {
    if (child.exitCode !== null) throw new Error(`node ${args.join(' ')} ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
  return { port, child, milliseconds: performance.now() - begin };
}

async function stopped(child) {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

/** Starts the built server on an empty data directory. @param folder the program's folder, whose `build` is used */
export async function startApp({ address = '/calculator', nodeArgs = [], folder = root, ...more } = {}) {
  const port = await freePort();
  const dataDir = mkdtempSync(path.join(tmpdir(), 'vialbook-bench-'));
  const env = { DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...more.env };
  const server = await started([...nodeArgs, path.join(folder, 'build/web/server.js')], {
    port,
    address,
    env,
    cwd: folder,
  });
  return {
    ...server,
    dataDir,
    async stop() {
      await stopped(server.child);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A baseline of `bare.mjs`. */
export async function startBare(...task) {
  const port = await freePort();
  const server = await started([path.join(here, 'bare.mjs'), ...task], { port, address: '/', env: {} });
  return { ...server, stop: () => stopped(server.child) };
}

export const heapHook = path.join(here, 'heap.mjs');
export const processorHook = path.join(here, 'processor.mjs');
