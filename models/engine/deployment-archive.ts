import { randomBytes } from 'node:crypto';
import { deserialize } from 'bson';
import { archive } from './storage/archive/backup.ts';
import { readArchive } from './storage/archive/restore.ts';
import type { ArchiveSummary } from './storage/types.ts';
import { EngineError } from './errors.ts';
import { Binary } from './values/types.ts';

type Fields = Record<string, unknown>;

/** The part of a MongoDB driver's database that archives need, such as the official driver's `Db`. */
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

/** Preserves the exact BSON type of numbers and binaries. */
export const EXACT = { promoteValues: false, promoteBuffers: false, promoteLongs: false, bsonRegExp: true };
/** The name of the program's database in a store. Archives restore into it, whatever name a deployment uses. */
const DATABASE = 'vialbook';

const nameIn = (ns: string): string => ns.slice(ns.indexOf('.') + 1);

/** Collections by name, without views and the server's own collections. */
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
 * The same archive as from an embedded store, read from a deployment through the driver while writes continue. Collections
 * are read one after the other, so concurrent writes may be in one and not in another. For a snapshot of one instant,
 * use the deployment's own tools.
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
      // A copy, because the driver may return views of a buffer that it reuses.
      for await (const document of documents) yield Uint8Array.from(document as Uint8Array);
    },
    close: () => undefined,
  }));
}

/** Reads a whole archive and reports its contents. @throws EngineError 2 when anything in it is wrong */
export function checkArchive(source: AsyncIterable<Uint8Array>): Promise<ArchiveSummary> {
  return readArchive(source, null);
}

/** Creates all indexes except the one on `_id`, which every collection has. @returns how many */
export async function makeIndexes(
  target: Pick<ReturnType<ArchiveDatabase['collection']>, 'createIndexes'>,
  indexes: readonly { name?: unknown; v?: unknown; ns?: unknown }[],
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
        `A backup is only restored into an empty database, but ${name} contains documents. Choose another database.`,
      );
}

/**
 * Restores an archive into an empty database of a deployment: it is checked completely first, then written.
 * @param open called once to check and once to read
 * @throws EngineError when the database is not empty or the backup is damaged; then nothing is written
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
      await makeIndexes(database.collection(name), indexes);
    },
    async documents(ns, documents) {
      const exact = documents.map((document) => deserialize(document, EXACT));
      await database.collection(nameIn(ns)).insertMany(exact, { ordered: true });
    },
  });
}
