import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore, type Store } from '#models/engine/storage/index.ts';

let dir: string;
let store: Store;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'store-'));
  store = await openStore({ dir });
});

afterEach(async () => {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

describe('documents', () => {
  it('are found again by any field after they were inserted', async () => {
    await store.write((txn) => {
      txn.insert('app.users', { _id: 1, email: 'a@x', age: 30 });
      txn.insert('app.users', { _id: 2, email: 'b@x', age: 40 });
    });
    const found = store.read((view) =>
      [...view.find('app.users', { filter: { email: 'b@x' } })].map((f) => f.doc),
    );
    expect(found).toEqual([{ _id: 2, email: 'b@x', age: 40 }]);
    expect(store.read((view) => view.count('app.users', {}))).toBe(2);
  });

  it('are still there after closing and opening the store', async () => {
    await store.write((txn) => txn.insert('app.users', { _id: 1 }));
    await store.close();
    store = await openStore({ dir });
    expect(store.read((view) => view.findOne('app.users', { filter: { _id: 1 } }))?.doc).toEqual({ _id: 1 });
  });
});
