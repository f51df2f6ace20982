import type { Migration } from './steps.server.ts';

/** An index of an earlier version that no query reads any more. Every write of a document would keep it in step. */
interface Unused {
  collection: string;
  index: string;
}

/** A process of the previous version makes it again when it starts; the second run removes it then. */
const without = (id: string, { collection, index }: Unused): Migration => ({
  id,
  description: 'Removes indexes that no query reads',
  inBackground: () => true,
  async step(connection) {
    const [there] = (await connection.db?.listCollections({ name: collection }).toArray()) ?? [];
    const indexes = there === undefined ? [] : await connection.collection(collection).indexes();
    if (indexes.some(({ name }) => name === index)) await connection.collection(collection).dropIndex(index);
    return null;
  },
});

// Doses are counted by day along the index of their due dates; a schedule's are found along that one, or the one by status.
export const unusedIndexes: readonly Migration[] = [
  without('2026-11-29-unused-indexes', { collection: 'doses', index: 'userId_1_localDay_1_status_1' }),
  without('2026-11-29-schedule-index', { collection: 'doses', index: 'userId_1_scheduleId_1_dueDate_1' }),
];
