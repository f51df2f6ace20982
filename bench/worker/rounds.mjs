// Workers as processes of their own over one store, with a push service that counts: how fast they send, and what
// becomes of the reminders when some of them are killed.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { performance } from 'node:perf_hooks';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

/** Bundles what the processes run. @returns its path */
export async function bundleChild() {
  const outdir = path.join(root, 'tmp', 'bundles');
  mkdirSync(outdir, { recursive: true });
  const outfile = path.join(outdir, `worker-child-${process.pid}.mjs`);
  await build({
    absWorkingDir: root,
    entryPoints: ['bench/worker/child.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    packages: 'external',
    external: ['#engine-worker', '#pdf-thread'],
    alias: { '#app': './app', '#models': './models', '#tests': './tests' },
    logLevel: 'error',
  });
  process.on('exit', () => rmSync(outfile, { force: true }));
  return outfile;
}

/** A push service that takes everything after a while, as one far away does, and counts each topic. */
async function startSink(delayMs, onMessage) {
  const topics = new Map();
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => {
      const { topic } = request.headers;
      topics.set(topic, (topics.get(topic) ?? 0) + 1);
      onMessage(topics);
      setTimeout(() => response.writeHead(201).end(), delayMs);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { topics, port: server.address().port, close: () => (server.closeAllConnections(), server.close()) };
}

function start(file, args) {
  const child = spawn(process.execPath, [file, ...args.map(String)], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  // A killed process takes its end of the pipe along.
  child.stdin.on('error', () => {});
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  const ready = new Promise((resolve, reject) => {
    child.stdout.on('data', () => output.includes('ready') && resolve());
    child.once('exit', () => reject(new Error('a worker ended before it began')));
  });
  ready.catch(() => {});
  return { child, ended, ready, output: () => output };
}

async function finish(file, args) {
  const run = start(file, args);
  const { code } = await run.ended;
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}`);
  return run.output();
}

/**
 * Lets workers send a reminder of each of so many due doses, each to one browser.
 * @param killed how many workers are killed when half is sent
 */
export async function workerRound({ file, doses, workers, killed = 0, delayMs = 5, leaseMs = 5_000 }) {
  const dir = mkdtempSync(path.join(tmpdir(), 'vialbook-worker-'));
  let wake = () => {};
  const sink = await startSink(delayMs, () => wake());
  const sent = (wanted) =>
    new Promise((resolve) => {
      wake = () => sink.topics.size >= wanted && resolve();
      wake();
    });
  try {
    await finish(file, ['prepare', dir, sink.port, doses]);
    const running = Array.from({ length: workers }, () => start(file, ['work', dir, sink.port, 0, leaseMs]));
    await Promise.all(running.map(({ ready }) => ready));
    const began = performance.now();
    for (const { child } of running) child.stdin.write('go\n');
    if (killed > 0) {
      await sent(doses / 2);
      for (const { child } of running.slice(0, killed)) child.kill('SIGKILL');
    }
    await sent(doses);
    const seconds = (performance.now() - began) / 1000;
    // What was cut off may come once more, when its lease is over.
    if (killed > 0) await new Promise((resolve) => setTimeout(resolve, leaseMs + 3_000));
    for (const { child } of running) child.kill('SIGTERM');
    const ends = await Promise.all(running.map(({ ended }) => ended));
    const { left } = JSON.parse(await finish(file, ['inspect', dir, sink.port]));
    const times = [...sink.topics.values()];
    return {
      perSecond: doses / seconds,
      reminded: times.length,
      resent: times.reduce((sum, count) => sum + count - 1, 0),
      left,
      badEnds: ends.slice(killed).filter(({ code }) => code !== 0).length,
    };
  } finally {
    sink.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** How many sends one worker has in flight at most. */
export const IN_FLIGHT = 16;
