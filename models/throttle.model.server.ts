import { Schema } from 'mongoose';

/** A document of `throttles`: how often something happened since its window began. */
export interface ThrottleRow {
  /** What is counted, for whom. */
  _id: string;
  count: number;
  expiresAt: Date;
}

export const throttleSchema = new Schema<ThrottleRow>(
  {
    _id: { type: String, required: true },
    count: { type: Number, required: true },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'throttles' },
);

throttleSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
