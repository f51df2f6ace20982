// Runs the built server once, on an empty data directory, and stores V8's compiled code for the start and the first pages
// next to its programs (`app/server/program.server.ts`). Later starts on the same Node use it. The build also works
// without it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = fileURLToPath(import.meta.url);
const root = path.dirname(path.dirname(here));

/** The address of a file of the web server's build. */
const built = (name) => pathToFileURL(path.join(root, 'build/web', name)).href;

/** The first pages that visitors open. */
const PAGES = ['/', '/calculator', '/login', '/register'];
/** How long to wait for a page, in ms, and how often to request it meanwhile. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 20;

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

async function visit(address) {
  const end = Date.now() + PATIENCE_MS;
  while (Date.now() < end) {
    const answer = await fetch(address);
    await answer.text();
    if (answer.ok) return;
    await wait(PAUSE_MS);
  }
  throw new Error(`${address} did not answer`);
}

/** In the process to compile: serves, visits its own pages, stores the compiled code, and ends. */
async function run() {
  const { saveCompiled } = await import(built('program.js'));
  await import(built('server.js'));
  for (const page of PAGES) await visit(`http://127.0.0.1:${process.env.PORT}${page}`);
  saveCompiled();
  process.kill(process.pid, 'SIGTERM');
}

/** Compiles the programs of the build. If this fails, starts are slower, but everything works. */
export async function compilePrograms() {
  const directory = await mkdtemp(path.join(tmpdir(), 'vialbook-build-'));
  // Only what the process needs: the builder's settings and flags must not apply to later servers.
  const { PATH = '', HOME = tmpdir() } = process.env;
  const env = { PATH, HOME, NODE_ENV: 'production', LOG_LEVEL: 'fatal', HOST: '127.0.0.1' };
  const child = spawn(process.execPath, [here], {
    cwd: root,
    env: { ...env, TMPDIR: tmpdir(), PORT: String(await freePort()), DATA_DIR: path.join(directory, 'data') },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  await rm(directory, { recursive: true, force: true });
  if (code !== 0) console.error('The server could not be precompiled. It will take longer to start.');
}

if (process.argv[1] === here) await run();
