import { open } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newCatalogCache } from '#models/engine/storage/catalog/catalog.ts';
import { openDatabase, type Database } from '#models/engine/storage/env/database.ts';
import { Writer } from '#models/engine/storage/env/writer.ts';
import { WriteQueue } from '#models/engine/storage/write/queue.ts';
import { temporaryDirectory } from '#tests/support/engine.ts';
import { rejection } from './temporary-store.ts';

let database: Database;
let remove: () => Promise<void>;

beforeEach(async () => {
  const temporary = await temporaryDirectory();
  remove = temporary.remove;
  database = await openDatabase(temporary.dir, () => undefined);
});

afterEach(async () => {
  await database.close();
  await remove();
});

/** A queue whose first flush fails. */
async function failing() {
  const { files, background } = database;
  const { db } = database.writer;
  const file = await open(files.log, 'r+');
  let failures = 1;
  const log = {
    datasync: () => (failures-- > 0 ? Promise.reject(new Error('EIO: i/o error')) : file.datasync()),
  };
  const messages: string[] = [];
  const onLog = (_level: string, message: string) => messages.push(message);
  const writer = new Writer({ db, log, files, background, onLog });
  const queue = new WriteQueue({ writer, files }, newCatalogCache(), onLog);
  const close = async () => {
    await queue.close();
    await file.close();
  };
  return { queue, messages, close };
}

it('a failed flush fails its writes, and no more are stored until the log is safely in the data file', async () => {
  const { queue, messages, close } = await failing();
  const insert = (_id: number) => queue.add((txn) => txn.insert('a.b', { _id }));

  expect((await rejection(insert(1))).message).toContain('EIO');
  // Someone reads a state that is only in the log, so it cannot begin again.
  const reader = database.readers.take();
  for (const _id of [2, 3]) expect((await rejection(insert(_id))).message).toContain('EIO');
  database.readers.giveBack(reader);
  await insert(4);
  expect(messages.at(-1)).toBe('the disk can be written to again');
  expect(await queue.add((txn) => txn.count('a.b', { filter: { _id: { $in: [2, 3, 4] } } }))).toBe(1);
  await close();
});

it('nobody knows whether a transaction is stored whose flush failed, until the log is safely in the data file', async () => {
  const { queue, close } = await failing();
  const transaction = await queue.transaction(() => undefined);
  // oxlint-disable-next-line require-yield
  await transaction.change(function* (txn) {
    txn.insert('a.b', { _id: 1 });
  });
  const counting = queue.add((txn) => txn.count('a.b', {}));
  const labels = ['UnknownTransactionCommitResult'];
  expect(await rejection(transaction.commit())).toMatchObject({ labels });
  // What was undone before the next began does not undo it.
  transaction.undo();
  expect(await counting).toBe(1);
  await close();
});
