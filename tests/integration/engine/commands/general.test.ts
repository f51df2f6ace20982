import { Long, UUID, type Document } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useEngine } from '#tests/support/engine.ts';
import { openWire, type WireClient } from '#tests/support/wire-client.ts';

const engine = useEngine();
let wire: WireClient;

beforeEach(async () => {
  wire = await openWire(engine.uri);
});

afterEach(() => wire.end());

const send = (body: Document, $db = 'general') => wire.command({ ...body, $db });

describe('the handshake', () => {
  it('is answered like by the only member of a replica set of version 7.0', async () => {
    for (const command of [{ hello: 1 }, { isMaster: 1 }, { ismaster: 1 }]) {
      const reply = await send(command, 'admin');
      expect(reply).toMatchObject({
        ok: 1,
        setName: 'vialbook',
        secondary: false,
        maxBsonObjectSize: 16 * 1024 * 1024,
        maxMessageSizeBytes: 48_000_000,
        maxWriteBatchSize: 100_000,
        logicalSessionTimeoutMinutes: 30,
        minWireVersion: 0,
        maxWireVersion: 21,
        readOnly: false,
      });
      expect(reply['hello' in command ? 'isWritablePrimary' : 'ismaster']).toBe(true);
      expect(reply['me']).toBe((reply['hosts'] as string[])[0]);
    }
  });

  it.each([
    [{ ping: 1 }, {}],
    [{ buildInfo: 1 }, { version: expect.stringMatching(/^7\.0\./) as string, bits: 64 }],
    [{ whatsmyuri: 1 }, { you: expect.any(String) as string }],
    [{ getCmdLineOpts: 1 }, { argv: ['vialbook'] }],
    [{ getLog: 'startupWarnings' }, { log: [] }],
    [{ getLog: '*' }, { names: ['global', 'startupWarnings'] }],
    [
      { getParameter: 1, featureCompatibilityVersion: 1 },
      { featureCompatibilityVersion: { version: '7.0' } },
    ],
    [{ connectionStatus: 1 }, { authInfo: { authenticatedUsers: [] } }],
    [
      { serverStatus: 1 },
      { storageEngine: { name: 'sqlite' }, connections: { current: expect.any(Number) as number } },
    ],
  ])('%j has an answer', async (command, expected) => {
    expect(await send(command, 'admin')).toMatchObject({ ok: 1, ...expected });
  });

  it.each([
    [{ atlasVersion: 1 }, 59],
    [{ FIND: 'x' }, 59],
    [{ getParameter: 1, nothing: 1 }, 72],
    [{ getLog: 'other' }, 96],
    [{ replSetGetStatus: 1 }, 59],
    [{ shutdown: 1 }, 59],
    [{ renameCollection: 'a.x', to: 'a.y' }, 59],
    [{ startSession: 1 }, 59],
    [{ killAllSessions: [] }, 59],
    [{ dataSize: 'a.x' }, 59],
    [{ top: 1 }, 59],
    [{ bulkWrite: 1, ops: [] }, 59],
  ])('%j is refused', async (command, code) => {
    expect(await send(command, 'admin')).toMatchObject({ ok: 0, code });
  });

  it('is counted', async () => {
    const count = async () =>
      ((await send({ serverStatus: 1 }))['opcounters'] as Document)['query'] as number;
    const before = await count();
    await send({ find: 'none' });
    expect(await count()).toBe(before + 1);
  });
});

describe('every command', () => {
  it.each([
    [{ find: 'c', filter: 'x' }, 14],
    [{ find: 'c', filtre: {} }, 40415],
    [{ find: 'c', limit: -1 }, 51024],
    [{ aggregate: 'c', pipeline: [] }, 40414],
    [{ aggregate: 'c', pipeline: [5], cursor: {} }, 14],
    [{ aggregate: 'c', pipeline: [{ $bogus: {} }], cursor: {} }, 40324],
    [{ aggregate: 1, pipeline: [{ $match: {} }], cursor: {} }, 73],
    [{ insert: 'c', documents: [] }, 16],
    [{ insert: 'c' }, 40414],
    [{ update: 'c', updates: [{ q: {} }] }, 40414],
    [{ update: 'c', updates: [{ q: {}, u: { a: 1 }, multi: true }] }, 9],
    [{ delete: 'c', deletes: [{ q: {}, limit: 2 }] }, 9],
    [{ findAndModify: 'c', query: {} }, 9],
    [{ findAndModify: 'c', remove: true, update: {} }, 9],
    [{ distinct: 'c' }, 40414],
    [{ killCursors: 'c' }, 40414],
    [{ getMore: Long.fromNumber(99), collection: 'c' }, 43],
    [{ getMore: 'x', collection: 'c' }, 14],
    [{ find: 'c', tailable: true }, 40415],
    [{ find: 'c', min: { a: 1 } }, 40415],
    [{ find: 'c', maxTimeMS: -1 }, 2],
    [{ find: 'c', maxTimeMS: 'soon' }, 14],
    [{ listDatabases: 1 }, 13],
    [{ find: 'c', apiVersion: '1' }, 40415],
    [{ find: 'c', collation: { locale: 'en', strength: 2 } }, 115],
    [{ find: 'c', hint: 'none' }, 2],
  ])('refuses what is wrong with %j', async (command, code) => {
    await send({ insert: 'c', documents: [{ _id: 1 }], ordered: false });
    const reply = await send(command);
    const error = (reply['writeErrors'] as Document[] | undefined)?.[0] ?? reply;
    expect(error['code']).toBe(code);
  });

  it.each([
    [{ find: 'c', readConcern: { level: 'local' } }, undefined],
    [{ find: 'c', readConcern: { level: 'majority' } }, undefined],
    [{ find: 'c', readConcern: { level: 'linearizable' } }, undefined],
    [{ find: 'c', readConcern: {} }, undefined],
    [{ find: 'c', readConcern: { level: 'snapshot' } }, 115],
    [{ find: 'c', readConcern: { level: 'sure' } }, 115],
    [{ find: 'c', readConcern: 'local' }, 14],
    [
      { delete: 'c', deletes: [{ q: {}, limit: 0 }], writeConcern: { w: 'majority', j: true, wtimeout: 5 } },
      undefined,
    ],
    [{ delete: 'c', deletes: [{ q: {}, limit: 0 }], writeConcern: { w: 0 } }, undefined],
    [{ delete: 'c', deletes: [{ q: {}, limit: 0 }], writeConcern: { w: true } }, 115],
    [{ insert: 'c', documents: [{}], writeConcern: { w: 2 } }, 115],
    [{ insert: 'c', documents: [{}], writeConcern: { w: 'two-places' } }, 115],
    [{ delete: 'c', deletes: [{ q: {}, limit: 0 }], writeConcern: 1 }, 14],
  ])('takes the concerns one node can meet: %j', async (command, code) => {
    expect((await send(command))['code']).toBe(code);
  });

  it('stops when its time limit is exceeded', async () => {
    await send({ drop: 'many' });
    const documents = Array.from({ length: 20_000 }, (_, n) => ({ n, text: 'x'.repeat(200) }));
    await engine.client.db('general').collection('many').insertMany(documents);
    const slow = {
      aggregate: 'many',
      pipeline: [{ $sort: { text: 1, n: 1 } }, { $group: { _id: '$n' } }],
      cursor: {},
      maxTimeMS: 1,
    };
    expect(await send(slow)).toMatchObject({ ok: 0, code: 50, codeName: 'MaxTimeMSExpired' });
  });
});

describe('sessions', () => {
  const lsid = { id: new UUID() };

  it('begin with their first use, and end with their cursors', async () => {
    await send({ insert: 'kept', documents: [{}, {}, {}] });
    const { cursor } = await send({ find: 'kept', batchSize: 1, lsid });
    const more = { getMore: (cursor as Document)['id'] as Long, collection: 'kept', batchSize: 1, lsid };
    expect(await send(more)).toMatchObject({ ok: 1 });
    expect(await send({ endSessions: [lsid] })).toMatchObject({ ok: 1 });
    expect(await send(more)).toMatchObject({ ok: 0, code: 43 });
  });

  it.each([
    [{ ping: 1, lsid: 5 }, 14],
    [{ ping: 1, lsid: {} }, 40414],
    [{ ping: 1, lsid: { id: 'x' } }, 207],
    [{ find: 'c', txnNumber: Long.fromNumber(1) }, 72],
    [{ find: 'c', lsid, txnNumber: 1 }, 14],
    [{ find: 'c', lsid, txnNumber: Long.fromNumber(1) }, 50768],
    [{ killSessions: lsid }, 14],
    [{ killSessions: [{}] }, 40414],
    [{ collMod: 'c', validator: {} }, 59],
  ])('are held to their rules: %j', async (command, code) => {
    expect(await send(command, 'admin')).toMatchObject({ ok: 0, code });
  });
});
