import { Schema } from 'mongoose';

/** A document of `half_lives`: a half-life that somebody set in place of the built-in one. */
export interface HalfLifeRow {
  userId: string;
  /** The compound's name as stocks compare names. */
  nameKey: string;
  hours: number;
}

export const halfLifeSchema = new Schema<HalfLifeRow>(
  {
    userId: { type: String, required: true },
    nameKey: { type: String, required: true },
    hours: { type: Number, required: true },
  },
  { collection: 'half_lives' },
);

halfLifeSchema.index({ userId: 1, nameKey: 1 }, { unique: true });
