import type { Migration } from './migration.ts';

const PIECE = 500;

/**
 * A ramp used to rise in weeks without doses, too, so that the first dose after them jumped over a step. The doses that
 * were made ahead by that rule are made again: a raised revision drops them, and the worker fills the schedule from now.
 */
export const rampsInCourses: Migration = {
  id: '2026-11-22-ramps-in-courses',
  description: 'Makes the coming doses of ramps with weeks off again',
  async step(connection, cursor) {
    const schedules = connection.collection<{ _id: string }>('schedules');
    const after = cursor === null ? {} : { _id: { $gt: cursor } };
    const found = await schedules
      .find({ ...after, ramp: { $ne: null }, course: { $ne: null } })
      .project<{ _id: string }>({ _id: 1 })
      .sort({ _id: 1 })
      .limit(PIECE)
      .toArray();
    const last = found.at(-1)?._id;
    if (last === undefined) return null;
    const { modifiedCount } = await schedules.updateMany(
      { _id: { $in: found.map(({ _id }) => _id) } },
      { $inc: { revision: 1 }, $set: { madeUntil: new Date() } },
    );
    return { cursor: last, changed: modifiedCount };
  },
};
