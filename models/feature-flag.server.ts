import { trusted, type Connection } from 'mongoose';
import { isDuplicateKey } from './duplicate-key.server.ts';
import { featureFlagSchema, type FeatureFlagRow } from './feature-flag.model.server.ts';
import { modelOf } from './model-of.server.ts';

/** A flag as it is stored. */
export interface FeatureFlagRecord extends Omit<FeatureFlagRow, '_id'> {
  name: string;
}

/** What was switched off or on. Nobody owns it. */
export function createFeatureFlagRepository(connection: Connection) {
  const model = modelOf<FeatureFlagRow>(connection, 'FeatureFlag', featureFlagSchema);
  return {
    /** All that were ever switched. */
    async list(): Promise<FeatureFlagRecord[]> {
      const rows = await model.find({}).limit(100).lean();
      return rows.map(({ _id, ...rest }) => ({ name: _id, ...rest }));
    },

    /** Switches one. @returns false when it is so already */
    async set(name: string, isOn: boolean, changedAt: Date): Promise<boolean> {
      try {
        const other = { _id: name, isOn: trusted({ $ne: isOn }) };
        const result = await model.updateOne(other, { $set: { isOn, changedAt } }, { upsert: true });
        return result.modifiedCount + result.upsertedCount === 1;
      } catch (error) {
        // It is there and stands as wanted, so that the upsert tried to make another one.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
  };
}

export type FeatureFlagRepository = ReturnType<typeof createFeatureFlagRepository>;
