import { Schema, type Connection } from 'mongoose';
import { retryOnDuplicate } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';

/** A document of `half_lives`: a half-life that somebody set in place of the built-in one. */
interface HalfLifeRow {
  userId: string;
  /** The compound's name in the form that stock compares. */
  nameKey: string;
  hours: number;
}

const halfLifeSchema = new Schema<HalfLifeRow>(
  {
    userId: { type: String, required: true },
    nameKey: { type: String, required: true },
    hours: { type: Number, required: true },
  },
  { collection: 'half_lives' },
);

halfLifeSchema.index({ userId: 1, nameKey: 1 }, { unique: true });

/** Half-lives that people have set. Every call names the owner. */
export function createHalfLifeRepository(connection: Connection) {
  const model = modelOf<HalfLifeRow>(connection, 'HalfLife', halfLifeSchema);
  return {
    /** Hours by name key, up to a limit. */
    async listOf(userId: string, limit: number): Promise<Map<string, number>> {
      const rows = await model.find({ userId }).limit(limit).lean();
      return new Map(rows.map(({ nameKey, hours }) => [nameKey, hours]));
    },

    async set(userId: string, nameKey: string, hours: number): Promise<void> {
      await retryOnDuplicate(() =>
        model.updateOne({ userId, nameKey }, { $set: { hours } }, { upsert: true }),
      );
    },

    /** Back to the built-in one. */
    async clear(userId: string, nameKey: string): Promise<void> {
      await model.deleteOne({ userId, nameKey });
    },
  };
}
