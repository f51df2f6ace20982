import * as z from 'zod';
import { dayField, decimalField, notesField, picked, type StoredValues } from '#app/domain/forms/fields.ts';

export const NUTRITION_MESSAGES = {
  date: 'Enter a date as YYYY-MM-DD, today or earlier',
  calories: 'Calories must be a number from 0 to 20000',
  protein: 'Protein must be a number from 0 to 2000 g',
  carbs: 'Carbs must be a number from 0 to 2000 g',
  fat: 'Fat must be a number from 0 to 2000 g',
  water: 'Water must be a number from 0 to 20000 ml',
  notes: 'Notes can have at most 2000 characters',
  empty: 'Enter at least one value',
  notFound: 'There is no entry for this day.',
} as const;

/** The numbers of a day in the order they are shown. */
export const NUTRIENTS = [
  { key: 'calories', label: 'Calories', unit: 'kcal' },
  { key: 'protein', label: 'Protein', unit: 'g' },
  { key: 'carbs', label: 'Carbs', unit: 'g' },
  { key: 'fat', label: 'Fat', unit: 'g' },
  { key: 'water', label: 'Water', unit: 'ml' },
] as const;
export type Nutrient = (typeof NUTRIENTS)[number]['key'];

const amount = (message: string, most: number) => decimalField(message, { most, decimals: 3 }).nullish();

/** What may be logged for a day; null while nothing was entered. */
export const nutritionValues = {
  calories: amount(NUTRITION_MESSAGES.calories, 20_000),
  protein: amount(NUTRITION_MESSAGES.protein, 2000),
  carbs: amount(NUTRITION_MESSAGES.carbs, 2000),
  fat: amount(NUTRITION_MESSAGES.fat, 2000),
  water: amount(NUTRITION_MESSAGES.water, 20_000),
  notes: notesField(NUTRITION_MESSAGES.notes).nullish(),
};

/** The nutrition of a day. There is one entry per day; sending it again changes the given fields, null clears one. */
export const nutritionSchema = z.object({ date: dayField(NUTRITION_MESSAGES.date), ...nutritionValues });
export type NutritionInput = z.input<typeof nutritionSchema>;

/** Changing a day's entry. */
export const updateNutritionSchema = nutritionSchema.omit({ date: true });
export type UpdateNutritionInput = z.input<typeof updateNutritionSchema>;

/** The values among some fields. */
export const nutritionValuesOf = picked(nutritionValues);

/** A day's entry. Amounts are decimal text: kcal, g, ml. */
export interface NutritionEntry extends StoredValues<typeof nutritionValues> {
  /** `meal_…` */
  id: string;
  /** YYYY-MM-DD */
  date: string;
}
