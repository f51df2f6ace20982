import { Schema, type Connection } from 'mongoose';
import { retryOnDuplicate } from './writes.server.ts';
import { modelOf } from './model-of.server.ts';

/** What somebody set in place of the built-in values of a compound; null where the built-in one stays. */
export interface OwnTimes {
  hours: number | null;
  peakHours: number | null;
  /** Where they have it from. */
  source: string | null;
}

/** A document of `half_lives`: a half-life and the time of a peak that somebody set in place of the built-in ones. */
interface HalfLifeRow extends OwnTimes {
  userId: string;
  /** The compound's name in the form that stock compares. */
  nameKey: string;
}

const halfLifeSchema = new Schema<HalfLifeRow>(
  {
    userId: { type: String, required: true },
    nameKey: { type: String, required: true },
    hours: { type: Number, default: null },
    peakHours: { type: Number, default: null },
    source: { type: String, default: null },
  },
  { collection: 'half_lives' },
);

halfLifeSchema.index({ userId: 1, nameKey: 1 }, { unique: true });

/** Half-lives and peaks that people have set. Every call names the owner. */
export function createHalfLifeRepository(connection: Connection) {
  const model = modelOf<HalfLifeRow>(connection, 'HalfLife', halfLifeSchema);
  return {
    /** What its owner set for a compound; null for nothing. Rows of older versions have a half-life alone. */
    async find(userId: string, nameKey: string): Promise<OwnTimes | null> {
      const row = await model.findOne({ userId, nameKey }).lean();
      if (row === null) return null;
      return { hours: row.hours ?? null, peakHours: row.peakHours ?? null, source: row.source ?? null };
    },

    async set(userId: string, nameKey: string, times: OwnTimes): Promise<void> {
      await retryOnDuplicate(() => model.updateOne({ userId, nameKey }, { $set: times }, { upsert: true }));
    },

    /** Back to the built-in ones. */
    async clear(userId: string, nameKey: string): Promise<void> {
      await model.deleteOne({ userId, nameKey });
    },
  };
}
