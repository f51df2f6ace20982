import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SILENT_LOG } from '#app/domain/log.ts';
import { parseSettings } from '#app/domain/settings/settings.ts';
import { startEngine } from '#models/engine/index.ts';
import { openDatabaseWaiting, type Database } from '#models/index.server.ts';

let folder: string;
/** The engine's thread that was started last. */
let thread: Worker | undefined;
const started = (worker: Worker) => void (thread = worker);
/** What ends after a test, the last first. */
let ends: (() => Promise<unknown>)[];
/** What the database said at warning and above. */
let told: string[];
const tell = (_facts: object, message: string) => void told.push(message);
const LOG = { ...SILENT_LOG, warn: tell, error: tell };

beforeEach(async () => {
  process.on('worker', started);
  folder = await mkdtemp(path.join(tmpdir(), 'vialbook-stuck-'));
  ends = [];
  told = [];
});

afterEach(async () => {
  process.off('worker', started);
  for (const end of ends.toReversed()) await end();
  await rm(folder, { recursive: true, force: true });
});

/** Has the thread die of an error nobody catches: a message that it cannot read. */
async function crash(): Promise<void> {
  const dying = thread as Worker;
  const ended = new Promise((resolve) => dying.once('exit', resolve));
  dying.postMessage(null);
  await ended;
}

/** An engine behind connections that can be held and cut. */
async function startBehindLine(): Promise<{ uri: string; hold(): Promise<void>; cut(): void }> {
  const engine = await startEngine({ dir: path.join(folder, 'data') });
  ends.push(() => engine.close());
  const socketPath = decodeURIComponent(/\/\/([^/]+)/.exec(engine.uri)?.[1] ?? '');
  let clients: net.Socket[] = [];
  let onHeld: (() => void) | null = null;
  const server = net.createServer((client) => {
    const isMonitors = clients.length === 0;
    clients.push(client);
    const far = net.connect(socketPath);
    client.on('data', (bytes) => (onHeld === null || isMonitors ? far.write(bytes) : onHeld()));
    far.on('data', (bytes) => client.write(bytes));
    for (const [here, there] of [
      [client, far],
      [far, client],
    ] as const)
      here.on('error', () => undefined).on('close', () => there.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    onHeld = null;
    // All ends reach the driver at once; Node tells of that of the monitor last, which was the first.
    for (const client of clients) client.destroy();
    clients = [];
  };
  ends.push(async () => {
    const closed = once(server, 'close');
    server.close();
    cut();
    await closed;
  });
  const { port } = server.address() as net.AddressInfo;
  const limits = 'connectTimeoutMS=200&heartbeatFrequencyMS=500&minHeartbeatFrequencyMS=1';
  return {
    uri: `mongodb://127.0.0.1:${port}/vialbook?directConnection=true&serverSelectionTimeoutMS=500&${limits}`,
    hold: () => new Promise((resolve) => (onHeld = resolve)),
    cut,
  };
}

const keep = ({ repos }: Database, address: string) => repos.demoInterest.keep(address, new Date());

const answers = (database: Database) =>
  database.ping().then(
    () => true,
    () => false,
  );

it('a driver that stops looking for its server gets a new connection', async () => {
  const line = await startBehindLine();
  const database = await openDatabaseWaiting(parseSettings({ MONGODB_URI: line.uri }), LOG);
  ends.push(() => database.close());
  expect(await keep(database, 'before@example.org')).toBe(true);
  const anew = 'the driver had stopped looking for the database; its connection was reopened';
  // A driver whose monitor was just asking finds the way back by itself.
  while (!told.includes(anew)) {
    const holding = line.hold();
    const asking = answers(database);
    await holding;
    line.cut();
    await asking;
    await expect.poll(() => answers(database)).toBe(true);
  }
  expect(await keep(database, 'before@example.org')).toBe(false);
  expect(await keep(database, 'after@example.org')).toBe(true);
});

it('a program with the embedded engine recovers after the engine died, without a restart', async () => {
  const settings = parseSettings({ DATA_DIR: path.join(folder, 'data') });
  const database = await openDatabaseWaiting(settings, LOG);
  ends.push(() => database.close());
  expect(await keep(database, 'before@example.org')).toBe(true);
  for (let round = 0; round < 3; round += 1) {
    const asking = Array.from({ length: 20 }, () => answers(database));
    await crash();
    await Promise.all(asking);
    await expect.poll(() => answers(database)).toBe(true);
  }
  expect(await keep(database, 'before@example.org')).toBe(false);
});
