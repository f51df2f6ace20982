import { archive } from '#models/engine/storage/archive/backup.ts';
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
