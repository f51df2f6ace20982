import { MongoClient, type Document } from 'mongodb';
import { startEngine } from '#models/engine/index.ts';

/** Everything a server keeps, by collection. */
export type Stored = Record<string, Document[]>;

/** Reads a server's data directory with an engine of its own, while the server runs. */
export async function readStored(dataDir: string): Promise<Stored> {
  const engine = await startEngine({ dir: dataDir, log: () => {} });
  const client = new MongoClient(engine.uri);
  try {
    const db = client.db();
    const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
    const stored: Stored = {};
    for (const name of names.toSorted())
      stored[name] = await db.collection(name).find({}).sort({ _id: 1 }).toArray();
    return stored;
  } finally {
    await client.close();
    await engine.close();
  }
}

/** The same without what every attempt leaves: counts of the throttle and times of last use. */
export async function readKept(dataDir: string): Promise<Stored> {
  const { throttles: _counts, ...kept } = await readStored(dataDir);
  const withoutUse = (row: Document) => {
    const { lastUsedAt: _used, lastSeenAt: _seen, expiresAt: _expires, ...rest } = row;
    return rest;
  };
  return Object.fromEntries(Object.entries(kept).map(([name, rows]) => [name, rows.map(withoutUse)]));
}
