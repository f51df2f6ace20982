import { Schema } from 'mongoose';
import type { NutritionEntry } from '#app/domain/tracking/nutrition-schema.ts';

/** A document of `nutrition`: one for each day of a person, by an id that follows from both. */
export interface NutritionRow extends Omit<NutritionEntry, 'id'> {
  _id: string;
  userId: string;
  createdAt: Date;
  importId?: string;
  edits?: number;
}

const text = { type: String, required: true };
const optionalText = { type: String, default: null };

export const nutritionRowSchema = new Schema<NutritionRow>(
  {
    _id: text,
    userId: text,
    date: text,
    calories: optionalText,
    protein: optionalText,
    carbs: optionalText,
    fat: optionalText,
    water: optionalText,
    notes: optionalText,
    createdAt: { type: Date, required: true },
    importId: String,
    edits: Number,
  },
  { collection: 'nutrition' },
);

nutritionRowSchema.index({ userId: 1, date: -1 }, { unique: true });
