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

/** The same without what every attempt leaves (counts of the throttle, times of last use, the log) and what the worker did. */
export async function readKept(dataDir: string): Promise<Stored> {
  const { throttles: _counts, job_runs: _runs, server_logs: _log, ...kept } = await readStored(dataDir);
  const withoutUse = (row: Document) => {
    const { lastUsedAt: _used, lastSeenAt: _seen, expiresAt: _expires, ...rest } = row;
    return rest;
  };
  return Object.fromEntries(Object.entries(kept).map(([name, rows]) => [name, rows.map(withoutUse)]));
}

/** Adds rows to a server's store while it runs, for what only time or another service would make. */
export async function addStored(dataDir: string, collection: string, rows: Document[]): Promise<void> {
  const engine = await startEngine({ dir: dataDir, log: () => {} });
  const client = new MongoClient(engine.uri);
  try {
    await client.db().collection(collection).insertMany(rows);
  } finally {
    await client.close();
    await engine.close();
  }
}

/** The id of the account with an address. */
export async function userIdOf(dataDir: string, email: string): Promise<string> {
  const users = (await readStored(dataDir))['users'] ?? [];
  return String(users.find((row) => row['email'] === email)?._id);
}
