import { join } from 'node:path';
import { Long, MongoClient, UUID, type ClientSession, type Document } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveStore, type Served } from '#models/engine/commands/serve.ts';
import { startEngine } from '#models/engine/index.ts';
import type { LogSink } from '#models/engine/log.ts';
import { openStore, type Store } from '#models/engine/storage/index.ts';
import { failureOf, temporaryDirectory } from '#tests/support/engine.ts';
import { openWire, type WireClient } from '#tests/support/wire-client.ts';
import { useItems } from './items.ts';

const TRANSIENT = 'TransientTransactionError';

const given = useItems();
let wire: WireClient;
let lsid: { id: UUID };
let number: number;

beforeEach(async () => {
  wire = await openWire(given.engine.uri);
  lsid = { id: new UUID() };
  number = 1;
});

afterEach(() => wire.end());

/** Sends a command as a statement of the transaction. */
function send(command: Document, through = wire): Promise<Document> {
  const txn = { lsid, txnNumber: Long.fromNumber(number), autocommit: false };
  return through.command({ ...command, $db: given.items.db.databaseName, ...txn, ...command });
}

const begin = (command: Document, through = wire) => send({ ...command, startTransaction: true }, through);
const commit = (through = wire) => send({ commitTransaction: 1, $db: 'admin' }, through);
const abort = () => send({ abortTransaction: 1, $db: 'admin' });
const insert = (..._ids: number[]) => ({ insert: 'items', documents: _ids.map((_id) => ({ _id })) });
const stored = (..._ids: number[]) => given.items.countDocuments({ _id: { $in: _ids } });
const transient = (code: number) => ({ ok: 0, code, errorLabels: [TRANSIENT] });

describe('a transaction of the driver', () => {
  const within = (work: (session: ClientSession) => Promise<unknown>) =>
    given.engine.client.withSession((session) => session.withTransaction(() => work(session)));

  it('sees its own writes, which nobody else sees before its end', async () => {
    const other = given.items.db.collection<{ _id: string }>('made within');
    await within(async (session) => {
      await given.items.insertOne({ _id: 6, x: 66 }, { session });
      await given.items.updateMany({ x: { $gt: 40 } }, { $set: { y: 1 } }, { session });
      await given.items.deleteOne({ _id: 1 }, { session });
      await other.insertOne({ _id: 'new' }, { session });
      const found = await given.items.findOneAndUpdate({ y: 1 }, { $inc: { x: 1 } }, { session });
      expect(found).toEqual({ _id: 4, x: 44, y: 1 });
      expect(await given.items.countDocuments({ y: 1 }, { session })).toBe(3);
      expect(await given.items.distinct('x', { y: 1 }, { session })).toEqual([45, 55, 66]);
      expect(await stored(1, 6)).toBe(1);
      expect(await other.countDocuments()).toBe(0);
    });
    expect(await given.items.find({ y: 1 }).toArray()).toHaveLength(3);
    expect(await stored(1, 6)).toBe(1);
    expect(await other.countDocuments()).toBe(1);
  });

  it('undoes everything when its work fails, collections and indexes too', async () => {
    const made = given.items.db.collection<{ _id: number }>('undone');
    const work = within(async (session) => {
      await made.insertMany([{ _id: 1 }, { _id: 2 }], { session });
      await given.items.deleteMany({}, { session });
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await given.items.countDocuments()).toBe(5);
    expect(await given.items.db.listCollections({ name: 'undone' }).toArray()).toEqual([]);
    await made.insertOne({ _id: 1 });
    expect(await made.estimatedDocumentCount()).toBe(1);
  });

  it('reads long results in batches, and its own changes', async () => {
    const text = 'x'.repeat(2000);
    await given.items.insertMany(Array.from({ length: 1000 }, (_, n) => ({ _id: 100 + n, text })));
    await within(async (session) => {
      await given.items.updateOne({ _id: 100 }, { $set: { y: 7 } }, { session });
      const found = await given.items.find({ text }, { session, batchSize: 10 }).toArray();
      expect(found.map(({ _id }) => _id)).toEqual(Array.from({ length: 1000 }, (_, n) => 100 + n));
      expect(found[0]?.y).toBe(7);
      const cursor = given.items.find({ text }, { session, batchSize: 10 });
      expect(await cursor.next()).toEqual(found[0]);
      await cursor.close();
      await given.items.deleteOne({ _id: 100 }, { session });
    });
    expect(await stored(100)).toBe(0);
  });

  it('of each of many clients gets its turn, and so do other writes', async () => {
    let ends = 0;
    let writing: Promise<number> | undefined;
    await Promise.all(
      Array.from({ length: 60 }, () =>
        within(async (session) => {
          writing ??= given.items.insertOne({ _id: 6 }).then(() => ends);
          const item = await given.items.findOne({ _id: 1 }, { session });
          await given.items.replaceOne({ _id: 1 }, { x: (item?.x ?? 0) + 1 }, { session });
          await given.items.updateOne({ _id: 2 }, { $inc: { x: -1 } }, { session });
        }).then(() => (ends += 1)),
      ),
    );
    expect(await writing).toBeLessThan(60);
    expect(await given.items.find({ _id: { $in: [1, 2] } }).toArray()).toEqual([
      { _id: 1, x: 71 },
      { _id: 2, x: -38 },
    ]);
  });

  it('is aborted by a duplicate key', async () => {
    const attempts: number[] = [];
    const work = within(async (session) => {
      attempts.push(1);
      await given.items.insertOne({ _id: 6 }, { session });
      await given.items.insertMany([{ _id: 7 }, { _id: 1 }, { _id: 8 }], { session, ordered: false });
    });
    expect(await failureOf(work)).toMatchObject({ code: 11000 });
    expect(attempts).toHaveLength(1);
    expect(await given.items.countDocuments()).toBe(5);
  });
});

describe('a transaction that is not committed', () => {
  it('keeps other writes waiting until its client is gone', async () => {
    const endings: ((client: WireClient) => unknown)[] = [
      (client) => client.end(),
      (client) => client.command({ endSessions: [lsid], $db: 'admin' }),
      () => wire.command({ killSessions: [lsid], $db: 'admin' }),
      () => wire.command({ killSessions: [], $db: 'admin' }),
      // The next number of the session, for a write without a transaction.
      (client) =>
        client.command({ ...insert(90), $db: 'elsewhere', lsid, txnNumber: Long.fromNumber(number + 1) }),
    ];
    const other = await openWire(given.engine.uri);
    for (const [round, end] of endings.entries()) {
      lsid = { id: new UUID() };
      const client = await openWire(given.engine.uri);
      expect(await begin(insert(6), client)).toMatchObject({ ok: 1, n: 1 });
      const order: string[] = [];
      const writing = other
        .command({ ...insert(100 + round), $db: given.items.db.databaseName })
        .then(() => order.push('written'));
      expect(await stored(6, 100 + round)).toBe(0);
      order.push('ended');
      await end(client);
      await writing;
      expect(order).toEqual(['ended', 'written']);
      expect(await stored(6, 100 + round)).toBe(1);
      expect(await commit()).toMatchObject(round < 4 ? transient(251) : { ok: 0, code: 225 });
      client.end();
    }
    other.end();
  });

  it('does not begin when its client is gone before its turn', async () => {
    await begin(insert(6));
    const impatient = await openWire(given.engine.uri);
    const first = { ...lsid };
    lsid = { id: new UUID() };
    const waiting = begin(insert(7), impatient).catch(() => 'gone');
    const last = given.items.insertOne({ _id: 8 });
    impatient.end();
    expect(await waiting).toBe('gone');
    lsid = first;
    expect(await commit()).toMatchObject({ ok: 1 });
    await last;
    expect(await given.items.find({ _id: { $gt: 5 } }).toArray()).toEqual([{ _id: 6 }, { _id: 8 }]);
  });
});

describe('the end of a transaction', () => {
  it('is answered again when its answer was lost, even after a restart', async () => {
    const { dir, remove } = await temporaryDirectory();
    const $db = 'retried';
    const before = await startEngine({ dir });
    let client = await openWire(before.uri);
    await begin({ ...insert(1), $db }, client);
    expect(await commit(client)).toMatchObject({ ok: 1 });
    expect(await commit(client)).toMatchObject({ ok: 1 });
    expect(await send({ abortTransaction: 1, $db: 'admin' }, client)).toMatchObject({ code: 256 });
    client.end();
    await before.close();

    const after = await startEngine({ dir });
    client = await openWire(after.uri);
    expect(await commit(client)).toMatchObject({ ok: 1 });
    expect(await send({ abortTransaction: 1, $db: 'admin' }, client)).toMatchObject({ code: 256 });
    // The number of a transaction is not one of a write.
    const write = { ...insert(2), $db, lsid, txnNumber: Long.fromNumber(number) };
    expect(await client.command(write)).toMatchObject({ ok: 0, code: 217 });
    number = 2;
    expect(await commit(client)).toMatchObject(transient(251));
    client.end();
    await after.close();
    await remove();
  });

  it('is decided once', async () => {
    await begin(insert(6));
    expect(await send(insert(7))).toMatchObject({ ok: 1, n: 1 });
    expect(await commit()).toMatchObject({ ok: 1 });
    expect(await send(insert(8))).toMatchObject({ ok: 0, code: 256, codeName: 'TransactionCommitted' });
    expect(await abort()).toMatchObject({ ok: 0, code: 256 });
    number = 2;
    await begin(insert(9));
    expect(await abort()).toMatchObject({ ok: 1 });
    expect(await abort()).toMatchObject(transient(251));
    expect(await commit()).toMatchObject(transient(251));
    expect(await send(insert(9))).toMatchObject(transient(251));
    expect(await stored(6, 7, 8, 9)).toBe(2);
  });

  it('ends its cursors', async () => {
    const find = { find: 'items', batchSize: 2 };
    const { cursor } = (await begin(find)) as { cursor: { id: Long } };
    const more = { getMore: cursor.id, collection: 'items', batchSize: 1 };
    const db = { $db: given.items.db.databaseName, lsid };
    expect(await wire.command({ ...more, ...db })).toMatchObject({ ok: 0, code: 50740 });
    expect(await send(more)).toMatchObject({ ok: 1, cursor: { nextBatch: [{ _id: 3 }] } });
    await commit();
    expect(await wire.command({ ...more, ...db })).toMatchObject({ ok: 0, code: 43 });

    const outside = (await wire.command({ ...find, ...db })) as { cursor: { id: Long } };
    number = 2;
    await begin(find);
    expect(await send({ ...more, getMore: outside.cursor.id })).toMatchObject({ ok: 0, code: 50739 });
    expect(await commit()).toMatchObject(transient(251));
  });
});

describe('the rules of transactions', () => {
  it.each([
    [{ find: 'items', autocommit: true }, 72],
    [{ find: 'items', startTransaction: false }, 72],
    [{ find: 'items', startTransaction: 'yes' }, 14],
    [{ find: 'items', txnNumber: 5, startTransaction: true }, 14],
    [{ find: 'items', lsid: undefined, startTransaction: true }, 72],
    [{ find: 'items', txnNumber: undefined, startTransaction: true }, 72],
    [{ find: 'items', autocommit: undefined, startTransaction: true }, 72],
    [{ find: 'items', readConcern: { level: 'linearizable' }, startTransaction: true }, 72],
    [{ insert: 'items', documents: [{}], writeConcern: { w: 1 }, startTransaction: true }, 72],
    [{ find: 'items', $db: 'config', startTransaction: true }, 263],
    [{ insert: 'items', documents: [{}], $db: 'admin', startTransaction: true }, 263],
    [{ killCursors: 'items', cursors: [], startTransaction: true }, 263],
    [{ hello: 1, startTransaction: true }, 263],
    [{ commitTransaction: 1, $db: 'admin', startTransaction: true }, 263],
    [{ commitTransaction: 1 }, 13],
    [{ commitTransaction: 1, $db: 'admin', autocommit: undefined }, 50768],
    [{ abortTransaction: 1, $db: 'admin', autocommit: undefined, txnNumber: undefined }, 125],
    [{ count: 'items', startTransaction: true }, 263],
    [{ drop: 'items', startTransaction: true }, 263],
    [{ createIndexes: 'items', indexes: [], startTransaction: true }, 263],
    [{ listCollections: 1, startTransaction: true }, 263],
    [{ explain: { find: 'items' }, startTransaction: true }, 263],
    [{ aggregate: 'items', pipeline: [{ $currentOp: {} }], cursor: {}, startTransaction: true }, 263],
  ])('refuse %j', async (command, code) => {
    const txn = { lsid, txnNumber: Long.fromNumber(number), autocommit: false };
    const $db = given.items.db.databaseName;
    const reply = await wire.command({ ...command, $db, ...txn, ...command });
    expect(reply).toMatchObject({ ok: 0, code });
    expect(reply['errorLabels']).toBeUndefined();
    await given.items.insertOne({ _id: 6 });
  });

  it('let only the first statement begin it and name a read concern', async () => {
    expect(await send(insert(6))).toMatchObject(transient(251));
    expect(await commit()).toMatchObject(transient(251));
    const snapshot = { readConcern: { level: 'snapshot' } };
    expect(await begin({ find: 'items', ...snapshot })).toMatchObject({ ok: 1 });
    expect(await send({ find: 'items', ...snapshot })).toMatchObject({ ok: 0, code: 72 });
    expect(await begin(insert(6))).toMatchObject({ ok: 0, code: 117 });
    expect(await send({ count: 'items' })).toMatchObject({ ok: 0, code: 263 });
    // What was refused before it began has not ended the transaction.
    expect(await send({ hello: 1 })).toMatchObject({ ok: 0, code: 263 });
    expect(await send(insert(6))).toMatchObject({ ok: 1, n: 1 });
    expect(await send({ commitTransaction: 1, $db: 'admin', writeConcern: { w: 'majority' } })).toMatchObject(
      { ok: 1 },
    );
    number = 0;
    expect(await begin(insert(7))).toMatchObject({ ok: 0, code: 225 });
    expect(await commit()).toMatchObject({ ok: 0, code: 225 });
    expect(await stored(6, 7)).toBe(1);
  });

  it('abort it when a statement fails', async () => {
    for (const failing of [
      { find: 'items', filter: { $wrong: 1 } },
      { update: 'items', updates: [{ q: { _id: 6 }, u: { $inc: { _id: 1 } } }] },
      { insert: 'items', documents: [{ _id: 7 }, { _id: 1 }] },
      { findAndModify: 'items', query: { _id: 6 }, update: { $set: { _id: 1 } } },
    ]) {
      await begin(insert(6));
      const reply = await send(failing);
      expect(reply['writeErrors'] ?? reply['code']).toBeTruthy();
      expect(reply['errorLabels']).toBeUndefined();
      expect(await commit()).toMatchObject(transient(251));
      number += 1;
    }
    expect(await stored(6, 7)).toBe(0);
  });
});

describe('a transaction whose client does nothing', () => {
  let served: Served;
  let client: MongoClient;
  let store: Store;
  let remove: () => Promise<void>;
  let warnings: string[];

  beforeEach(async () => {
    const temporary = await temporaryDirectory();
    remove = temporary.remove;
    store = await openStore({ dir: temporary.dir });
    const where = { socketPath: join(temporary.dir, 'engine.sock') };
    warnings = [];
    const log = (...[level]: Parameters<LogSink>) => warnings.push(level);
    served = await serveStore({ store, where, log, transactionMs: 400 });
    client = await new MongoClient(
      `mongodb://${encodeURIComponent(served.address)}/?directConnection=true`,
    ).connect();
  });

  afterEach(async () => {
    await client.close();
    await served.close();
    await store.close();
    await remove();
  });

  it('is aborted when its time is over, and may begin again', async () => {
    const rows = client.db('idle').collection<{ _id: number; by: string }>('rows');
    let attempts = 0;
    await client.withSession((session) =>
      session.withTransaction(async () => {
        attempts += 1;
        await rows.insertOne({ _id: attempts, by: 'transaction' }, { session });
        // Waits for the end of the first transaction, which waits for this.
        if (attempts === 1) await rows.insertOne({ _id: 1, by: 'other' });
      }),
    );
    expect([attempts, warnings]).toEqual([2, ['warn']]);
    expect(await rows.find().toArray()).toEqual([
      { _id: 1, by: 'other' },
      { _id: 2, by: 'transaction' },
    ]);
  });

  it('ends with its statement when that takes too long', async () => {
    const rows = client.db('long').collection<{ _id: number; n?: number }>('rows');
    await rows.insertMany(Array.from({ length: 30_000 }, (_, _id) => ({ _id })));
    const session = client.startSession();
    session.startTransaction();
    const long = rows.updateMany({}, { $set: { n: 1 } }, { session });
    const failure = await failureOf(long);
    expect(failure).toMatchObject({ code: 251, errorLabelSet: new Set([TRANSIENT]) });
    await session.endSession();
    expect(await rows.countDocuments({ n: 1 })).toBe(0);
  });
});
