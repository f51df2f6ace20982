import type { Migration } from './steps.server.ts';

/** Indexes of earlier versions that no query reads any more, each of which every write of a document keeps in step. */
const UNUSED = [
  // Doses are counted by day along the index of their due dates.
  { collection: 'doses', index: 'userId_1_localDay_1_status_1' },
] as const;

/**
 * A process of the previous version makes them again when it starts; the second run removes them then.
 */
export const unusedIndexes: Migration = {
  id: '2026-11-29-unused-indexes',
  description: 'Removes indexes that no query reads',
  inBackground: () => true,
  async step(connection) {
    for (const { collection, index } of UNUSED) {
      const [there] = (await connection.db?.listCollections({ name: collection }).toArray()) ?? [];
      const indexes = there === undefined ? [] : await connection.collection(collection).indexes();
      if (indexes.some(({ name }) => name === index))
        await connection.collection(collection).dropIndex(index);
    }
    return null;
  },
};
