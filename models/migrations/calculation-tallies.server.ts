import type { Connection } from 'mongoose';
import type { Migration } from './migration.ts';

const PIECE = 1000;

/** Removes a piece of the counts by name and by day that earlier versions kept beside the calculations. */
async function step(connection: Connection) {
  const tallies = connection.collection<{ _id: string }>('calculation_tallies');
  const rows = await tallies.find().project<{ _id: string }>({ _id: 1 }).limit(PIECE).toArray();
  const last = rows.at(-1);
  if (last === undefined) return null;
  const { deletedCount } = await tallies.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) } });
  return { cursor: last._id, changed: deletedCount };
}

/** Names of compounds would otherwise stay behind when their account is deleted: nothing reads these rows any more. */
export const calculationTallies: Migration = {
  id: '2026-11-22-calculation-tallies',
  description: 'Counts of calculations by name and day are removed; they are no longer kept.',
  step,
};
