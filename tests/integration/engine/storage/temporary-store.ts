import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { openStore, type Query, type Store, type StoreOptions } from '#models/engine/storage/index.ts';
import type { Document } from '#models/engine/values/types.ts';

/** A fresh store for each test of the file that calls this; closed and deleted afterwards. */
export function temporaryStore(options: Omit<StoreOptions, 'dir'> = {}) {
  const held = { dir: '', store: undefined as unknown as Store };
  beforeEach(async () => {
    held.dir = mkdtempSync(join(tmpdir(), 'store-'));
    held.store = await openStore({ dir: held.dir, ...options });
  });
  afterEach(async () => {
    await held.store.close();
    rmSync(held.dir, { recursive: true, force: true });
  });
  return held;
}

/** The documents a query finds. */
export function findAll(store: Store, ns: string, query: Query = {}): Document[] {
  return store.read((view) => [...view.find(ns, query)].map((found) => found.doc));
}

/** Inserts documents in one statement. */
export function insertAll(store: Store, ns: string, docs: Document[]): Promise<void> {
  return store.write((txn) => docs.forEach((doc) => txn.insert(ns, doc)));
}

/** What a rejected promise was rejected with; fails when it was not. */
export async function rejection(
  promise: Promise<unknown>,
): Promise<Error & { code: number; extra: Document; labels: string[] }> {
  try {
    await promise;
  } catch (error) {
    return error as Error & { code: number; extra: Document; labels: string[] };
  }
  throw new Error('expected a rejection');
}
