import { Schema, type Connection } from 'mongoose';
import { retryOnDuplicate } from '../store/writes.server.ts';
import { modelOf } from '../store/model-of.server.ts';

/** A person's own values for a compound; null to use the built-in one. */
export interface OwnTimes {
  hours: number | null;
  peakHours: number | null;
  /** The source they gave. */
  source: string | null;
}

/** A document of `half_lives`: a person's own half-life and time to peak for a compound. */
interface HalfLifeRow extends OwnTimes {
  userId: string;
  /** The compound's name, normalised as for stock. */
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

/** People's own half-lives and times to peak. Every call names the owner. */
export function createHalfLifeRepository(connection: Connection) {
  const model = modelOf<HalfLifeRow>(connection, 'HalfLife', halfLifeSchema);
  return {
    /** The owner's values for a compound, or null. Rows of older versions have only a half-life. */
    async find(userId: string, nameKey: string): Promise<OwnTimes | null> {
      const row = await model.findOne({ userId, nameKey }).lean();
      if (row === null) return null;
      return { hours: row.hours ?? null, peakHours: row.peakHours ?? null, source: row.source ?? null };
    },

    async set(userId: string, nameKey: string, times: OwnTimes): Promise<void> {
      await retryOnDuplicate(() => model.updateOne({ userId, nameKey }, { $set: times }, { upsert: true }));
    },

    /** Restores the built-in values. */
    async clear(userId: string, nameKey: string): Promise<void> {
      await model.deleteOne({ userId, nameKey });
    },
  };
}
