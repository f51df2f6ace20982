import {
  NUTRIENTS,
  NUTRITION_MESSAGES,
  nutritionSchema,
  type NutritionEntry,
} from '#app/domain/tracking/nutrition-schema.ts';
import { calendarDay, daysBefore } from '#app/domain/time/zoned-time.ts';
import {
  fixed,
  number,
  text,
  type ExportableType,
  type ExportCells,
  type ImportCells,
  type ImportSetting,
  type ReadRow,
  amountCell,
  orNull,
  readIdentity,
  reasonOf,
  ZONES_APART_DAYS,
} from './record-type.ts';

const ID_PREFIX = 'meal';

type Stored = NutritionEntry & { createdAt: Date };

/** Days of nutrition, by their date. */
export const NUTRITION: ExportableType<Stored> = {
  idPrefix: ID_PREFIX,
  columns: [
    fixed('id'),
    fixed('createdAt'),
    fixed('date'),
    number('calories'),
    number('protein'),
    number('carbs'),
    number('fat'),
    number('water'),
    text('notes'),
  ],
  printColumns: [
    { heading: 'Day', source: 'date', width: 13, align: 'left' },
    { heading: 'Calories, kcal', source: 'calories', width: 13, align: 'right' },
    { heading: 'Protein, g', source: 'protein', width: 11, align: 'right' },
    { heading: 'Carbs, g', source: 'carbs', width: 11, align: 'right' },
    { heading: 'Fat, g', source: 'fat', width: 11, align: 'right' },
    { heading: 'Water, ml', source: 'water', width: 11, align: 'right' },
    { heading: 'Notes', source: 'notes', width: 45, align: 'left' },
  ],
  cells: nutritionCells,
  read: readNutrition,
};

/** The row of a day's nutrition: kcal, g and ml. */
function nutritionCells(entry: Stored): ExportCells {
  const amounts = NUTRIENTS.map(({ key }) => amountCell(entry[key]));
  return [entry.id, entry.createdAt.toISOString(), entry.date, ...amounts, entry.notes];
}

/** There is one entry per day, so the day identifies it and the id in the file is ignored. */
function readNutrition(cells: ImportCells, { now, timeZone }: ImportSetting): ReadRow {
  const identity = readIdentity(cells, ID_PREFIX, 'a day of nutrition');
  if (typeof identity === 'string') return { reason: identity };
  const parsed = nutritionSchema.safeParse(cells);
  if (!parsed.success) return { reason: reasonOf(parsed.error.issues) };
  const { date } = parsed.data;
  if (daysBefore(date, ZONES_APART_DAYS) > calendarDay(now, timeZone))
    return { reason: `date: ${NUTRITION_MESSAGES.date}` };
  const { calories, protein, carbs, fat, water, notes } = parsed.data;
  const values = {
    calories: orNull(calories),
    protein: orNull(protein),
    carbs: orNull(carbs),
    fat: orNull(fat),
    water: orNull(water),
  };
  const isEmpty = NUTRIENTS.every(({ key }) => values[key] === null) && !notes;
  if (isEmpty) return { reason: NUTRITION_MESSAGES.empty };
  const entry = { date, ...values, notes: orNull(notes) };
  return { record: { type: 'nutrition', id: date, createdAt: identity.createdAt, entry } };
}
