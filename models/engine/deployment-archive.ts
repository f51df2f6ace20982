import { randomBytes } from 'node:crypto';
import { deserialize } from 'bson';
import { archive } from './storage/archive/backup.ts';
import { readArchive } from './storage/archive/restore.ts';
import type { ArchiveSummary } from './storage/types.ts';
import { EngineError } from './errors.ts';
import { Binary } from './values/types.ts';

type Fields = Record<string, unknown>;

/** The part of a MongoDB driver's database that archives need; the official driver's `Db` fits. */
export interface ArchiveDatabase {
  listCollections(): { toArray(): Promise<{ name: string; type?: string; options?: Fields }[]> };
  createCollection(name: string, options: Fields): Promise<unknown>;
  collection(name: string): {
    find(filter: Fields, options: Fields): AsyncIterable<unknown>;
    findOne(filter: Fields): Promise<unknown>;
    insertMany(documents: Fields[], options: Fields): Promise<unknown>;
    listIndexes(): { toArray(): Promise<Fields[]> };
    createIndexes(specs: { key: Record<string, 1 | -1> }[]): Promise<unknown>;
  };
}

/** Keeps every number's and binary's exact BSON type on the way. */
export const EXACT = { promoteValues: false, promoteBuffers: false, promoteLongs: false, bsonRegExp: true };
/** What a store calls the program's database: an archive restores into it, whatever a deployment calls its own. */
const DATABASE = 'vialbook';

const nameIn = (ns: string): string => ns.slice(ns.indexOf('.') + 1);

/** By name, without views and what the server keeps for itself. */
export async function collectionsOf(
  database: Pick<ArchiveDatabase, 'listCollections'>,
): Promise<{ name: string; options: Fields }[]> {
  const found = await database.listCollections().toArray();
  return found
    .filter(({ name, type }) => type !== 'view' && !name.startsWith('system.'))
    .map(({ name, options }) => ({ name, options: options ?? {} }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * The same archive as of an embedded store, read through the driver from a deployment, while writes go on. Each
 * collection is read in turn: what is written meanwhile may be in one and not in another. For one instant of a whole
 * deployment use its own snapshots.
 */
export function archiveDeployment(database: ArchiveDatabase): AsyncIterable<Uint8Array> {
  return archive(() => ({
    collections: async () => {
      const described = (await collectionsOf(database)).map(async ({ name, options }) => {
        const indexes = (await database.collection(name).listIndexes().toArray()).map(
          ({ ns: _ns, ...spec }) => spec,
        );
        return { ns: `${DATABASE}.${name}`, uuid: new Binary(randomBytes(16), 4), options, indexes };
      });
      return Promise.all(described);
    },
    async *documents(ns) {
      const documents = database.collection(nameIn(ns)).find({}, { raw: true, batchSize: 500 });
      // A copy: the driver may hand out views of a buffer it uses again.
      for await (const document of documents) yield Uint8Array.from(document as Uint8Array);
    },
    close: () => undefined,
  }));
}

/** Reads an archive to its end and says what is in it. @throws EngineError 2 when anything about it is wrong */
export function checkArchive(source: AsyncIterable<Uint8Array>): Promise<ArchiveSummary> {
  return readArchive(source, null);
}

/** Makes all indexes but the one on `_id`, which every collection has. @returns how many */
export async function makeIndexes(
  target: Pick<ReturnType<ArchiveDatabase['collection']>, 'createIndexes'>,
  indexes: readonly Fields[],
): Promise<number> {
  const specs = indexes
    .filter(({ name }) => name !== '_id_')
    .map(({ v: _version, ns: _namespace, ...spec }) => spec as { key: Record<string, 1 | -1> });
  if (specs.length > 0) await target.createIndexes(specs);
  return specs.length;
}

async function requireEmpty(database: ArchiveDatabase): Promise<void> {
  for (const { name } of await collectionsOf(database))
    if ((await database.collection(name).findOne({})) !== null)
      throw new EngineError(
        'IllegalOperation',
        `A backup is only restored into an empty database, but ${name} holds documents. Name another database.`,
      );
}

/**
 * Reads an archive into an empty database of a deployment: all of it is checked first, then written.
 * @param open is called once to check and once to read
 * @throws EngineError when the database is not empty or the backup is damaged; nothing is written then
 */
export async function restoreDeployment(
  database: ArchiveDatabase,
  open: () => AsyncIterable<Uint8Array>,
): Promise<ArchiveSummary> {
  await requireEmpty(database);
  await checkArchive(open());
  const present = new Set((await collectionsOf(database)).map(({ name }) => name));
  return readArchive(open(), {
    async collection({ ns, options, indexes }) {
      const name = nameIn(ns);
      if (!present.has(name)) await database.createCollection(name, { ...options });
      await makeIndexes(database.collection(name), indexes as unknown as Fields[]);
    },
    async documents(ns, documents) {
      const exact = documents.map((document) => deserialize(document, EXACT));
      await database.collection(nameIn(ns)).insertMany(exact, { ordered: true });
    },
  });
}
