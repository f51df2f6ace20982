import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { useEngine } from '#tests/support/engine.ts';
import { sized } from '#tests/support/size.ts';
import { commandBytes, openWire } from '#tests/support/wire-client.ts';

const engine = useEngine();

const ping = { ping: 1, $db: 'admin' };

/** A header that announces `size` bytes of an operation. */
function header(size: number, opCode = 2013): Buffer {
  const head = Buffer.alloc(16);
  head.writeInt32LE(size, 0);
  head.writeInt32LE(opCode, 12);
  return head;
}

/** An OP_MSG around bytes that claim to be a document. */
function around(document: Buffer): Buffer {
  return Buffer.concat([header(21 + document.length), Buffer.alloc(5), document]);
}

/** Nesting far beyond what any parser that recurses survives. */
function deepDocument(levels: number): Buffer {
  const total = 5 + levels * 8;
  const bytes = Buffer.alloc(total);
  for (let level = 0; level < levels; level += 1) {
    const at = level * 7;
    bytes.writeInt32LE(total - level * 8, at);
    bytes.write('\x03a\0', at + 4, 'latin1');
  }
  bytes.writeInt32LE(5, levels * 7);
  return bytes;
}

const HOSTILE: [string, Buffer][] = [
  ['a message of no length', header(0)],
  ['a message of negative length', header(-5)],
  ['a message over 48 MB', header(48_000_001)],
  ['an unknown operation', Buffer.concat([header(20, 1234), Buffer.alloc(4)])],
  ['a legacy insert', Buffer.concat([header(20, 2002), Buffer.alloc(4)])],
  ['a compressed message', Buffer.concat([header(40, 2012), Buffer.alloc(24)])],
  ['an empty OP_MSG', Buffer.concat([header(20), Buffer.alloc(4)])],
  ['a document longer than the message', around(Buffer.from([0xff, 0xff, 0, 0, 0]))],
  ['a document of an unknown type', around(Buffer.from([12, 0, 0, 0, 0x66, 0x61, 0, 1, 2, 3, 4, 0]))],
  [
    'a string longer than its document',
    around(Buffer.from([16, 0, 0, 0, 2, 0x61, 0, 0xff, 0, 0, 0, 0x61, 0x61, 0x61, 0, 0])),
  ],
  ['a hundred thousand levels of nesting', around(deepDocument(100_000))],
  ['an HTTP request', Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')],
];

describe('a malformed message', () => {
  it.each(HOSTILE)('closes only its sender’s connection: %s', async (_name, bytes) => {
    const bystander = await openWire(engine.uri);
    const sender = await openWire(engine.uri);
    const before = engine.log.length;
    sender.write(bytes);
    await sender.closed;
    const line = { level: 'warn', message: 'closing a connection after a malformed message' };
    await expect.poll(() => engine.log.slice(before)).toContainEqual(expect.objectContaining(line));
    expect(await bystander.command(ping)).toMatchObject({ ok: 1 });
    bystander.end();
  });

  it('that is incomplete is dropped when its sender disconnects', async () => {
    const sender = await openWire(engine.uri);
    sender.write(commandBytes(ping).subarray(0, 20));
    sender.socket.end();
    await sender.closed;
    expect(await engine.client.db('admin').command({ ping: 1 })).toMatchObject({ ok: 1 });
  });

  it('never crashes the engine, whichever bytes are changed', async () => {
    const good = commandBytes({
      insert: 'fuzz',
      documents: [{ _id: 1, a: { b: [1, 'two', null, true] } }],
      ordered: true,
      $db: 'fuzzed',
    });
    const change = fc.tuple(fc.nat(good.length - 1), fc.nat(255));
    const attack = async (changes: [number, number][]) => {
      const sender = await openWire(engine.uri);
      const bytes = Buffer.from(good);
      for (const [at, value] of changes) bytes[at] = value;
      sender.socket.end(bytes);
      sender.socket.resume();
      await sender.closed;
    };
    await fc.assert(fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 5 }), attack), {
      numRuns: 300,
    });
    expect(await engine.client.db('admin').command({ ping: 1 })).toMatchObject({ ok: 1 });
    expect(engine.log.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('a client that sends slowly, byte by byte', () => {
  it('is served like any other', async () => {
    const slow = await openWire(engine.uri);
    for (const byte of commandBytes(ping)) {
      slow.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await slow.reply()).toMatchObject({ ok: 1 });
    slow.end();
  });
});

describe('a client that does not read its replies', () => {
  it('blocks nobody else, and is answered when it reads again', async () => {
    const items = engine.db().collection<{ _id: number; text: string }>('items');
    await items.insertMany(Array.from({ length: 12 }, (_, _id) => ({ _id, text: 'x'.repeat(1_000_000) })));
    const lazy = await openWire(engine.uri);
    const asked = sized(8, 20);
    lazy.socket.pause();
    const find = commandBytes({ find: 'items', $db: items.dbName });
    for (let n = 0; n < asked; n += 1) lazy.write(find);
    for (let n = 0; n < 50; n += 1) expect(await items.findOne({ _id: n % 12 })).not.toBeNull();
    lazy.socket.resume();
    for (let n = 0; n < asked; n += 1) expect(await lazy.reply()).toMatchObject({ ok: 1 });
    lazy.end();
  });
});

describe('hostile names and values', () => {
  it('are treated as plain data', async () => {
    const items = engine.db().collection<Record<string, unknown>>('items');
    const wire = await openWire(engine.uri);
    const evil = JSON.parse(
      '{ "_id": 1, "__proto__": { "polluted": true }, "constructor": { "prototype": { "polluted": true } } }',
    ) as Record<string, unknown>;
    expect(await wire.command({ insert: 'items', documents: [evil], $db: items.dbName })).toMatchObject({
      n: 1,
    });
    const { cursor } = await wire.command({
      find: 'items',
      filter: { 'constructor.prototype.polluted': true },
      $db: items.dbName,
    });
    expect((cursor as { firstBatch: object[] }).firstBatch).toHaveLength(1);
    expect(Object.keys((cursor as { firstBatch: object[] }).firstBatch[0] ?? {})).toContain('__proto__');
    const update = { q: { _id: 1 }, u: { $set: { '__proto__.polluted': 1, 'constructor.prototype.x': 1 } } };
    await wire.command({ update: 'items', updates: [update], $db: items.dbName });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    wire.end();
  });

  it.each([
    [{ find: 'it\0ems', $db: 'd' }, 73],
    [{ find: 'items', $db: 'd\0e' }, 73],
    [{ find: 'items', $db: 'a.b' }, 73],
    [{ find: 'items', $db: '' }, 73],
    [{ find: '', $db: 'd' }, 73],
    [{ insert: 'a$b', documents: [{}], $db: 'd' }, 73],
    [{ insert: 'system.users', documents: [{}], $db: 'd' }, 73],
    [{ find: 5, $db: 'd' }, 2],
    [{ find: 'items' }, 40571],
    [{ constructor: 1, $db: 'd' }, 59],
    [{ find: 'items', filter: { $where: 'while (true);' }, $db: 'd' }, 2],
    [{ mapReduce: 'items', map: 'f', reduce: 'f', $db: 'd' }, 59],
  ])('are refused: %j', async (body, code) => {
    const wire = await openWire(engine.uri);
    await engine.client
      .db('d')
      .collection<{ _id: number }>('items')
      .updateOne({ _id: 1 }, { $set: { a: 1 } }, { upsert: true });
    expect(await wire.command(body)).toMatchObject({ ok: 0, code });
    wire.end();
  });
});
