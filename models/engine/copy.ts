import { collectionsOf, EXACT, makeIndexes } from './deployment-archive.ts';

/** The part of a MongoDB driver's client that copying needs, such as the official driver's `MongoClient`. */
export interface CopyClient {
  db(name: string): CopyDatabase;
}

export interface CopyDatabase {
  admin(): { listDatabases(): Promise<{ databases: { name: string }[] }> };
  listCollections(): { toArray(): Promise<{ name: string; type?: string; options?: Fields }[]> };
  createCollection(name: string, options: Fields): Promise<unknown>;
  collection(name: string): CopyCollection;
}

export interface CopyCollection {
  find(filter: Fields, options: Fields): AsyncIterable<Fields>;
  insertMany(documents: Fields[], options: Fields): Promise<{ insertedCount: number }>;
  listIndexes(): { toArray(): Promise<Fields[]> };
  createIndexes(specs: { key: Record<string, 1 | -1> }[]): Promise<unknown>;
  countDocuments(): Promise<number>;
}

type Fields = Record<string, unknown>;

/** How far a copy has come. */
export interface CopyProgress {
  database: string;
  collection: string;
  documents: number;
}

/** What was copied. */
export interface CopyReport {
  databases: number;
  collections: number;
  documents: number;
  indexes: number;
}

export interface CopyOptions {
  onProgress?: (progress: CopyProgress) => void;
}

/** The target is not empty, or the copied data differs from the source. */
export class CopyError extends Error {
  override name = 'CopyError';
}

/** Databases that belong to the server itself. */
const SERVER_DATABASES = new Set(['admin', 'config', 'local']);
const BATCH = 500;

/**
 * Copies every database, collection, document and index from one deployment to another, then compares the counts.
 * Meant for migrating: nothing may be written to the source meanwhile, and the target's collections must be empty.
 * @throws CopyError before anything is written if a target collection is not empty; afterwards if a count differs.
 */
export async function copyDeployment(
  from: CopyClient,
  to: CopyClient,
  options: CopyOptions = {},
): Promise<CopyReport> {
  const report: CopyReport = { databases: 0, collections: 0, documents: 0, indexes: 0 };
  const names = await databaseNames(from);
  for (const name of names) await checkEmpty(from.db(name), to.db(name), name);
  for (const name of names) {
    report.databases += 1;
    for (const { name: collection, options: made } of await collectionsOf(from.db(name))) {
      await to.db(name).createCollection(collection, made);
      const source = from.db(name).collection(collection);
      const target = to.db(name).collection(collection);
      report.indexes += await makeIndexes(target, await source.listIndexes().toArray());
      const tell = (documents: number) => options.onProgress?.({ database: name, collection, documents });
      report.documents += await copyDocuments(source, target, tell);
      report.collections += 1;
      await compare(source, target, `${name}.${collection}`);
    }
  }
  return report;
}

async function databaseNames(client: CopyClient): Promise<string[]> {
  const { databases } = await client.db('admin').admin().listDatabases();
  return databases.map(({ name }) => name).filter((name) => !SERVER_DATABASES.has(name));
}

async function checkEmpty(source: CopyDatabase, target: CopyDatabase, database: string): Promise<void> {
  const existing = new Set((await collectionsOf(target)).map(({ name }) => name));
  for (const { name } of await collectionsOf(source)) {
    if (!existing.has(name)) continue;
    throw new CopyError(
      `the target already has a collection ${database}.${name}; copy into an empty database`,
    );
  }
}

async function copyDocuments(
  source: CopyCollection,
  target: CopyCollection,
  tell: (documents: number) => void,
): Promise<number> {
  let copied = 0;
  let batch: Fields[] = [];
  const flush = async () => {
    if (batch.length === 0) return;
    const { insertedCount } = await target.insertMany(batch, { ordered: true });
    copied += insertedCount;
    batch = [];
    tell(copied);
  };
  for await (const document of source.find({}, { ...EXACT, batchSize: BATCH })) {
    batch.push(document);
    if (batch.length === BATCH) await flush();
  }
  await flush();
  return copied;
}

async function compare(source: CopyCollection, target: CopyCollection, ns: string): Promise<void> {
  const [sent, arrived] = [await source.countDocuments(), await target.countDocuments()];
  if (sent !== arrived) {
    throw new CopyError(
      `${ns} has ${sent} documents in the source and ${arrived} in the target. Was something written meanwhile?`,
    );
  }
}
