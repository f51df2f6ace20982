import { MongoClient, type Db, type Document } from 'mongodb';
import { startEngine } from '#models/engine/index.ts';
import { heldOpen } from '#tests/support/held-open.ts';
import { databaseEnv } from '#tests/support/named-deployment.ts';

/** Everything a server keeps, by collection. */
export type Stored = Record<string, Document[]>;

/** A server's data directory, through an engine of its own beside the server; or the deployment that has its data. */
async function storeOf(dataDir: string): Promise<Db> {
  const { client } = await heldOpen(`store ${dataDir}`, async () => {
    const env: { DATA_DIR: string; MONGODB_URI?: string } = databaseEnv({ DATA_DIR: dataDir });
    const engine =
      env.MONGODB_URI === undefined ? await startEngine({ dir: dataDir, log: () => {} }) : undefined;
    const client = new MongoClient(env.MONGODB_URI ?? engine?.uri ?? '');
    return { client, close: () => client.close().then(() => engine?.close()) };
  });
  return client.db();
}

/**
 * The rows of a collection in a server's data directory, all of them or those with these values; none when there is no
 * such collection.
 */
export async function storedIn(
  dataDir: string,
  collection: string,
  having: Document = {},
): Promise<Document[]> {
  const db = await storeOf(dataDir);
  return db.collection(collection).find(having).sort({ _id: 1 }).toArray();
}

/** All collections in a server's data directory, with all their rows or those with these values. */
export async function readStored(dataDir: string, having: Document = {}): Promise<Stored> {
  const db = await storeOf(dataDir);
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  const read = async (name: string) => [name, await storedIn(dataDir, name, having)] as const;
  return Object.fromEntries(await Promise.all(names.toSorted().map(read)));
}

/** The same without what every attempt leaves (counts of the throttle, times of last use, the log) and what the worker did. */
export async function readKept(dataDir: string, having: Document = {}): Promise<Stored> {
  const stored = await readStored(dataDir, having);
  const { throttles: _counts, job_runs: _runs, server_logs: _log, server_processes: _said, ...more } = stored;
  // What the worker looks at next, and what it has counted.
  const { stock_checks: _stock, account_standings: _standings, admin_figures: _figures, ...kept } = more;
  const withoutUse = (row: Document) => {
    const { lastUsedAt: _used, lastSeenAt: _seen, expiresAt: _expires, ...rest } = row;
    return rest;
  };
  return Object.fromEntries(Object.entries(kept).map(([name, rows]) => [name, rows.map(withoutUse)]));
}

/** Adds rows to a server's store while it runs, for what only time or another service would make. */
export async function addStored(dataDir: string, collection: string, rows: Document[]): Promise<void> {
  await (await storeOf(dataDir)).collection(collection).insertMany(rows);
}

/** The id of the account with an address. */
export async function userIdOf(dataDir: string, email: string): Promise<string> {
  const user = await (await storeOf(dataDir)).collection('users').findOne({ email });
  return String(user?._id);
}
