import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { archive } from '#models/engine/storage/archive/backup.ts';
import { readArchive, type ArchivedCollection } from '#models/engine/storage/archive/restore.ts';
import { decode } from '#models/engine/values/decode.ts';
import { encode } from '#models/engine/values/encode.ts';
import type { Document } from '#models/engine/values/types.ts';

/** An archive with right checksums of one collection with any documents, and indexes besides that on `_id`. */
export async function archiveOf(
  documents: readonly Document[],
  indexes: readonly Document[] = [],
): Promise<Buffer> {
  const source = () => ({
    collections: () => [
      { ns: 'vialbook.notes', options: {}, indexes: [{ v: 2, key: { _id: 1 }, name: '_id_' }, ...indexes] },
    ],
    documents: () => documents.map((document) => encode(document)),
    close: () => undefined,
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive(source)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Whole, but no store can hold it: two of its documents have the same id. */
export const unrestorable = (): Promise<Buffer> => archiveOf([{ _id: 1 }, { _id: 1 }]);

/**
 * Writes a real account's archive to a file, in which its doses are repeated under other ids and at other times.
 * @param count how many doses there are in the end
 */
export async function archiveWithDoses(from: string, to: string, count: number): Promise<void> {
  const collections: ArchivedCollection[] = [];
  const documents = new Map<string, Document[]>();
  await readArchive(createReadStream(from), {
    collection: (collection) => Promise.resolve(void collections.push(collection)),
    documents: (ns, batch) => {
      documents.set(ns, [...(documents.get(ns) ?? []), ...batch.map((bytes) => decode(bytes))]);
      return Promise.resolve();
    },
  });
  function* read(ns: string): Generator<Uint8Array> {
    const known = documents.get(ns) ?? [];
    for (const document of known) yield encode(document);
    if (ns !== 'vialbook.doses') return;
    for (let n = known.length; n < count; n += 1) {
      const dose = known[n % known.length] as Document & { dueDate: Date };
      const dueDate = new Date(dose.dueDate.getTime() - n * 60_000);
      yield encode({ ...dose, _id: `dose_${n}`, dueDate });
    }
  }
  const source = () => ({
    collections: () => collections.map((collection) => ({ ...collection })),
    documents: read,
    close: () => undefined,
  });
  await pipeline(archive(source), createWriteStream(to));
}
