import { Long, UUID, type Document } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startEngine } from '#models/engine/index.ts';
import { openWire, type WireClient } from '#tests/support/wire-client.ts';
import { useItems } from './items.ts';

const given = useItems();
let wire: WireClient;
let lsid: { id: UUID };

beforeEach(async () => {
  wire = await openWire(given.engine.uri);
  lsid = { id: new UUID() };
});

afterEach(() => wire.end());

/** Sends a command the way a driver sends a retryable write; the same number twice is a retry. */
function send(command: Document, txnNumber: number, through = wire): Promise<Document> {
  const $db = given.items.db.databaseName;
  return through.command({ ...command, $db, lsid, txnNumber: Long.fromNumber(txnNumber) });
}

describe('resending a write whose answer was lost', () => {
  it('inserts once and returns the first answer', async () => {
    const insert = { insert: 'items', documents: [{ _id: 6 }, { _id: 1 }, { _id: 7 }], ordered: false };
    const first = await send(insert, 1);
    expect(first).toMatchObject({ n: 2, writeErrors: [{ index: 1, code: 11000 }] });
    const again = await send(insert, 1);
    expect(again['n']).toBe(2);
    expect(again['writeErrors']).toMatchObject([{ index: 1, code: 11000 }]);
    expect(await given.items.countDocuments()).toBe(7);
  });

  it('updates and deletes once', async () => {
    const update = { update: 'items', updates: [{ q: { _id: 1 }, u: { $inc: { x: 1 } } }] };
    await send(update, 1);
    expect(await send(update, 1)).toMatchObject({ n: 1, nModified: 1 });
    expect(await given.items.findOne({ _id: 1 })).toEqual({ _id: 1, x: 12 });
    const remove = { delete: 'items', deletes: [{ q: {}, limit: 1 }] };
    await send(remove, 2);
    expect(await send(remove, 2)).toMatchObject({ n: 1 });
    expect(await given.items.countDocuments()).toBe(4);
  });

  it('upserts once, with the same id in the answer', async () => {
    const update = { update: 'items', updates: [{ q: { y: 1 }, u: { $inc: { x: 1 } }, upsert: true }] };
    const first = await send(update, 1);
    expect((await send(update, 1))['upserted']).toEqual(first['upserted']);
    expect(await given.items.countDocuments({ y: 1, x: 1 })).toBe(1);
  });

  it('finds and modifies once', async () => {
    const command = { findAndModify: 'items', query: { _id: 1 }, update: { $inc: { x: 1 } }, new: true };
    const first = await send(command, 1);
    expect((await send(command, 1))['value']).toEqual(first['value']);
    expect(await given.items.findOne({ _id: 1 })).toEqual({ _id: 1, x: 12 });
  });

  it('is a new write under the next number, and is refused under an earlier one', async () => {
    const update = { update: 'items', updates: [{ q: { _id: 1 }, u: { $inc: { x: 1 } } }] };
    await send(update, 4);
    await send(update, 5);
    expect(await given.items.findOne({ _id: 1 })).toEqual({ _id: 1, x: 13 });
    expect(await send(update, 4)).toMatchObject({ code: 225 });
  });

  it('is recognised by a second engine on the same data', async () => {
    const update = { update: 'items', updates: [{ q: { _id: 1 }, u: { $inc: { x: 1 } } }] };
    await send(update, 1);
    const second = await startEngine({ dir: given.engine.dir });
    const other = await openWire(second.uri);
    expect(await send(update, 1, other)).toMatchObject({ ok: 1, n: 1 });
    other.end();
    await second.close();
    expect(await given.items.findOne({ _id: 1 })).toEqual({ _id: 1, x: 12 });
  });

  it('must affect one document per statement', async () => {
    const many = { update: 'items', updates: [{ q: {}, u: { $inc: { x: 1 } }, multi: true }] };
    expect(await send(many, 1)).toMatchObject({ code: 72 });
    expect(await send({ count: 'items' }, 1)).toMatchObject({ code: 50768 });
  });
});
