import { Schema, trusted, type Connection } from 'mongoose';
import {
  nutritionValues,
  nutritionValuesOf,
  type NutritionEntry,
} from '#app/domain/tracking/nutrition-schema.ts';
import { retryOnDuplicate } from '../store/writes.server.ts';
import {
  importedUnlessEdited,
  EDITED,
  ownedRows,
  recordOf,
  type ListPart,
  type OwnedRecord,
} from '../store/owned-rows.server.ts';
import { modelOf, textColumns } from '../store/model-of.server.ts';

/** A document of `nutrition`: one per person and day, with an id derived from both. */
export interface NutritionRow extends Omit<NutritionEntry, 'id'> {
  _id: string;
  userId: string;
  createdAt: Date;
  importId?: string;
  edits?: number;
}

const text = { type: String, required: true };

export const nutritionRowSchema = new Schema<NutritionRow>(
  {
    _id: text,
    userId: text,
    date: text,
    ...textColumns(nutritionValues),
    createdAt: { type: Date, required: true },
    importId: String,
    edits: Number,
  },
  { collection: 'nutrition' },
);

nutritionRowSchema.index({ userId: 1, date: -1 }, { unique: true });

export type NutritionRecord = OwnedRecord<NutritionRow>;

/** Values that the row lacks are null. */
const toEntry = (row: NutritionRow): NutritionRecord => recordOf({ ...row, ...nutritionValuesOf(row) });

/** From the first day to the last, both inclusive; an absent side is open. */
interface DayRange {
  first: string | null;
  last: string | null;
}

type Values = Partial<Omit<NutritionRecord, 'id' | 'date' | 'createdAt'>>;

function between({ first, last }: DayRange): object {
  const bounds = { ...(first !== null && { $gte: first }), ...(last !== null && { $lte: last }) };
  return Object.keys(bounds).length === 0 ? {} : { date: trusted(bounds) };
}

/** Nutrition by day. Every call names the owner. */
export function createNutritionRepository(connection: Connection) {
  const model = modelOf<NutritionRow>(connection, 'Nutrition', nutritionRowSchema);
  const rows = ownedRows(model, EDITED, toEntry);
  return {
    find: rows.find,
    update: rows.change,
    delete: rows.remove,

    async findDay(userId: string, date: string): Promise<NutritionRecord | null> {
      const row = await model.findOne({ userId, date }).lean();
      return row === null ? null : toEntry(row as NutritionRow);
    },

    /** Sets values of a day, creating its entry if needed. */
    async put(
      userId: string,
      key: { id: string; date: string; at: Date },
      values: Values,
    ): Promise<NutritionRecord> {
      const update = { $set: values, ...EDITED, $setOnInsert: { date: key.date, createdAt: key.at } };
      const row = await retryOnDuplicate(() =>
        model
          .findOneAndUpdate({ _id: key.id, userId }, update, {
            upsert: true,
            returnDocument: 'after',
            setDefaultsOnInsert: true,
          })
          .lean(),
      );
      return toEntry(row as NutritionRow);
    },

    /** Part of the list, latest day first. */
    list: (userId: string, range: DayRange, page: ListPart) =>
      rows.list(userId, between(range), { sort: { date: -1 }, ...page }),

    count: (userId: string, range: DayRange) => rows.count(userId, between(range)),

    /** The entries of a range, earliest day first, in batches. */
    stream: (userId: string, range: DayRange) => rows.stream(userId, between(range), { date: 1 }),
  };
}

/** Adds imported days of nutrition. A day that has an entry keeps it: both ids of a row are the day's id. */
export const createNutritionImport = (connection: Connection) =>
  importedUnlessEdited(modelOf<NutritionRow>(connection, 'Nutrition', nutritionRowSchema));
