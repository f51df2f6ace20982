import { beforeEach, describe, expect, it } from 'vitest';
import type { StoreTransaction, WriteView } from '#models/engine/storage/index.ts';
import type { Document } from '#models/engine/values/types.ts';
import { findAll, insertAll, rejection, temporaryStore } from './temporary-store.ts';

const held = temporaryStore();
const NS = 'app.accounts';

beforeEach(async () => {
  await held.store.write((txn) =>
    txn.createIndexes(NS, [{ key: { owner: 1 }, unique: true }, { key: { balance: 1 } }]),
  );
  await insertAll(held.store, NS, [
    { _id: 1, owner: 'a', balance: 10 },
    { _id: 2, owner: 'b', balance: 20 },
  ]);
});

function change(txn: WriteView, _id: number, fields: Document): void {
  const found = txn.findOne(NS, { filter: { _id } });
  if (!found) throw new Error(`no account ${_id}`);
  txn.replace(NS, found, { ...found.doc, ...fields });
}

const all = (): Document[] => findAll(held.store, NS, { sort: { _id: 1 } });
async function expectConflict(transaction: StoreTransaction): Promise<void> {
  const error = await rejection(transaction.commit());
  expect(error.code).toBe(112);
  expect(error.labels).toContain('TransientTransactionError');
  expect(transaction.state).toBe('aborted');
}

describe('a transaction', () => {
  it('shows its writes to itself alone until it is committed', async () => {
    const transaction = held.store.begin();
    change(transaction.view, 1, { balance: 5 });
    transaction.view.insert(NS, { _id: 3, owner: 'c', balance: 7 });
    const gone = transaction.view.findOne(NS, { filter: { _id: 2 } });
    if (gone) transaction.view.remove(NS, gone);
    expect([...transaction.view.find(NS, { sort: { balance: 1 } })].map((f) => f.doc['_id'])).toEqual([1, 3]);
    expect(transaction.view.count(NS, {})).toBe(2);
    expect(transaction.view.count(NS, { filter: { balance: { $lt: 7 } } })).toBe(1);
    expect(all().map((doc) => doc['balance'])).toEqual([10, 20]);
    await transaction.commit();
    expect(transaction.state).toBe('committed');
    expect(all()).toEqual([
      { _id: 1, owner: 'a', balance: 5 },
      { _id: 3, owner: 'c', balance: 7 },
    ]);
    expect((await held.store.verify()).problems).toEqual([]);
  });

  it('leaves nothing behind when it is aborted', async () => {
    const transaction = held.store.begin();
    change(transaction.view, 1, { balance: 0 });
    transaction.view.insert('app.new', { _id: 1 });
    transaction.abort();
    expect(all()[0]?.['balance']).toBe(10);
    expect(held.store.read((view) => view.collection('app.new'))).toBeNull();
    expect(() => transaction.view).toThrow(expect.objectContaining({ code: 251 }) as Error);
    expect((await rejection(transaction.commit())).code).toBe(251);
  });

  it('does not see what others write after it began', async () => {
    const transaction = held.store.begin();
    expect(transaction.view.count(NS, {})).toBe(2);
    await insertAll(held.store, NS, [{ _id: 9, owner: 'z' }]);
    expect(transaction.view.count(NS, {})).toBe(2);
    expect([...transaction.view.find(NS, {})]).toHaveLength(2);
    await transaction.commit();
  });

  it('fails when a document it changed was changed by another', async () => {
    const transaction = held.store.begin();
    change(transaction.view, 1, { balance: 11 });
    await held.store.write((txn) => change(txn, 1, { balance: 99 }));
    await expectConflict(transaction);
    expect(all()[0]?.['balance']).toBe(99);
  });

  it('fails when a document it changed was removed by another', async () => {
    const transaction = held.store.begin();
    change(transaction.view, 1, { balance: 11 });
    await held.store.write((txn) => {
      const found = txn.findOne(NS, { filter: { _id: 1 } });
      if (found) txn.remove(NS, found);
    });
    await expectConflict(transaction);
  });

  it('fails when a unique key it took was taken by another', async () => {
    const transaction = held.store.begin();
    transaction.view.insert(NS, { _id: 3, owner: 'c' });
    await insertAll(held.store, NS, [{ _id: 4, owner: 'c' }]);
    await expectConflict(transaction);
    expect((await held.store.verify()).problems).toEqual([]);
  });

  it('fails when its collection was dropped, or dropped and made anew', async () => {
    for (const again of [false, true]) {
      const transaction = held.store.begin();
      transaction.view.insert(NS, { _id: 50, owner: 'late' });
      await held.store.write((txn) => {
        txn.dropCollection(NS);
        if (again) txn.createCollection(NS);
      });
      await expectConflict(transaction);
      await held.store.write((txn) => txn.createIndexes(NS, [{ key: { owner: 1 } }]));
    }
  });

  it('refuses a duplicate key of its own snapshot at once', () => {
    const transaction = held.store.begin();
    expect(() => transaction.view.insert(NS, { _id: 3, owner: 'a' })).toThrow(
      expect.objectContaining({ code: 11000 }) as Error,
    );
    transaction.abort();
  });

  it('can swap unique keys between documents', async () => {
    const transaction = held.store.begin();
    change(transaction.view, 1, { owner: 'free' });
    change(transaction.view, 2, { owner: 'a' });
    change(transaction.view, 1, { owner: 'b' });
    await transaction.commit();
    expect(all().map((doc) => doc['owner'])).toEqual(['b', 'a']);
    expect((await held.store.verify()).problems).toEqual([]);
  });

  it('can remove a document and give its key to a new one', async () => {
    const transaction = held.store.begin();
    const found = transaction.view.findOne(NS, { filter: { _id: 1 } });
    if (found) transaction.view.remove(NS, found);
    transaction.view.insert(NS, { _id: 1, owner: 'a', balance: 1 });
    await transaction.commit();
    expect(all()[0]).toEqual({ _id: 1, owner: 'a', balance: 1 });
    expect((await held.store.verify()).problems).toEqual([]);
  });

  it('forgets a document that it made and removed itself', async () => {
    const transaction = held.store.begin();
    transaction.view.insert(NS, { _id: 7, owner: 'x' });
    const found = transaction.view.findOne(NS, { filter: { _id: 7 } });
    if (found) transaction.view.remove(NS, found);
    await transaction.commit();
    expect(all()).toHaveLength(2);
  });

  it('makes collections and their indexes with its first documents', async () => {
    const transaction = held.store.begin();
    transaction.view.createCollection('app.made', { note: 1 });
    transaction.view.createIndexes('app.made', [{ key: { n: 1 } }]);
    transaction.view.insert('app.made', { _id: 1, n: 5 });
    transaction.view.insert('app.implied', { _id: 1 });
    await transaction.commit();
    const made = held.store.read((view) => view.collection('app.made'));
    expect(made?.options).toEqual({ note: 1 });
    expect(made?.indexes.map((index) => index.name)).toEqual(['_id_', 'n_1']);
    expect(findAll(held.store, 'app.made', { filter: { n: 5 } })).toHaveLength(1);
    expect(findAll(held.store, 'app.implied')).toHaveLength(1);
  });

  it('refuses changes of the catalog that MongoDB refuses there', () => {
    const transaction = held.store.begin();
    const refused = expect.objectContaining({ code: 263 }) as Error;
    expect(() => transaction.view.dropCollection(NS)).toThrow(refused);
    expect(() => transaction.view.dropIndexes(NS, '*')).toThrow(refused);
    expect(() => transaction.view.renameCollection(NS, 'app.other')).toThrow(refused);
    transaction.abort();
  });

  it('stores what is handed to commit in the same write, or not at all', async () => {
    const first = held.store.begin();
    change(first.view, 1, { balance: 1 });
    await first.commit((txn) => txn.putMeta('reply', Buffer.from('ok')));
    expect(Buffer.from(held.store.read((view) => view.getMeta('reply')) ?? [])).toEqual(Buffer.from('ok'));
    const second = held.store.begin();
    change(second.view, 1, { balance: 2 });
    await expect(
      second.commit(() => {
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(all()[0]?.['balance']).toBe(1);
  });

  it('keeps metas of its own', async () => {
    const transaction = held.store.begin();
    transaction.view.putMeta('m', Buffer.from('1'));
    expect(held.store.read((view) => view.getMeta('m'))).toBeNull();
    expect(transaction.view.getMeta('m')?.[0]).toBe(0x31);
    await transaction.commit();
    expect(held.store.read((view) => view.getMeta('m'))?.[0]).toBe(0x31);
  });

  it('inserts in order, after what was there', async () => {
    const transaction = held.store.begin();
    for (const _id of [30, 20, 25]) transaction.view.insert(NS, { _id, owner: `n${_id}` });
    expect([...transaction.view.find(NS, {})].map((f) => f.doc['_id'])).toEqual([1, 2, 30, 20, 25]);
    await transaction.commit();
    expect(findAll(held.store, NS).map((doc) => doc['_id'])).toEqual([1, 2, 30, 20, 25]);
  });
});

describe('many transfers at once', () => {
  it('never change the sum', async () => {
    const transfer = async (): Promise<void> => {
      for (;;) {
        const transaction = held.store.begin();
        try {
          const [a, b] = [1, 2].map(
            (_id) => transaction.view.findOne(NS, { filter: { _id } })?.doc['balance'] as number,
          );
          await new Promise(setImmediate);
          change(transaction.view, 1, { balance: (a as number) - 1 });
          change(transaction.view, 2, { balance: (b as number) + 1 });
          await transaction.commit();
          return;
        } catch (error) {
          transaction.abort();
          if ((error as { code?: number }).code !== 112) throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: 20 }, transfer));
    expect(all().map((doc) => doc['balance'])).toEqual([-10, 40]);
    expect((await held.store.verify()).problems).toEqual([]);
  });
});
