import { createHash, randomBytes } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { deserialize } from 'bson';
import { ARCHIVE_VERSION, FrameWriter } from './storage/archive/format.ts';
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
const EXACT = { promoteValues: false, promoteBuffers: false, promoteLongs: false, bsonRegExp: true };
const FRAME_BYTES = 256 * 1024;
/** What a store calls the program's database: an archive restores into it, whatever a deployment calls its own. */
const DATABASE = 'vialbook';

async function collectionsOf(database: ArchiveDatabase): Promise<{ name: string; options: Fields }[]> {
  const found = await database.listCollections().toArray();
  return found
    .filter(({ name, type }) => type !== 'view' && !name.startsWith('system.'))
    .map(({ name, options }) => ({ name, options: options ?? {} }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function* documentFrames(
  writer: FrameWriter,
  documents: AsyncIterable<unknown>,
): AsyncGenerator<Buffer, number> {
  const hash = createHash('sha256');
  let [batch, bytes, count]: [Uint8Array[], number, number] = [[], 0, 0];
  for await (const document of documents) {
    // A copy: the driver may hand out views of a buffer it uses again.
    const copy = Uint8Array.from(document as Uint8Array);
    hash.update(copy);
    batch.push(copy);
    bytes += copy.length;
    count += 1;
    if (bytes < FRAME_BYTES) continue;
    yield writer.frame('D', Buffer.concat(batch));
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield writer.frame('D', Buffer.concat(batch));
  yield writer.record('E', { documents: count, sha256: hash.digest('hex') });
  return count;
}

async function* frames(database: ArchiveDatabase): AsyncGenerator<Buffer> {
  const writer = new FrameWriter();
  yield writer.record('H', { format: 'vialbook-archive', version: ARCHIVE_VERSION, created: new Date() });
  let [collections, documents] = [0, 0];
  for (const { name, options } of await collectionsOf(database)) {
    const collection = database.collection(name);
    const indexes = (await collection.listIndexes().toArray()).map(({ ns: _ns, ...spec }) => spec);
    const uuid = new Binary(randomBytes(16), 4);
    yield writer.record('C', { ns: `${DATABASE}.${name}`, uuid, options, indexes });
    documents += yield* documentFrames(writer, collection.find({}, { raw: true, batchSize: 500 }));
    collections += 1;
  }
  yield writer.end({ collections, documents });
}

/**
 * The same archive as of an embedded store, read through the driver from a deployment, while writes go on. Each
 * collection is read in turn: what is written meanwhile may be in one and not in another. For one instant of a whole
 * deployment use its own snapshots.
 */
export async function* archiveDeployment(database: ArchiveDatabase): AsyncGenerator<Uint8Array> {
  const gzip = createGzip();
  pipeline(Readable.from(frames(database)), gzip, () => undefined);
  try {
    for await (const chunk of gzip) yield chunk as Uint8Array;
  } finally {
    gzip.destroy();
  }
}

/** Reads an archive to its end and says what is in it. @throws EngineError 2 when anything about it is wrong */
export function checkArchive(source: AsyncIterable<Uint8Array>): Promise<ArchiveSummary> {
  return readArchive(source, null);
}

async function requireEmpty(database: ArchiveDatabase): Promise<void> {
  for (const { name } of await collectionsOf(database))
    if ((await database.collection(name).findOne({})) !== null)
      throw new EngineError(
        'IllegalOperation',
        `A backup is only restored into an empty database, but ${name} holds documents. Name another database.`,
      );
}

const nameIn = (ns: string): string => ns.slice(ns.indexOf('.') + 1);

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
      const specs = indexes
        .filter(({ name: index }) => index !== '_id_')
        .map(({ v: _v, ...spec }) => spec as unknown as { key: Record<string, 1 | -1> });
      if (specs.length > 0) await database.collection(name).createIndexes(specs);
    },
    async documents(ns, documents) {
      const exact = documents.map((document) => deserialize(document, EXACT));
      await database.collection(nameIn(ns)).insertMany(exact, { ordered: true });
    },
  });
}
