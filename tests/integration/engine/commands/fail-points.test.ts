import type { Document, MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failureOf, useEngine } from '#tests/support/engine.ts';

const engine = useEngine({ testCommands: true });
const plain = useEngine();
let client: MongoClient;
let sent: string[];

beforeEach(async () => {
  client = await engine.connect({ monitorCommands: true });
  sent = [];
  client.on('commandStarted', ({ commandName }) => sent.push(commandName));
});

afterEach(() => engine.client.db('admin').command({ configureFailPoint: 'failCommand', mode: 'off' }));

const failNext = (data: Document, mode: unknown = { times: 1 }) =>
  engine.client.db('admin').command({ configureFailPoint: 'failCommand', mode, data });

describe('the driver over an engine that fails', () => {
  it('sends a write again after a lost connection, and it happens once', async () => {
    const items = client.db('retry').collection<{ _id: number; n: number }>('items');
    await failNext({ failCommands: ['insert'], closeConnection: true });
    await items.insertOne({ _id: 1, n: 1 });
    await failNext({ failCommands: ['update'], errorCode: 11600 });
    await items.updateOne({ _id: 1 }, { $inc: { n: 1 } });
    expect(await items.findOne({ _id: 1 })).toEqual({ _id: 1, n: 2 });
    expect(sent).toEqual(['insert', 'insert', 'update', 'update', 'find']);
  });

  it('sends a read again', async () => {
    await failNext({ failCommands: ['find'], errorCode: 91 });
    expect(await client.db('retry').collection('none').find().toArray()).toEqual([]);
    expect(sent).toEqual(['find', 'find']);
  });

  it('commits again after a lost answer', async () => {
    const items = client.db('retry').collection<{ _id: string }>('committed');
    await failNext({ failCommands: ['commitTransaction'], closeConnection: true });
    await client.withSession((session) =>
      session.withTransaction(() => items.insertOne({ _id: 'a' }, { session })),
    );
    expect(sent.filter((name) => name === 'commitTransaction')).toHaveLength(2);
    expect(await items.countDocuments()).toBe(1);
  });

  it('reports what it cannot help: plain errors and write concern errors', async () => {
    const items = client.db('retry').collection('items');
    await failNext({ failCommands: ['insert'], errorCode: 8, errorLabels: ['mine'] });
    expect(await failureOf(items.insertOne({}))).toMatchObject({ code: 8 });
    await failNext({ failCommands: ['insert'], writeConcernError: { code: 100, errmsg: 'no' } });
    expect(await failureOf(items.insertOne({}))).toMatchObject({ code: 100 });
  });
});

describe('an engine that was not started for tests', () => {
  it('knows no fail points', async () => {
    const error = await failureOf(
      plain.client.db('admin').command({ configureFailPoint: 'failCommand', mode: 'off' }),
    );
    expect(error).toMatchObject({ code: 59 });
  });
});
