import type { Worker } from 'node:worker_threads';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  serveEngine,
  startEngine,
  verifyStore,
  type EngineHandle,
  type LogEntry,
} from '#models/engine/index.ts';
import { temporaryDirectory } from '#tests/support/engine.ts';

let dir: string;
let remove: () => Promise<void>;
let engine: EngineHandle;
let client: MongoClient;
let log: LogEntry[];
let lost: Error[];
/** The thread that was started last. */
let thread: Worker | undefined;

const started = (worker: Worker) => void (thread = worker);

beforeEach(async () => {
  process.on('worker', started);
  ({ dir, remove } = await temporaryDirectory());
  log = [];
  lost = [];
});

afterEach(async () => {
  process.off('worker', started);
  await client.close(true);
  await engine.close();
  await remove();
});

const settings = () => ({
  dir,
  log: (entry: LogEntry) => void log.push(entry),
  onLost: (error: Error) => void lost.push(error),
});

/**
 * True once the engine answers; commands that are not retryable fail while it starts. A new client asks each time: the
 * driver waits for ever if it writes to a connection whose end it has read and not yet told (`Connection.writeCommand` of
 * version 7.8 waits for a "drain" that a destroyed socket does not send), and then never looks for the server again.
 */
async function answers(): Promise<boolean> {
  await client.close(true);
  client = new MongoClient(engine.uri, { serverSelectionTimeoutMS: 20_000 });
  return client
    .db('admin')
    .command({ ping: 1 })
    .then(
      () => true,
      () => false,
    );
}

const items = () => client.db().collection<{ _id: number; text?: string }>('items');

/** Has the thread die of an error nobody catches: a message that it cannot read. */
async function crash(): Promise<void> {
  const dying = thread as Worker;
  const ended = new Promise((resolve) => dying.once('exit', resolve));
  dying.postMessage(null);
  await ended;
}

describe('an engine whose thread dies', () => {
  it('restarts at the same address with everything it acknowledged', async () => {
    engine = await startEngine(settings());
    client = await new MongoClient(engine.uri, { serverSelectionTimeoutMS: 20_000 }).connect();
    const acknowledged: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      await expect.poll(answers).toBe(true);
      const writing = Array.from({ length: 60 }, (_, n) =>
        items()
          .insertOne({ _id: round * 1000 + n })
          .then(
            ({ insertedId }) => acknowledged.push(insertedId),
            () => undefined,
          ),
      );
      await Promise.race(writing);
      await crash();
      await Promise.all(writing);
    }
    await expect.poll(answers).toBe(true);
    const stored = new Set(
      await items()
        .find()
        .map(({ _id }) => _id)
        .toArray(),
    );
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThanOrEqual(3);
    expect((await verifyStore({ dir })).problems).toEqual([]);
    expect(log.filter(({ message }) => message.includes('restarting it'))).toHaveLength(3);
    expect(lost).toEqual([]);
  });

  it('leaves nothing of an unfinished write, and blocks nobody', async () => {
    engine = await startEngine(settings());
    client = await new MongoClient(engine.uri, { serverSelectionTimeoutMS: 20_000 }).connect();
    await items().insertMany(Array.from({ length: 20_000 }, (_, n) => ({ _id: n, text: `text ${n}` })));
    let isOver = false;
    const removal = items()
      .deleteMany({})
      .then(
        () => 0,
        () => 20_000,
      )
      .finally(() => (isOver = true));
    const busy = () => client.db('admin').command({ serverStatus: 1 });
    while (!isOver && (await busy())['globalLock'].activeClients.total === 0);
    await crash();
    const expected = await removal;
    await expect.poll(answers).toBe(true);
    expect(await items().countDocuments()).toBe(expected);
    await items().insertOne({ _id: -1, text: 'after' });
    expect((await verifyStore({ dir })).problems).toEqual([]);
  });

  it('keeps its port and password when it serves others', async () => {
    engine = await serveEngine({ ...settings(), port: 0 });
    client = await new MongoClient(engine.uri, { serverSelectionTimeoutMS: 20_000 }).connect();
    await crash();
    await expect.poll(answers).toBe(true);
  });

  it('is paused, and reported to its host, when it keeps dying, and then restarts', async () => {
    engine = await startEngine(settings());
    client = await new MongoClient(engine.uri, { serverSelectionTimeoutMS: 500 }).connect();
    await expect
      .poll(
        () =>
          crash().then(
            () => lost.length,
            () => lost.length,
          ),
        { interval: 100 },
      )
      .toBe(1);
    expect(log.at(-1)).toMatchObject({ level: 'error', message: 'the engine is lost' });
    // What it died of has passed.
    await expect.poll(answers).toBe(true);
    expect(log.at(-1)).toMatchObject({ level: 'info', message: 'the engine is back' });
    expect(lost).toHaveLength(1);
  });
});
