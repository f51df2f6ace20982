import { describe, expect, it } from 'vitest';
import { EntryBuilder, entryKey } from '#models/engine/storage/keys/entry.ts';
import { connect } from '#models/engine/storage/env/schema.ts';
import { filesIn } from '#models/engine/storage/env/files.ts';
import { SqliteKv, type WritableKv } from '#models/engine/storage/kv.ts';
import { counterKey, indexPrefix } from '#models/engine/storage/keys/layout.ts';
import { openStore } from '#models/engine/storage/index.ts';
import { encode } from '#models/engine/values/encode.ts';
import { insertAll, temporaryStore } from './temporary-store.ts';

const held = temporaryStore();
const NS = 'app.users';

/** Opens the file behind the store's back, does something to it, and opens the store again. */
async function damage(act: (kv: WritableKv) => void): Promise<void> {
  await held.store.close();
  const db = connect(filesIn(held.dir).data, 0);
  db.run('BEGIN');
  act(new SqliteKv(db));
  db.run('COMMIT');
  db.close();
  held.store = await openStore({ dir: held.dir });
}

async function fill() {
  await held.store.write((txn) =>
    txn.createIndexes(NS, [{ key: { email: 1 }, unique: true }, { key: { tag: 1 } }]),
  );
  await insertAll(held.store, NS, [
    { _id: 1, email: 'a', tag: 'x' },
    { _id: 2, email: 'b', tag: null },
  ]);
  const coll = held.store.read((view) => view.collection(NS));
  if (!coll) throw new Error('no collection');
  return coll as unknown as { collId: number; indexes: ConstructorParameters<typeof EntryBuilder>[0][] };
}

const problems = async (): Promise<string[]> => (await held.store.verify()).problems;

describe('verify', () => {
  it('counts everything and finds no problems', async () => {
    await fill();
    expect(await held.store.verify()).toEqual({
      ok: true,
      formatVersion: 2,
      collections: 1,
      documents: 2,
      indexEntries: 6,
      problemCount: 0,
      problems: [],
    });
  });

  it('finds a missing index entry', async () => {
    const { indexes } = await fill();
    const tag = indexes[2] as (typeof indexes)[0];
    const key = new EntryBuilder(tag).build({ tag: 'x' });
    await damage((db) => db.remove(entryKey(tag, key, 1)));
    expect(await problems()).toEqual([
      'app.users record 1: has no entry in index tag_1',
      'app.users index tag_1: 1 entries, but there should be 2',
    ]);
  });

  it('finds an entry without a document, and a surplus one', async () => {
    const { indexes } = await fill();
    const tag = indexes[2] as (typeof indexes)[0];
    const key = new EntryBuilder(tag).build({ tag: 'z' });
    await damage((db) => {
      db.put(entryKey(tag, key, 99), Buffer.alloc(0));
      db.put(entryKey(tag, key, 1), Buffer.alloc(0));
    });
    expect(await problems()).toEqual([
      'app.users index tag_1: 4 entries, but there should be 2',
      'app.users index tag_1: record 1 should not have one of its entries',
      'app.users index tag_1: an entry points to record 99, which does not exist',
    ]);
  });

  it('finds a unique entry that points to another document', async () => {
    const { indexes } = await fill();
    const email = indexes[1] as (typeof indexes)[0];
    const key = new EntryBuilder(email).build({ email: 'a' });
    await damage((db) => db.put(key, Buffer.from('0000000000000002', 'hex')));
    expect(await problems()).toContain('app.users record 1: index email_1 points to record 2');
  });

  it('finds a document that was removed, changed or garbled without updating the indexes', async () => {
    const { collId } = await fill();
    await damage((db) => db.putDocument(collId, 1, encode({ _id: 1, email: 'other', tag: 'x' })));
    expect((await problems()).join('\n')).toContain('record 1: has no entry in index email_1');
    await damage((db) => db.putDocument(collId, 2, Buffer.from('garbage')));
    expect((await problems()).join('\n')).toContain('record 2: cannot be read');
    await damage((db) => db.removeDocument(collId, 2));
    expect((await problems()).join('\n')).toContain('1 documents, but the stored count is 2');
  });

  it('finds wrong counts and orphaned keys', async () => {
    const { collId } = await fill();
    await damage((db) => {
      db.remove(counterKey(collId));
      db.putDocument(4711, 1, encode({ _id: 1 }));
      db.put(indexPrefix(4712), Buffer.alloc(8));
    });
    const found = await problems();
    expect(found).toContain('app.users: 2 documents, but the stored count is 0');
    expect(found).toContain('documents of an unknown collection (number 4711)');
    expect(found).toContain('entries of an unknown index (number 4712)');
  });

  it('reports its progress', async () => {
    await insertAll(
      held.store,
      NS,
      Array.from({ length: 1200 }, (_, i) => ({ _id: i })),
    );
    const seen: number[] = [];
    await held.store.verify((documents) => seen.push(documents));
    expect(seen).toEqual([500, 1000]);
  });
});
