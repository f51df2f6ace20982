import { Schema } from 'mongoose';

/** A document of `feature_flags`, keyed by the flag's name: one that was ever switched. Who did it stands in the audit. */
export interface FeatureFlagRow {
  _id: string;
  isOn: boolean;
  changedAt: Date;
}

export const featureFlagSchema = new Schema<FeatureFlagRow>(
  {
    _id: { type: String, required: true },
    isOn: { type: Boolean, required: true },
    changedAt: { type: Date, required: true },
  },
  { collection: 'feature_flags' },
);
