import { existsSync, statSync } from 'node:fs';
import { createConnection } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveStore } from '#models/engine/commands/serve.ts';
import { serveEngine, startEngine, type EngineHandle, type LogEntry } from '#models/engine/index.ts';
import { openStore } from '#models/engine/storage/index.ts';
import { failureOf, temporaryDirectory } from '#tests/support/engine.ts';
import { openWire } from '#tests/support/wire-client.ts';

let dir: string;
let remove: () => Promise<void>;
let engines: EngineHandle[];
let log: LogEntry[];

beforeEach(async () => {
  ({ dir, remove } = await temporaryDirectory());
  engines = [];
  log = [];
});

afterEach(async () => {
  await Promise.all(engines.map((engine) => engine.close()));
  await remove();
});

async function opened(starting: Promise<EngineHandle>): Promise<EngineHandle> {
  const engine = await starting;
  engines.push(engine);
  return engine;
}

const settings = () => ({ dir, log: (entry: LogEntry) => void log.push(entry) });
const socketOf = (uri: string) => decodeURIComponent(uri.split('/')[2] ?? '');

describe('the engine of this process', () => {
  it('listens on a socket that only its owner can use, with a path short enough for every system, and removes it', async () => {
    const engine = await opened(startEngine(settings()));
    const socket = socketOf(engine.uri);
    expect(engine.uri).toMatch(/^mongodb:\/\/%2F[^/]+\.sock\/vialbook\?directConnection=true$/);
    expect(Buffer.byteLength(socket)).toBeLessThan(107);
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(socket)).mode & 0o777).toBe(0o700);
    await engine.close();
    engines = [];
    expect(existsSync(path.dirname(socket))).toBe(false);
  });

  it('shares a directory with others', async () => {
    const [one, two] = await Promise.all([opened(startEngine(settings())), opened(startEngine(settings()))]);
    const [first, second] = await Promise.all([one, two].map(({ uri }) => new MongoClient(uri).connect()));
    await first?.db().collection('items').insertOne({ a: 1 });
    expect(await second?.db().collection('items').countDocuments({ a: 1 })).toBe(1);
    await Promise.all([first?.close(), second?.close()]);
  });

  it('says why it cannot start', async () => {
    const file = path.join(dir, 'file');
    await import('node:fs/promises').then(({ writeFile }) => writeFile(file, 'not a directory'));
    const error = await failureOf(startEngine({ ...settings(), dir: path.join(file, 'data') }));
    expect(error.name).toBe('EngineStartError');
    expect(error.message).toMatch(/directory/);
  });

  it('finishes running work before it closes', async () => {
    const engine = await opened(startEngine(settings()));
    // A write that is sent again would look for this engine for half a minute.
    const client = await new MongoClient(engine.uri, { retryWrites: false }).connect();
    const items = client.db().collection<{ _id: number }>('items');
    const writes = Array.from({ length: 200 }, (_, _id) =>
      items.insertOne({ _id }).then(
        () => _id,
        () => null,
      ),
    );
    await Promise.all(writes.slice(0, 20));
    await engine.close();
    engines = [];
    const acknowledged = (await Promise.all(writes)).filter((id) => id !== null);
    expect(acknowledged.length).toBeGreaterThanOrEqual(20);
    await client.close(true);
    const again = await opened(startEngine(settings()));
    const reader = await new MongoClient(again.uri).connect();
    const stored = await reader
      .db()
      .collection<{ _id: number }>('items')
      .find()
      .map(({ _id }) => _id)
      .toArray();
    expect(stored).toEqual(expect.arrayContaining(acknowledged));
    await reader.close();
  });
});

describe('serving on a port', () => {
  it('listens on this machine only and requires the password', async () => {
    const engine = await opened(serveEngine({ ...settings(), port: 0 }));
    const uri = new URL(engine.uri);
    expect(uri.hostname).toBe('127.0.0.1');
    expect(uri.search).toBe('?authSource=admin&directConnection=true');
    const client = await new MongoClient(engine.uri).connect();
    await client.db('any').collection('items').insertOne({ a: 1 });
    expect(await client.db('admin').command({ connectionStatus: 1 })).toMatchObject({
      authInfo: { authenticatedUsers: [{ user: uri.username, db: 'admin' }] },
    });
    await client.close();
    const outside = Object.values(os.networkInterfaces())
      .flat()
      .find((address) => address && !address.internal && address.family === 'IPv4');
    if (outside) {
      const refused = await new Promise<boolean>((resolve) => {
        const probe = createConnection(Number(uri.port), outside.address);
        probe.once('connect', () => resolve(false));
        probe.once('error', () => resolve(true));
      });
      expect(refused).toBe(true);
    }
  });

  it('makes a new password each time', async () => {
    const [one, two] = await Promise.all([opened(serveEngine(settings())), opened(serveEngine(settings()))]);
    expect(new URL(one.uri).password).not.toBe(new URL(two.uri).password);
    expect(new URL(one.uri).password.length).toBeGreaterThanOrEqual(32);
  });

  it('refuses a wrong password', async () => {
    const engine = await opened(serveEngine(settings()));
    const uri = new URL(engine.uri);
    uri.password = 'guess';
    expect(await failureOf(new MongoClient(uri.href).connect())).toMatchObject({ code: 18 });
  });

  it('takes no large message from a stranger, and not many strangers at once', async () => {
    const engine = await opened(serveEngine(settings()));
    const friend = await new MongoClient(engine.uri).connect();
    const large = await openWire(engine.uri);
    const head = Buffer.alloc(16);
    head.writeInt32LE(70_000, 0);
    head.writeInt32LE(2013, 12);
    large.write(head);
    await large.closed;
    const strangers = await Promise.all(Array.from({ length: 60 }, () => openWire(engine.uri)));
    await Promise.race(strangers.map(({ closed }) => closed));
    expect(
      await friend
        .db('any')
        .collection('items')
        .insertOne({ text: 'x'.repeat(100_000) }),
    ).toMatchObject({
      acknowledged: true,
    });
    for (const stranger of strangers) stranger.end();
    await friend.close();
  });

  it('disconnects clients that do not sign in, and keeps the others', async () => {
    const store = await openStore({ dir });
    const user = { name: 'vialbook', password: 'right' };
    const served = await serveStore({ store, user, where: { port: 0 }, log: () => undefined, signInMs: 300 });
    const friend = await new MongoClient(
      `mongodb://vialbook:right@${served.address}/?authSource=admin&directConnection=true`,
    ).connect();
    const silent = await openWire(`mongodb://${served.address}/`);
    const talking = await openWire(`mongodb://${served.address}/`);
    expect(await talking.command({ hello: 1, $db: 'admin' })).toMatchObject({ ok: 1 });
    await Promise.all([silent.closed, talking.closed]);
    expect(await friend.db('admin').command({ listDatabases: 1 })).toMatchObject({ ok: 1 });
    await friend.close();
    await served.close();
    await store.close();
  });

  it('runs nothing but the handshake before signing in', async () => {
    const engine = await opened(serveEngine(settings()));
    const wire = await openWire(engine.uri);
    expect(await wire.command({ hello: 1, $db: 'admin' })).toMatchObject({
      ok: 1,
      setName: 'vialbook',
      maxWireVersion: 21,
    });
    for (const body of [
      { find: 'items' },
      { insert: 'items', documents: [{}] },
      { listDatabases: 1 },
      { endSessions: [] },
      { dropDatabase: 1 },
    ]) {
      expect(await wire.command({ ...body, $db: 'admin' })).toMatchObject({
        ok: 0,
        code: 13,
        codeName: 'Unauthorized',
      });
    }
    wire.end();
  });
});

describe('serving on a socket', () => {
  it('listens at the given path, for the owner only', async () => {
    const socket = path.join(dir, 'db.sock');
    const engine = await opened(serveEngine({ ...settings(), dir: path.join(dir, 'data'), socket }));
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    const client = await new MongoClient(engine.uri).connect();
    expect(await client.db('admin').command({ ping: 1 })).toMatchObject({ ok: 1 });
    await client.close();
    await engine.close();
    engines = [];
    expect(existsSync(socket)).toBe(false);
  });

  it('replaces a dead socket and leaves a live one alone', async () => {
    const socket = path.join(dir, 'db.sock');
    const living = await opened(serveEngine({ ...settings(), dir: path.join(dir, 'a'), socket }));
    const error = await failureOf(serveEngine({ ...settings(), dir: path.join(dir, 'b'), socket }));
    expect(error.message).toContain('another process is listening');
    const client = await new MongoClient(living.uri).connect();
    await client.close();
  });

  it('refuses a path that no driver accepts', async () => {
    const error = await failureOf(serveEngine({ ...settings(), socket: path.join(dir, 'db') }));
    expect(error.message).toContain('.sock');
    const long = path.join(dir, 'd'.repeat(100), 'db.sock');
    expect((await failureOf(serveEngine({ ...settings(), socket: long }))).message).toContain('too long');
  });
});
