import {
  NUTRIENTS,
  NUTRITION_MESSAGES,
  nutritionSchema,
  nutritionValues,
  nutritionValuesOf,
  type NutritionEntry,
} from '#app/domain/tracking/nutrition-schema.ts';
import { calendarDay, daysBefore } from '#app/domain/time/zoned-time.ts';
import {
  cellsOf,
  columnsWith,
  fixed,
  number,
  text,
  type ExportableType,
  type ImportCells,
  type ImportSetting,
  type ReadRow,
  readIdentity,
  reasonOf,
  ZONES_APART_DAYS,
} from './record-type.ts';

const ID_PREFIX = 'meal';

type Stored = NutritionEntry & { createdAt: Date };

const COLUMNS = columnsWith(
  [fixed('id'), fixed('createdAt'), fixed('date'), ...NUTRIENTS.map(({ key }) => number(key)), text('notes')],
  Object.keys(nutritionValues).map(text),
);

/** Days of nutrition, by their date: kcal, g and ml. */
export const NUTRITION: ExportableType<Stored> = {
  idPrefix: ID_PREFIX,
  columns: COLUMNS,
  printColumns: [
    { heading: 'Day', source: 'date', width: 13, align: 'left' },
    { heading: 'Calories, kcal', source: 'calories', width: 13, align: 'right' },
    { heading: 'Protein, g', source: 'protein', width: 11, align: 'right' },
    { heading: 'Carbs, g', source: 'carbs', width: 11, align: 'right' },
    { heading: 'Fat, g', source: 'fat', width: 11, align: 'right' },
    { heading: 'Water, ml', source: 'water', width: 11, align: 'right' },
    { heading: 'Notes', source: 'notes', width: 45, align: 'left' },
  ],
  cells: (entry) => cellsOf(COLUMNS, { ...entry }),
  read: readNutrition,
};

/** There is one entry per day, so the day identifies it. */
function readNutrition(cells: ImportCells, { now, timeZone }: ImportSetting): ReadRow {
  const identity = readIdentity(cells, ID_PREFIX, 'a day of nutrition');
  if (typeof identity === 'string') return { reason: identity };
  const parsed = nutritionSchema.safeParse(cells);
  if (!parsed.success) return { reason: reasonOf(parsed.error.issues) };
  const { date } = parsed.data;
  if (daysBefore(date, ZONES_APART_DAYS) > calendarDay(now, timeZone))
    return { reason: `date: ${NUTRITION_MESSAGES.date}` };
  const values = nutritionValuesOf(parsed.data);
  if (Object.values(values).every((value) => value === null)) return { reason: NUTRITION_MESSAGES.empty };
  const entry = { date, ...values };
  return { record: { type: 'nutrition', id: date, createdAt: identity.createdAt, entry } };
}
