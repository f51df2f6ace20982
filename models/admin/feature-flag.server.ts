import { Schema, type InferSchemaType, type Connection } from 'mongoose';
import { modelOf } from '../store/model-of.server.ts';

/** A document of `feature_flags`, keyed by name: a flag that was ever switched. The audit trail records by whom. */
const featureFlagSchema = new Schema(
  {
    _id: { type: String, required: true },
    isOn: { type: Boolean, required: true },
    changedAt: { type: Date, required: true },
  },
  { collection: 'feature_flags' },
);

type FeatureFlagRow = InferSchemaType<typeof featureFlagSchema>;

/** A flag as it is stored. */
interface FeatureFlagRecord extends Omit<FeatureFlagRow, '_id'> {
  name: string;
}

/** Flags that were ever switched. They have no owner. */
export function createFeatureFlagRepository(connection: Connection) {
  const model = modelOf<FeatureFlagRow>(connection, 'FeatureFlag', featureFlagSchema);
  return {
    /** All that were ever switched. */
    async list(): Promise<FeatureFlagRecord[]> {
      const rows = await model.find({}).limit(100).lean();
      return rows.map(({ _id, ...rest }) => ({ name: _id, ...rest }));
    },

    /** Switches a flag. @returns false when it already has that value */
    async set(name: string, isOn: boolean, changedAt: Date): Promise<boolean> {
      const known = await model.findOne({ _id: name }).lean();
      if (known?.isOn === isOn) return false;
      await model.updateOne({ _id: name }, { $set: { isOn, changedAt } }, { upsert: true });
      return true;
    },
  };
}
