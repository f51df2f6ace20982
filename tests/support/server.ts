import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { databaseEnv } from './named-deployment.ts';

export interface RunningServer {
  url: string;
  dataDir: string;
  process: ChildProcess;
  /** Everything the server wrote, both streams. */
  output(): string;
  /** Ends it with a signal; resolves to its exit code (null when a signal ended it). */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** A port that nothing listened on a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

function waitFor(child: ChildProcess, text: string, output: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the server did not start:\n${output()}`)), 600_000);
    child.stdout?.on('data', () => {
      if (!output().includes(text)) return;
      clearTimeout(timer);
      resolve();
    });
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`the server ended with ${code}:\n${output()}`));
    });
  });
}

/** Node's arguments to start the server of this package. */
const OWN = ['build/web/server.js'];

/** The same for `remix-serve build/server/index.js`. */
export const STOCK = ['node_modules/.bin/remix-serve', 'build/server/index.js'];

/** What starts a server of which a test says nothing else; `npm test -- --server stock` runs it behind `remix-serve`. */
const USUAL = process.env.SERVER === 'stock' ? STOCK : OWN;

/**
 * Starts the built server as `npm start` does, on a free port with a data directory of its own (removed at the end
 * unless the caller gave one).
 */
export async function startServer(
  options: {
    dataDir?: string;
    env?: Record<string, string>;
    port?: number;
    /** Node's arguments. */
    command?: readonly string[];
  } = {},
): Promise<RunningServer> {
  const port = options.port ?? (await freePort());
  const dataDir = options.dataDir ?? (await mkdtemp(path.join(os.tmpdir(), 'vialbook-web-')));
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH ?? '',
    HOME: os.tmpdir(),
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    ...options.env,
  };
  const command = options.command ?? USUAL;
  const child = spawn(process.execPath, command, {
    env: databaseEnv({ ...env, PORT: String(port), DATA_DIR: dataDir }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  const output = () => Buffer.concat(chunks).toString('utf8');
  await waitFor(child, command === STOCK ? '[remix-serve]' : 'Vialbook is running at', output);
  return {
    url: `http://localhost:${port}`,
    dataDir,
    process: child,
    output,
    async stop(signal = 'SIGTERM') {
      const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
      const code = child.exitCode === null && child.kill(signal) ? await ended : child.exitCode;
      if (!options.dataDir) await rm(dataDir, { recursive: true, force: true });
      return code;
    },
  };
}
