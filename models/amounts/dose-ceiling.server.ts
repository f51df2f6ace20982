import { Schema, type Connection } from 'mongoose';
import type { Ceiling } from '#app/domain/doses/dose-warnings.ts';
import { retryOnDuplicate } from '../store/writes.server.ts';
import { modelOf } from '../store/model-of.server.ts';

/** A document of `dose_ceilings`: the owner's maximum amounts of a compound. */
interface DoseCeilingRow extends Ceiling {
  userId: string;
  /** The compound's name, normalised as for stock. */
  nameKey: string;
  /** As its owner wrote it. */
  name: string;
}

const doseCeilingSchema = new Schema<DoseCeilingRow>(
  {
    userId: { type: String, required: true },
    nameKey: { type: String, required: true },
    name: { type: String, required: true },
    unit: { type: String, required: true },
    perDose: { type: String, default: null },
    perDay: { type: String, default: null },
    per7Days: { type: String, default: null },
  },
  { collection: 'dose_ceilings' },
);

doseCeilingSchema.index({ userId: 1, nameKey: 1 }, { unique: true });

/** A ceiling with the compound that it is for. */
export interface NamedCeiling extends Ceiling {
  name: string;
}

const toCeiling = ({ name, unit, perDose, perDay, per7Days }: DoseCeilingRow): NamedCeiling => {
  return { name, unit, perDose, perDay, per7Days };
};

/** Ceilings that people have set. Every call names the owner. */
export function createDoseCeilingRepository(connection: Connection) {
  const model = modelOf<DoseCeilingRow>(connection, 'DoseCeiling', doseCeilingSchema);
  return {
    /** By name, up to a limit. */
    async list(userId: string, limit: number): Promise<NamedCeiling[]> {
      return (await model.find({ userId }).sort({ nameKey: 1 }).limit(limit).lean()).map(toCeiling);
    },

    async find(userId: string, nameKey: string): Promise<NamedCeiling | null> {
      const row = await model.findOne({ userId, nameKey }).lean();
      return row === null ? null : toCeiling(row);
    },

    async count(userId: string): Promise<number> {
      return model.countDocuments({ userId });
    },

    async set(userId: string, nameKey: string, ceiling: NamedCeiling): Promise<void> {
      await retryOnDuplicate(() => model.updateOne({ userId, nameKey }, { $set: ceiling }, { upsert: true }));
    },

    async clear(userId: string, nameKey: string): Promise<boolean> {
      return (await model.deleteOne({ userId, nameKey })).deletedCount > 0;
    },
  };
}
