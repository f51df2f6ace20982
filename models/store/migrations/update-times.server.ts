import type { Connection } from 'mongoose';
import { anyOf, type Migration, type MigrationStep } from './steps.server.ts';

const PIECE = 1000;

/** Where a piece begins: in which collection, and after which row. */
interface Position {
  place: number;
  after: string;
}

const readPosition = (cursor: string | null): Position => {
  const [place = '0', ...id] = (cursor ?? '0:').split(':');
  return { place: Number(place), after: id.join(':') };
};

async function noteTimes(
  connection: Connection,
  collections: readonly string[],
  cursor: string | null,
): Promise<MigrationStep | null> {
  const { place, after } = readPosition(cursor);
  const name = collections[place];
  if (name === undefined) return null;
  const rows = connection.collection<{ _id: string; userId: string }>(name);
  const found = await rows
    .find({ _id: { $gt: after } })
    .project<{ _id: string; userId: string }>({ userId: 1 })
    .sort({ _id: 1 })
    .limit(PIECE)
    .toArray();
  const last = found.at(-1);
  if (last === undefined) return { cursor: `${place + 1}:`, changed: 0 };
  const { modifiedCount } = await rows.updateMany(
    { userId: anyOf(found, 'userId'), _id: anyOf(found, '_id'), updatedAt: { $exists: false } },
    { $set: { updatedAt: new Date() } },
  );
  return { cursor: `${place}:${last._id}`, changed: modifiedCount };
}

/**
 * Nobody knows when a row of an older version was last changed. It counts as changed now, so that a program that asks for
 * changes is sent it once too often rather than never.
 */
export const updateTimes: Migration = {
  id: '2026-11-28-update-times',
  description: 'Notes when injections, nutrition and measurements were last changed',
  inBackground: () => true,
  step: (connection, cursor) =>
    noteTimes(connection, ['injection_sites', 'nutrition', 'measurements'], cursor),
};

/** The same for further collections, whose rows note it since a later version. */
export const moreUpdateTimes: Migration = {
  id: '2026-11-29-more-update-times',
  description: 'Notes when vials, calculations, doses, orders and vendors were last changed',
  inBackground: () => true,
  step: (connection, cursor) =>
    noteTimes(connection, ['suppliers', 'orders', 'compounds', 'calculations', 'doses'], cursor),
};
