import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  backupStore,
  copyDeployment,
  restoreStore,
  startEngine,
  verifyStore,
  type CopyClient,
  type EngineHandle,
} from '#models/engine/index.ts';
import { failureOf, temporaryDirectory, useEngine } from '#tests/support/engine.ts';

const source = useEngine();
let dir: string;
let remove: () => Promise<void>;
const closing: (() => Promise<void>)[] = [];

beforeEach(async () => {
  ({ dir, remove } = await temporaryDirectory());
  await source.client.db('a').dropDatabase();
  await source.client.db('b').dropDatabase();
  const people = source.client
    .db('a')
    .collection<{ _id: number; email: string; big: bigint | number }>('people');
  await people.createIndex({ email: 1 }, { unique: true });
  await people.createIndex({ big: -1 });
  await people.insertMany(
    Array.from({ length: 1500 }, (_, _id) => ({ _id, email: `p${_id}@x`, big: 9007199254740993n })),
  );
  await source.client.db('b').createCollection('empty', { collation: { locale: 'simple' } });
});

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await remove();
});

async function another(at: string): Promise<{ engine: EngineHandle; client: MongoClient }> {
  const engine = await startEngine({ dir: at });
  closing.push(() => engine.close());
  const client = await new MongoClient(engine.uri).connect();
  closing.push(() => client.close());
  return { engine, client };
}

/** Everything there is, with exact types, in an order of its own. */
async function contents(client: MongoClient): Promise<unknown> {
  const exact = { promoteValues: false, promoteLongs: false } as const;
  const people = client.db('a').collection('people');
  return {
    documents: await people.find({}, exact).sort({ _id: 1 }).toArray(),
    indexes: await people.listIndexes().toArray(),
    made: await client
      .db('b')
      .listCollections({}, { nameOnly: false })
      .map(({ name, options }) => ({ name, options: options as object }))
      .toArray(),
  };
}

describe('copying to another deployment', () => {
  it('copies every document, index and option, with exact types', async () => {
    const { client } = await another(dir);
    const seen: number[] = [];
    const report = await copyDeployment(source.client as CopyClient, client as CopyClient, {
      onProgress: ({ documents }) => seen.push(documents),
    });
    expect(report).toEqual({ databases: 2, collections: 2, documents: 1500, indexes: 2 });
    expect(seen.at(-1)).toBe(1500);
    expect(await contents(client)).toEqual(await contents(source.client));
  });

  it('writes nothing to a target that is not empty', async () => {
    const { client } = await another(dir);
    await client.db('b').collection('empty').insertOne({ mine: true });
    const error = await failureOf(copyDeployment(source.client as CopyClient, client as CopyClient));
    expect(error.name).toBe('CopyError');
    expect(error.message).toContain('b.empty');
    expect(await client.db('a').listCollections().toArray()).toEqual([]);
  });
});

describe('a store in use', () => {
  it('is verified by a second process', async () => {
    const report = await verifyStore({ dir: source.dir });
    expect(report).toMatchObject({ ok: true, problemCount: 0 });
    expect(report.documents).toBeGreaterThanOrEqual(1500);
  });

  it('is backed up and restored to an equal store', async () => {
    const file = path.join(dir, 'backup');
    await writeFile(file, backupStore({ dir: source.dir }));
    const target = path.join(dir, 'restored');
    const summary = await restoreStore({ dir: target, source: () => createReadStream(file) });
    expect(summary.documents).toBeGreaterThanOrEqual(1500);
    const { client } = await another(target);
    expect(await contents(client)).toEqual(await contents(source.client));
  });
});
