// Workers as separate processes over one store, with counting receivers: measures how fast they send, and what
// happens to reminders and events when some of them are killed.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { performance } from 'node:perf_hooks';
import path from 'node:path';
import { build } from 'esbuild';
import { PROGRAM } from '../../../scripts/build-node.mjs';

const root = path.resolve(import.meta.dirname, '../../..');

/** Bundles the processes' program. @returns its path */
export async function bundleChild(entry = 'tests/support/rounds/worker-child.ts') {
  const outdir = path.join(root, 'tmp', 'bundles');
  mkdirSync(outdir, { recursive: true });
  const outfile = path.join(outdir, `${path.basename(entry, '.ts')}-${process.pid}.mjs`);
  await build({
    ...PROGRAM,
    entryPoints: [entry],
    outfile,
    alias: { '#app': './app', '#models': './models', '#tests': './tests' },
  });
  process.on('exit', () => rmSync(outfile, { force: true }));
  return outfile;
}

/** A message's destination, subject, and id. */
function nameOf({ url, headers }, body) {
  if (url.startsWith('/push/')) return { about: `push ${headers.topic}`, id: headers.topic };
  const message = JSON.parse(body);
  if (url.startsWith('/ntfy/'))
    return { about: `ntfy ${message.topic} ${message.sequence_id}`, id: message.sequence_id };
  return { about: `hook ${url} ${message.data.doseId}`, id: message.id };
}

/** The same where doses are moved, so that each has several reminders and events: by its words, which hold the time. */
function wordsOf({ url }, body) {
  const message = JSON.parse(body);
  if (url.startsWith('/ntfy/'))
    return {
      about: `ntfy ${message.topic} ${message.sequence_id} ${message.message}`,
      id: message.sequence_id,
    };
  return { about: `hook ${url} ${message.data.doseId} ${message.data.dueDate}`, id: message.id };
}

/** What a webhook receiver does with the first attempt of an event; it accepts the next one. */
const FIRST_TRIES = {
  fails: (response) => response.writeHead(500).end(),
  hangs: () => {},
  redirects: (response, port) =>
    response.writeHead(307, { Location: `http://127.0.0.2:${port}/inside` }).end(),
};

/**
 * A push service, an ntfy server and receivers of webhooks, which take everything after a while, as those far away do, and
 * count what they took. What stands behind them, in the private network, counts connections.
 */
async function startSink(delayMs, onMessage, identify = nameOf) {
  const taken = new Map();
  const ids = new Map();
  const tried = new Set();
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.once('end', () => {
      const { about, id } = identify(request, Buffer.concat(chunks));
      ids.set(about, (ids.get(about) ?? new Set()).add(id));
      const [, kind] = /^\/hooks\/(\w+)\//.exec(request.url) ?? [];
      if (kind in FIRST_TRIES && !tried.has(about)) {
        tried.add(about);
        FIRST_TRIES[kind](response, server.address().port);
        return;
      }
      taken.set(about, (taken.get(about) ?? 0) + 1);
      onMessage();
      setTimeout(() => response.writeHead(201).end(), delayMs);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  let inside = 0;
  const behind = createServer().on('connection', (socket) => {
    inside += 1;
    socket.destroy();
  });
  await new Promise((resolve) => behind.listen(port, '127.0.0.2', resolve));
  return {
    taken,
    ids,
    port,
    inside: () => inside,
    close() {
      server.closeAllConnections();
      server.close();
      behind.close();
    },
  };
}

function start(file, args) {
  const child = spawn(process.execPath, [file, ...args.map(String)], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  // Ignores write errors: the pipe breaks when the process is killed.
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
 * Lets workers send a reminder of each of so many due doses.
 * @param killed how many workers are killed when half is sent
 * @param everywhere also to a webhook and an ntfy topic: four of five receivers of webhooks refuse the first try
 */
export async function workerRound({
  file,
  doses,
  workers,
  killed = 0,
  delayMs = 5,
  leaseMs = 5_000,
  everywhere = false,
}) {
  const dir = mkdtempSync(path.join(tmpdir(), 'vialbook-worker-'));
  let wake = () => {};
  const sink = await startSink(delayMs, () => wake());
  const sent = (expected) =>
    new Promise((resolve) => {
      wake = () => sink.taken.size >= expected && resolve();
      wake();
    });
  const messages = everywhere ? 3 * doses : doses;
  const reach = everywhere ? 'everywhere' : 'push';
  try {
    await finish(file, ['prepare', dir, sink.port, doses, leaseMs, reach]);
    const running = Array.from({ length: workers }, () =>
      start(file, ['work', dir, sink.port, doses, leaseMs, reach]),
    );
    await Promise.all(running.map(({ ready }) => ready));
    const began = performance.now();
    for (const { child } of running) child.stdin.write('go\n');
    let killedAt = began;
    if (killed > 0) {
      await sent(messages / 2);
      killedAt = performance.now();
      for (const { child } of running.slice(0, killed)) child.kill('SIGKILL');
    }
    await sent(messages);
    const seconds = (performance.now() - began) / 1000;
    // Interrupted messages may be sent once more when their lease ends.
    const rest = killedAt + leaseMs + 3_000 - performance.now();
    if (killed > 0 && rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
    for (const { child } of running) child.kill('SIGTERM');
    const ends = await Promise.all(running.map(({ ended }) => ended));
    const { left } = JSON.parse(await finish(file, ['inspect', dir, sink.port]));
    const channel = (name) => {
      const times = [...sink.taken].filter(([about]) => about.startsWith(name)).map(([, count]) => count);
      return { sent: times.length, resent: times.reduce((sum, count) => sum + count - 1, 0) };
    };
    const moved = path.join(dir, 'moved');
    return {
      perSecond: messages / seconds,
      push: channel('push'),
      ntfy: channel('ntfy'),
      webhooks: channel('hook'),
      underTwoIds: [...sink.ids.values()].filter(({ size }) => size > 1).length,
      ledInside: existsSync(moved) ? statSync(moved).size : 0,
      reachedInside: sink.inside(),
      left,
      badEnds: ends.slice(killed).filter(({ code }) => code !== 0).length,
    };
  } finally {
    sink.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** How often, a second apart, the rounds with people look for work that is left: longer than a slow machine needs. */
const LOOKS = 300;

/**
 * Lets workers do everything that is due, two people's processes take, undo and move doses meanwhile, and kills some workers on
 * the way. Time runs 300 times as fast: plans of two hours pass in seconds.
 * @param people accounts with a plan of 24 doses each
 * @param steps what each of the two processes does to their doses
 */
export async function livesRound({ file, people, steps, workers, killed, leaseMs = 15_000 }) {
  const dir = mkdtempSync(path.join(tmpdir(), 'vialbook-lives-'));
  let wake = () => {};
  const sink = await startSink(2, () => wake(), wordsOf);
  const arrived = (expected) =>
    new Promise((resolve) => {
      wake = () => sink.taken.size >= expected && resolve();
      wake();
    });
  try {
    const base = Date.now();
    const at = (role, amount, ...began) => [role, dir, sink.port, amount, leaseMs, 'lives', base, ...began];
    await finish(file, at('settle', people));
    const running = Array.from({ length: workers }, () => start(file, at('work', 0)));
    const living = [1, 2].map(() => start(file, at('live', steps)));
    await Promise.all([...running, ...living].map(({ ready }) => ready));
    // Time stands still until all processes have started.
    const began = Date.now();
    for (const { child } of [...running, ...living]) child.stdin.write(`go ${began}\n`);
    await arrived(people);
    for (const { child } of running.slice(0, killed)) child.kill('SIGKILL');
    const lives = await Promise.all(living.map(({ ended }) => ended));
    const did = living.map(({ output }) => JSON.parse(output().replace('ready', '')));
    // The work of killed processes is done after their leases end.
    const { left } = JSON.parse(await finish(file, at('tally', LOOKS, began)));
    for (const { child } of running) child.kill('SIGTERM');
    const ends = await Promise.all(running.map(({ ended }) => ended));
    // Doses go on falling due until the last worker ends: what came since the look that found nothing left is not lost.
    const { problems } = JSON.parse(await finish(file, at('tally', 1, began)));
    const channel = (name) => {
      const times = [...sink.taken].filter(([about]) => about.startsWith(name)).map(([, count]) => count);
      return { sent: times.length, resent: times.reduce((sum, count) => sum + count - 1, 0) };
    };
    return {
      did: Object.fromEntries(
        ['take', 'undo', 'move'].map((act) => [act, did.reduce((sum, one) => sum + one[act], 0)]),
      ),
      ntfy: channel('ntfy'),
      webhooks: channel('hook'),
      underTwoIds: [...sink.ids.values()].filter(({ size }) => size > 1).length,
      left,
      problems,
      badEnds: [...lives, ...ends.slice(killed)].filter(({ code }) => code !== 0).length,
    };
  } finally {
    sink.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** How many sends of one outbox a worker has in flight at most. */
export const IN_FLIGHT = 16;
